// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/values.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "base/log.h"
#include "documents/strings/conversions.h"
#include "documents/strings/icu_message.h"
#include "documents/strings/inline_items.h"
#include "documents/strings/inline_tags.h"
#include "markup/elements.h"
#include "markup/entities.h"
#include "markup/unit_builder.h"
#include "text/amount.h"
#include "text/rows.h"

namespace dragoman::documents {
namespace {

using markup::Edit;
using Tag = InlineTag::Kind;

bool has_reference(std::string_view text) {
    for (std::size_t at = text.find('&'); at != std::string_view::npos; at = text.find('&', at + 1))
        if (const std::size_t size = markup::html_reference(text.substr(at), false).bytes; size > 0)
            if (text[at + size - 1] == ';') return true;
    return false;
}

// Bytes of a reference to a blank that does not break; 0: none begins the text.
std::size_t blank_reference(std::string_view text) {
    for (const std::string_view name : {"&nbsp;", "&#160;", "&#xA0;", "&#xa0;"})
        if (text.starts_with(name)) return name.size();
    return 0;
}

// Names that stay: ":count" of Laravel.
std::vector<Range> colon_names(std::string_view text) {
    std::vector<Range> found;
    for (std::size_t at = text.find(':'); at != std::string_view::npos; at = text.find(':', at + 1)) {
        std::size_t end = at + 1;
        while (end < text.size() && ((text[end] >= 'a' && text[end] <= 'z') || text[end] == '_')) ++end;
        const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '(';
        if (begins && end > at + 1) found.push_back({at, end});
    }
    return found;
}

// What messages of ICU have between apostrophes because of its braces: "'{Isn''t}'".
std::vector<Range> quoted_symbols(std::string_view text) {
    std::vector<Range> found;
    for (std::size_t at = text.find('\''); at != std::string_view::npos; at = text.find('\'', at)) {
        const bool quotes = at + 1 < text.size() && (text[at + 1] == '{' || text[at + 1] == '}');
        std::size_t end = quotes ? text.find('\'', at + 1) : at;
        while (quotes && end != text.npos && text.substr(end + 1).starts_with('\'')) end = text.find('\'', end + 2);
        if (end == text.npos) break;
        if (quotes) found.push_back({at, end + 1});
        at = end + 1;
    }
    return found;
}

// Reads one form or line after the other into units.
class ValueReader {
public:
    ValueReader(std::string_view text, Units& units, std::map<std::size_t, Accelerator>& accelerators)
        : text_(text), units_(units), accelerators_(accelerators), percent_(text.find("%%") != std::string_view::npos),
          references_(has_reference(text)),
          alternatives_(text.starts_with("{{#") || text.find("{{else") != std::string_view::npos) {
        builder_.join_elements();
    }

    void read(Range form, bool plural) {
        find(form, plural);
        std::size_t at = form.begin;
        for (const auto& [begin, item] : items_) {
            if (begin < at) continue;
            words({at, begin});
            at = item.tag ? put(*item.tag) : item.end;
            if (item.tag) continue;
            if (is_block_tag({begin, item.end})) finish();
            else builder_.kept({begin, item.end});
        }
        words({at, form.end});
        finish();
    }

private:
    static bool is_placeholder(std::string_view word) {
        const bool link = word.starts_with("@:") || word.starts_with("@.") || word.starts_with("$");
        return link || word.front() == '{' || word.starts_with("%{");
    }
    // Whether it divides a template's alternatives: "{{#if late}}", "{{else}}", "{% endif %}".
    bool is_block_tag(Range item) const {
        const std::string_view tag = text::part(text_, item);
        if (tag.starts_with("{%")) return true;
        const bool block = tag.starts_with("{{#") || tag.starts_with("{{/") || tag.starts_with("{{^") ||
                           tag.starts_with("{{else");
        return alternatives_ && block;
    }
    void find(Range form, bool plural) {
        const std::string_view own = text::part(text_, form);
        opened_.clear();
        items_ = inline_items(own, form.begin, false, is_placeholder, tags_);
        const auto add = [&](Range kept) {
            items_.try_emplace(kept.begin + form.begin, InlineItem{kept.end + form.begin});
        };
        for (const Range& name : colon_names(own)) add(name);
        for (const Range& quoted : quoted_symbols(own)) add(quoted);
        for (std::size_t at = own.find('#'); plural && at != std::string_view::npos; at = own.find('#', at + 1))
            add({at, at + 1});
    }

    std::size_t put(const InlineTag& tag) {
        const auto number = std::size_t(&tag - tags_.data());
        switch (tag.kind) {
            case Tag::divides: finish(); break;
            case Tag::point: builder_.point(tag.bytes, true); break;
            case Tag::word: builder_.kept(tag.bytes); break;
            case Tag::pair:
                if (!tag.closes && (tag.name == "code" || tag.name == "kbd" || tag.name == "samp")) {
                    const Range whole{tag.bytes.begin, tags_[tag.other].bytes.end};
                    builder_.kept(whole);
                    return whole.end;
                }
                if (!tag.closes)
                    opened_[number] = {builder_.number(), builder_.open(tag.bytes, markup::script_of(tag.name))};
                else if (const auto begun = opened_.find(tag.other); begun == opened_.end()) builder_.loose(tag.bytes);
                else
                    builder_.close(tag.bytes,
                                   begun->second.first == builder_.number() ? begun->second.second : markup::kNoMark);
        }
        return tag.bytes.end;
    }

    // Takes text; lines, fields and alternatives ("a | b") are units.
    void words(Range range) {
        std::size_t done = range.begin;
        const auto flush = [&](std::size_t end) {
            if (end > done) add({done, end}, {done, end});
            done = end;
        };
        if (const std::size_t end = ordinal_end(range.begin); end > range.begin && end <= range.end) {
            builder_.add("th", {range.begin, end});  // models know one ending best
            done = end;
        }
        for (std::size_t at = done, next = at; at < range.end; at = next) {
            next = at + 1;
            const char c = text_[at];
            if (c == ' ' && text::is_column_gap(text::part(text_, {0, range.end}), done, at)) {
                flush(at);
                finish();
                continue;
            }
            const bool bar = c == '|' && at > 0 && text_[at - 1] == ' ' && text_.substr(at + 1).starts_with(' ');
            if (c == '\t' || bar || (c == '\n' && !goes_on(at))) {
                flush(at);
                finish();
                done = at + 1;
            } else if (c == '\n') {
                flush(at);
                builder_.gap({at, at + 1});
                done = at + 1;
            } else if (const std::size_t blank = blank_reference(text_.substr(at)); blank > 0) {
                flush(at);
                builder_.gap({at, at + blank}, ' ');
                done = next = at + blank;
            } else if (percent_ && text_.substr(at, 2) == "%%") {
                flush(at);
                add({at, at + 2}, {at + 1, at + 2});
                done = next = at + 2;
            }
        }
        flush(range.end);
    }
    // The end of "st", "nd", "rd" behind a form's number.
    std::size_t ordinal_end(std::size_t at) const {
        const std::string_view ending = text_.substr(at, 2);
        const bool number = at > 0 && text_[at - 1] == '#' && items_.contains(at - 1);
        const bool known = ending == "st" || ending == "nd" || ending == "rd";
        return number && known && !text::is_letter(text::character_after(text_, at + 2)) ? at + 2 : at;
    }
    void add(Range bytes, Range content) {
        const markup::Token token{
            .kind = markup::Token::Kind::text, .bytes = bytes, .content = content, .references = references_};
        builder_.add_text(text_, token, [](std::string_view rest) { return markup::html_reference(rest, false); });
    }
    // Whether a sentence goes on in the next line.
    bool goes_on(std::size_t line_end) const {
        std::size_t before = line_end, after = line_end + 1;
        while (before > 0 && text_[before - 1] == ' ') --before;
        while (after < text_.size() && text_[after] == ' ') ++after;
        const std::size_t next = after;
        const int32_t left = text::previous_character(text_, before), right = text::next_character(text_, after);
        const bool words = (text::is_letter(left) || left == ',') && text::is_lower(right);
        return words && next < text_.size();
    }
    void finish() {
        const std::size_t known = units_.units.size();
        builder_.finish(units_);
        builder_.join_elements();
        if (units_.units.size() == known) return;
        if (Accelerator found = take_accelerator(units_, !references_); found.mark != 0)
            accelerators_.emplace(known, std::move(found));
    }

    const std::string_view text_;
    Units& units_;
    std::map<std::size_t, Accelerator>& accelerators_;  // by unit
    const bool percent_, references_, alternatives_;
    markup::UnitBuilder builder_;
    std::vector<InlineTag> tags_;
    std::map<std::size_t, InlineItem> items_;  // by their place
    std::map<std::size_t, std::pair<std::size_t, std::size_t>> opened_;  // a tag's unit, and its number there
};

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

// New text as the value writes it: references only where it has them, and "%%" for a percent sign.
std::string written(std::string text, std::string_view value) {
    const bool references = has_reference(value);
    if (value.find("&gt;") == value.npos) replace_all(text, "&gt;", ">");
    if (inline_tags(value).empty() && !references) replace_all(text, "&lt;", "<");
    if (!references) replace_all(text, "&amp;", "&");
    if (value.find("%%") != value.npos) replace_all(text, "%", "%%");
    return text;
}

void strip_lines(Edit& edit, std::string_view value) {
    std::set<std::size_t> gaps;
    for (const Edit::Piece& piece : edit.pieces)
        if (piece.copied) {
            const std::string_view copied = text::part(value, piece.range);
            if (copied == "\n" || (!copied.empty() && blank_reference(copied) == copied.size()))
                gaps.insert(piece.range.begin);
        }
    strip_beside(edit, gaps);
}

Edit renotated(const Edit& edit, std::string_view value) {
    Edit result{.bytes = edit.bytes};
    for (const Edit::Piece& piece : edit.pieces) {
        const std::size_t begin = result.text.size();
        if (!piece.copied) result.text += written(std::string(text::part(edit.text, piece.range)), value);
        result.pieces.push_back(piece.copied ? piece : Edit::Piece{false, {begin, result.text.size()}});
    }
    return result;
}

// Gives conversions that take the next argument their numbers, if the edits change their order. False: they cannot be
// numbered.
bool number_conversions(std::string_view value, Reordered how, std::vector<Edit>& edits) {
    std::map<std::size_t, std::pair<std::size_t, std::string>> numbers;  // by place: where it ends, with its number
    for (const Range& range : conversions(value)) {
        const std::string_view conversion = text::part(value, range);
        if (!takes_next(conversion)) continue;
        const Range whole = with_quotes(value, range);
        std::string number = numbered(conversion, numbers.size() + 1);
        if (!number.empty())
            number = std::string(value.substr(whole.begin, range.begin - whole.begin)) + number +
                     std::string(value.substr(range.end, whole.end - range.end));
        numbers[whole.begin] = {whole.end, std::move(number)};
    }
    std::ranges::sort(edits, {}, [](const Edit& edit) { return edit.bytes.begin; });
    std::vector<std::size_t> order;
    for (const Edit& edit : edits)
        for (const Edit::Piece& piece : edit.pieces)
            if (piece.copied && numbers.contains(piece.range.begin)) order.push_back(piece.range.begin);
    const std::set<std::size_t> written(order.begin(), order.end());
    if (std::ranges::is_sorted(order)) return true;
    if (how == Reordered::refused) return false;
    std::vector<Edit> more;
    for (const auto& [begin, number] : numbers) {
        if (number.second.empty()) return false;
        if (!written.contains(begin))
            more.push_back({{begin, number.first}, number.second, {{false, {0, number.second.size()}}}});
    }
    for (Edit& edit : edits)
        for (Edit::Piece& piece : edit.pieces) {
            const auto number = numbers.find(piece.range.begin);
            if (!piece.copied || number == numbers.end()) continue;
            piece = {false, {edit.text.size(), edit.text.size() + number->second.second.size()}};
            edit.text += number->second.second;
        }
    edits.insert(edits.end(), more.begin(), more.end());
    return true;
}

}  // namespace

bool add_value(Units& units, Value& value) {
    value.units = {units.units.size(), units.units.size()};
    if (!has_letter(value.text) && !text::is_written_amount(value.text)) return false;
    value.text = whole_forms(value.text);
    ValueReader reader(value.text, units, value.accelerators);
    const std::vector<IcuForm> forms = icu_forms(value.text);
    for (const IcuForm& form : forms) reader.read(form.text, form.plural);
    if (forms.empty()) reader.read({0, value.text.size()}, false);
    value.units.end = units.units.size();
    return value.units.size() > 0;
}

std::string translated(const Units& units, const Value& value, std::span<const Translation> translations) {
    std::vector<Edit> edits;
    for (std::size_t i = value.units.begin; i < value.units.end; ++i) {
        const Unit& unit = units.units[i];
        const std::string_view plain = text::part(units.text, unit.plain), target = translations[i].text;
        if (target == plain || text::trim(target, {0, target.size()}).size() == 0) continue;
        std::vector<Range> places = places_of(unit, plain, translations[i]);
        const auto marked = value.accelerators.find(i);
        const Accelerator accelerator = marked != value.accelerators.end() ? marked->second : Accelerator();
        const std::string text = with_accelerator(accelerator, target, unit, places);
        Edit edit = markup::edit(unit, text, places);
        strip_lines(edit, value.text);
        edits.push_back(renotated(edit, value.text));
    }
    if (edits.empty()) return value.text;
    if (!number_conversions(value.text, value.reordered, edits)) {
        log(LogLevel::warning, "document: the string at byte {} stays as it is: its placeholders would change places",
            value.bytes.begin);
        return value.text;
    }
    return markup::splice(value.text, std::move(edits));
}

markup::Edit ValuesPart::put(std::size_t value, std::string text) const {
    const std::size_t size = text.size();
    return {values_[value].bytes, std::move(text), {{false, {0, size}}}};
}

std::string ValuesPart::write(std::span<const Translation> translations) const {
    std::vector<Edit> edits;
    for (std::size_t v = 0; v < values_.size(); ++v)
        if (const std::string text = translated(units_, values_[v], translations); text != values_[v].text)
            edits.push_back(put(v, notation_(text)));
    if (edits.empty()) return source_;
    edits.insert(edits.end(), replaced_.begin(), replaced_.end());
    return markup::splice(source_, std::move(edits));
}

}  // namespace dragoman::documents
