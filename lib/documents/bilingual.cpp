// SPDX-License-Identifier: Apache-2.0
// XLIFF and TMX: a translation is written beside its source, where there is none.
#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>

#include "base/error.h"
#include "documents/readers.h"
#include "documents/strings/accelerator.h"
#include "documents/strings/icu_message.h"
#include "documents/strings/inline_tags.h"
#include "documents/strings/values.h"
#include "markup/unit_builder.h"
#include "text/language_rules.h"
#include "text/tmx_places.h"

namespace dragoman::documents {
namespace {

using markup::Token;
using markup::UnitBuilder;

// The place for a unit's translation: instead of these bytes, between these tags, with everything that the source has.
struct Place {
    Range bytes{};
    std::string before{}, after{};
    Range content{};  // bytes of the source
    Accelerator accelerator{};
    Value
        message{};  // a source with forms, "{n, plural, one {file} other {files}}", as it is written; its units are the forms
};

// A message's translation, in which signs of XML are references where the message has none of its own.
std::string with_references(std::string_view text, std::string_view message) {
    const bool tags = message.find('<') != message.npos;
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const std::size_t end = text[at] == '&' ? text.find_first_of("; <&", at + 1) : text.npos;
        const bool reference = end != text.npos && text[end] == ';';
        if (text[at] == '&' && !reference) result += "&amp;";
        else if (text[at] == '<' && !tags) result += "&lt;";
        else result += text[at];
    }
    return result;
}

class BilingualPart final : public SplicedPart {
public:
    BilingualPart(std::string source, Units units, std::vector<Place> places, std::set<std::size_t> gaps)
        : SplicedPart(std::move(source), std::move(units)), places_(std::move(places)), gaps_(std::move(gaps)) {}

private:
    std::vector<markup::Edit> edits(std::span<const Translation> translations) const override {
        std::vector<markup::Edit> found;
        for (std::size_t i = 0; i < units_.units.size(); ++i) {
            const Place& place = places_[i];
            if (place.message.units.size() == 0) add_edit(i, translations[i], found);
            if (place.message.units.begin != i || place.message.units.size() == 0) continue;
            const std::string text = translated(units_, place.message, translations);
            if (text == place.message.text) continue;
            const std::string all = place.before + with_references(text, place.message.text) + place.after;
            found.push_back({place.bytes, all, {{false, {0, all.size()}}}});
        }
        return found;
    }
    markup::Edit edit(std::size_t unit, std::string_view target, std::span<const Range> marks) const override {
        const Place& place = places_[unit];
        std::vector<Range> placed(marks.begin(), marks.end());
        const std::string text = with_accelerator(place.accelerator, target, units_.units[unit], placed);
        markup::Edit edit = SplicedPart::edit(unit, text, placed);
        strip_beside(edit, gaps_);
        const Range own = edit.bytes;
        edit.bytes = place.bytes;
        const std::size_t size = edit.text.size();
        edit.text += place.before + place.after;
        const std::size_t middle = size + place.before.size();
        edit.pieces.insert(edit.pieces.begin(), {{false, {size, middle}}, {true, {place.content.begin, own.begin}}});
        edit.pieces.push_back({true, {own.end, place.content.end}});
        edit.pieces.push_back({false, {middle, edit.text.size()}});
        std::erase_if(edit.pieces, [](const markup::Edit::Piece& piece) { return piece.range.size() == 0; });
        return edit;
    }
    const std::vector<Place> places_;
    const std::set<std::size_t> gaps_;
};

constexpr std::array<std::string_view, 4> kPairs{"g", "pc", "mrk", "hi"};

// Reads the contents of an element that holds a source.
class Content {
public:
    bool reads() const { return depth_ > 0; }
    // preserve: line ends are the text's own.
    void begin(const Token& token, bool preserve = false) {
        preserve_ = preserve;
        builder_ = UnitBuilder();
        builder_.join_elements();
        content_ = {token.bytes.end, token.bytes.end};
        depth_ = 1;
    }
    // Returns true when the element has ended.
    bool take(std::string_view source, const Token& token) {
        if (token.kind == Token::Kind::start) {
            ++depth_;
            if (kept_ > 0) return false;
            const std::string_view name = local_name(token.name);
            const bool held = attribute_of(source, token, "translate") == "no" ||
                              attribute_of(source, token, "mtype") == "protected";
            if (token.self_closing || held || std::ranges::find(kPairs, name) == kPairs.end()) {
                kept_ = depth_;
                kept_begin_ = token.bytes.begin;
                const std::string_view data = data_of(source, token);
                word_ = held || shows_value(source, token) || holds_value(data);
                break_ = breaks_line(source, token) || holds_break(data);
            } else {
                open_.push_back(builder_.open(token.bytes));
            }
        } else if (token.kind == Token::Kind::end) {
            if (--depth_ == 0) {
                content_.end = token.bytes.begin;
                return true;
            }
            if (kept_ == depth_ + 1) {
                kept_ = 0;
                const Range whole{kept_begin_, std::max(token.bytes.end, last_)};
                if (word_ || holds_value(text::part(source, whole))) builder_.kept(whole);
                else if (break_ || holds_break(text::part(source, whole))) gap(whole);
                else builder_.point(whole, true);
            } else if (kept_ == 0) {
                builder_.close(token.bytes, open_.back());
                open_.pop_back();
            }
        } else if (token.kind == Token::Kind::text && kept_ == 0) {
            add_text(source, token);
        } else if (token.kind == Token::Kind::reference && kept_ == 0) {
            if (is_blank_reference(text::part(source, token.bytes))) gap(token.bytes, ' ');
            else builder_.kept(token.bytes);  // what it stands for is the program's affair
        } else if (kept_ == 0) {
            builder_.point(token.bytes, false);
        }
        last_ = token.bytes.end;
        return false;
    }
    UnitBuilder& builder() { return builder_; }
    Range bytes() const { return content_; }
    // Adds the forms of a message, if the source is one; its text as it is written may hold inline codes.
    bool add_message(std::string_view source, Units& units, Value& message) const {
        const std::string_view written = text::part(source, content_);
        if (icu_forms(written).empty()) return false;
        message.text = written;
        return add_value(units, message);
    }
    std::map<std::string, std::string, std::less<>> data;  // XLIFF 2: what inline codes stand for, by its name
    std::set<std::size_t> gaps;

private:
    std::string_view data_of(std::string_view source, const Token& token) const {
        const auto found = data.find(attribute_of(source, token, "dataRef"));
        return found != data.end() ? std::string_view(found->second) : std::string_view();
    }
    void gap(Range bytes, char divider = '\n') {
        gaps.insert(bytes.begin);
        builder_.gap(bytes, divider);
    }
    // Whether an inline code stands for a value, such as a name or a number, rather than for formatting.
    static bool shows_value(std::string_view source, const Token& token) {
        for (const std::string_view name : {"equiv-text", "equiv", "disp"})
            if (holds_value(attribute_of(source, token, name))) return true;
        return attribute_of(source, token, "id").starts_with("INTERPOLATION");
    }
    // Whether an inline code breaks the line between two words.
    static bool breaks_line(std::string_view source, const Token& token) {
        return attribute_of(source, token, "ctype") == "lb" || attribute_of(source, token, "type") == "lb" ||
               attribute_of(source, token, "subType") == "xlf:lb" ||
               attribute_of(source, token, "id").starts_with("LINE_BREAK");
    }
    static bool holds_break(std::string_view code) {
        return code.find("&lt;br") != std::string_view::npos || code.find("<br") != std::string_view::npos;
    }
    static bool holds_value(std::string_view text) {
        if (!text.empty() && text.front() == '<') text.remove_prefix(std::min(text.find('>'), text.size() - 1) + 1);
        const std::size_t end = text.rfind("</");
        text = text.substr(0, end);
        return text.find_first_of("{%$@") != std::string_view::npos && text.find("&lt;") == std::string_view::npos;
    }
    void add_lines(std::string_view source, Token part) {
        const std::size_t end = part.content.end;
        while (preserve_ && part.content == part.bytes && part.content.size() > 0) {
            const std::size_t line_end = source.find('\n', part.content.begin);
            if (line_end >= end) break;
            part.bytes.end = part.content.end = line_end;
            if (part.content.size() > 0) builder_.add_text(source, part, markup::xml_reference);
            gap({line_end, line_end + 1});
            part.bytes = part.content = {line_end + 1, end};
        }
        if (part.content.size() > 0) builder_.add_text(source, part, markup::xml_reference);
    }
    // Tags of another format, "&lt;b&gt;", are marks.
    void add_text(std::string_view source, const Token& token) {
        std::vector<InlineTag> tags;
        if (token.content == token.bytes) tags = inline_tags(text::part(source, token.content), true);
        std::vector<std::size_t> opened(tags.size());
        Token part = token;
        const auto add_until = [&](std::size_t end) {
            if (token.content == token.bytes) part.bytes.end = part.content.end = end;
            add_lines(source, part);
        };
        for (InlineTag& tag : tags) {
            const Range bytes{token.content.begin + tag.bytes.begin, token.content.begin + tag.bytes.end};
            add_until(bytes.begin);
            if (tag.kind == InlineTag::Kind::word) builder_.kept(bytes);
            else if (tag.kind != InlineTag::Kind::pair) builder_.point(bytes, true);
            else if (tag.closes) builder_.close(bytes, opened[tag.other]);
            else opened[std::size_t(&tag - tags.data())] = builder_.open(bytes);
            part.bytes.begin = part.content.begin = bytes.end;
        }
        add_until(token.content.end);
    }

    UnitBuilder builder_;
    Range content_{};
    bool preserve_ = false;
    bool word_ = false;  // the kept element stands for a word
    bool break_ = false;  // or for a line break
    std::size_t depth_ = 0, kept_ = 0, kept_begin_ = 0, last_ = 0;
    std::vector<std::size_t> open_;
};

std::string escaped_target(std::string_view text) {
    std::string result;
    markup::append_escaped(result, text, '"');
    return result;
}

class XliffReader {
public:
    explicit XliffReader(std::string_view source) : source_(source) {}

    void take(const Token& token) {
        if (content_.reads()) {
            if (content_.take(source_, token)) end_source(token);
            return;
        }
        const std::string_view name = local_name(token.name);
        if (token.kind == Token::Kind::start && name == "originalData") content_.data.clear();
        if (token.kind == Token::Kind::start && name == "data") data_ = attribute_of(source_, token, "id");
        if (token.kind == Token::Kind::text && !stack_.empty() && stack_.back().name == "data")
            content_.data[data_] += text::part(source_, token.content);
        if (token.kind == Token::Kind::start) {
            const bool kept = (!stack_.empty() && stack_.back().kept) ||
                              attribute_of(source_, token, "translate") == "no";
            const std::string space = attribute_of(source_, token, "xml:space");
            const bool preserve = space.empty() ? !stack_.empty() && stack_.back().preserve : space == "preserve";
            stack_.push_back({std::string(name), kept, preserve});
            const std::string_view parent = stack_.size() > 1 ? std::string_view(stack_[stack_.size() - 2].name) : "";
            if (parent == "trans-unit" || parent == "segment") start(token, name, kept);
            if (name == "xliff" && attribute_of(source_, token, "version").starts_with("2"))
                note_language(token, "trgLang");
            if (name == "file" && language_.attribute != "trgLang") note_language(token, "target-language");
        } else if (token.kind == Token::Kind::end) {
            if (name == "target" && in_target_) end_target(token);
            if (name == "trans-unit" || name == "segment") end_unit();
            stack_.pop_back();
        } else if (token.kind == Token::Kind::text && in_target_) {
            filled_ = filled_ || text::trim(source_, token.content).size() > 0;
        }
    }

    struct Language {
        std::string attribute;
        std::vector<Range> ends;  // places in tags that lack it
    };
    Units units;
    std::vector<Place> places;
    const std::set<std::size_t>& gaps() const { return content_.gaps; }
    const Language& language() const { return language_; }

private:
    struct Element {
        std::string name;
        bool kept = false, preserve = false;
    };
    void note_language(const Token& token, std::string attribute) {
        language_.attribute = std::move(attribute);
        if (!token.attribute(language_.attribute)) language_.ends.push_back({token.bytes.end - 1, token.bytes.end});
    }
    void start(const Token& token, std::string_view name, bool kept) {
        if (name == "source" && !token.self_closing && !kept) {
            content_.begin(token, stack_.back().preserve);
            tag_ = token.name.substr(0, token.name.size() - std::string_view("source").size()) + "target";
        } else if (name == "target") {
            in_target_ = true;
            target_ = token.bytes;
            filled_ = false;
        } else if (in_target_) {
            filled_ = true;
        }
    }
    void end_source(const Token& token) {
        stack_.pop_back();
        source_end_ = {token.bytes.end - 1, token.bytes.end};
        has_source_ = true;
    }
    void end_target(const Token& token) {
        in_target_ = false;
        target_.end = std::max(target_.end, token.bytes.end);
    }
    void end_unit() {
        if (has_source_ && !filled_) {
            const std::size_t known = units.units.size();
            const bool instead = target_.size() > 0;
            Place place{.bytes = instead ? target_ : source_end_,
                        .before = (instead ? "<" : "><") + tag_ + ">",
                        .after = "</" + tag_ + ">",
                        .content = content_.bytes()};
            const bool message = content_.add_message(source_, units, place.message);
            if (!message) content_.builder().finish(units);
            if (!message && units.units.size() > known) place.accelerator = take_accelerator(units, true);
            places.insert(places.end(), units.units.size() - known, place);
        }
        has_source_ = filled_ = false;
        target_ = {};
    }

    const std::string_view source_;
    Content content_;
    std::vector<Element> stack_;
    std::string data_;  // the name of the open one
    std::string tag_;
    Range target_{}, source_end_{};
    bool has_source_ = false, in_target_ = false, filled_ = false;
    Language language_;
};

class TmxReader {
public:
    TmxReader(std::string_view source, const Languages& languages)
        : source_(source), from_(text::primary_language(languages.source)),
          to_(text::primary_language(languages.target)), target_(languages.target) {}

    void take(const Token& token) {
        if (content_.reads()) {
            if (content_.take(source_, token)) has_source_ = true;
            return;
        }
        const std::string_view name = local_name(token.name);
        const auto attribute = [&](std::string_view key) { return attribute_of(source_, token, key); };
        if (token.kind == Token::Kind::start) begin(token, tmx_.begin(name, attribute));
        if (token.kind == Token::Kind::end) end(token, tmx_.of(name));
    }

    Units units;
    std::vector<Place> places;
    const std::set<std::size_t>& gaps() const { return content_.gaps; }

private:
    using In = text::TmxPlaces::Place;
    void begin(const Token& token, In place) {
        if (place == In::header && from_.empty()) from_ = text::primary_language(tmx_.source_language());
        if (place == In::variant) {
            const std::string language = text::primary_language(tmx_.language());
            has_target_ = has_target_ || language == to_;
            in_source_ = language == from_ && !has_source_;
        }
        if (place == In::segment && in_source_ && !token.self_closing) content_.begin(token);
    }
    void end(const Token& token, In place) {
        if (place == In::variant) {
            if (in_source_) end_ = {token.bytes.end - 1, token.bytes.end};
            in_source_ = false;
        }
        if (place == In::unit) end_unit();
    }
    void end_unit() {
        if (has_source_ && !has_target_) {
            const std::size_t known = units.units.size();
            content_.builder().finish(units);
            if (units.units.size() > known)
                places.push_back({end_, "><tuv xml:lang=\"" + escaped_target(target_) + "\"><seg>", "</seg></tuv>",
                                  content_.bytes(), take_accelerator(units, true)});
        }
        has_source_ = has_target_ = false;
    }

    const std::string_view source_;
    std::string from_;
    const std::string to_, target_;
    text::TmxPlaces tmx_;
    Content content_;
    Range end_{};
    bool in_source_ = false, has_source_ = false, has_target_ = false;
};

}  // namespace

PartPtr read_xliff(std::string source, const Languages& languages) {
    XliffReader reader(source);
    read_xml(source, "document", false, [&](const Token& token) { reader.take(token); });
    const XliffReader::Language language = reader.language();
    auto part = std::make_unique<BilingualPart>(std::move(source), std::move(reader.units), std::move(reader.places),
                                                reader.gaps());
    for (const Range& end : language.ends)
        if (!languages.target.empty())
            part->replace(end, " " + language.attribute + "=\"" + escaped_target(languages.target) + "\">");
    return part;
}

PartPtr read_tmx(std::string source, const Languages& languages) {
    if (languages.target.empty())
        fail(Status::invalid_argument, "TMX: expected a target language, which its segments are marked with, got none");
    TmxReader reader(source, languages);
    read_xml(source, "document", false, [&](const Token& token) { reader.take(token); });
    return std::make_unique<BilingualPart>(std::move(source), std::move(reader.units), std::move(reader.places),
                                           reader.gaps());
}

}  // namespace dragoman::documents
