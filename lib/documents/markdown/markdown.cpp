// SPDX-License-Identifier: Apache-2.0
// Markdown (CommonMark with tables and usual extensions). md4c says what is text and which spans are around it; where a
// span's marks stand follows from the bytes between two texts.
#include <md4c.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "base/error.h"
#include "documents/markdown/asides.h"
#include "documents/markdown/extensions.h"
#include "documents/markdown/part.h"
#include "documents/readers.h"
#include "documents/strings/inline_tags.h"
#include "markup/ascii.h"
#include "markup/elements.h"
#include "markup/entities.h"
#include "markup/languages.h"
#include "markup/unit_builder.h"

namespace dragoman::documents {
namespace {

using markup::Token;
using markup::UnitBuilder;

class Reader {
public:
    Reader(std::string_view source, std::string_view language) : source_(source), language_(language) {}

    void read(std::size_t begin) {
        place_ = begin;
        MD_PARSER parser{};
        parser.flags = MD_FLAG_TABLES | MD_FLAG_STRIKETHROUGH | MD_FLAG_TASKLISTS | MD_FLAG_LATEXMATHSPANS;
        parser.enter_block = [](MD_BLOCKTYPE type, void*, void* self) { return of(self).enter_block(type); };
        parser.leave_block = [](MD_BLOCKTYPE type, void*, void* self) { return of(self).leave_block(type); };
        parser.enter_span = [](MD_SPANTYPE type, void*, void* self) { return of(self).span(type, true); };
        parser.leave_span = [](MD_SPANTYPE type, void*, void* self) { return of(self).span(type, false); };
        parser.text = [](MD_TEXTTYPE type, const char* text, MD_SIZE size, void* self) {
            return of(self).text(type, text, size);
        };
        plain_ = without_extensions(source_, begin);
        const std::string_view document = std::string_view(plain_.text).substr(begin);
        if (md_parse(document.data(), MD_SIZE(document.size()), &parser, this) != 0)
            fail(Status::out_of_memory, "Markdown: no memory for {} bytes", document.size());
        add_definitions();
    }

    Units units;
    MarkdownUnits kinds;

private:
    struct Event {
        MD_SPANTYPE type = MD_SPAN_EM;
        bool opens = true;
    };
    struct Pair {
        std::string name;
        std::size_t depth = 0, number = 0;  // open spans; in the unit
    };
    struct Open {
        MD_SPANTYPE type = MD_SPAN_EM;
        std::size_t number = 0;
        std::size_t begin = 0;  // of the opening mark
        bool kept = false;  // all of it is a point
    };
    static Reader& of(void* self) { return *static_cast<Reader*>(self); }

    int enter_block(MD_BLOCKTYPE type) {
        finish(source_.size());
        kept_block_ = type == MD_BLOCK_CODE || type == MD_BLOCK_HTML;
        html_block_ = {};
        return 0;
    }
    int leave_block(MD_BLOCKTYPE type) {
        if (type == MD_BLOCK_HTML) add_html(html_block_);
        finish(source_.size());
        kept_block_ = false;
        return 0;
    }
    int span(MD_SPANTYPE type, bool opens) {
        waiting_.push_back({type, opens});
        return 0;
    }

    int text(MD_TEXTTYPE type, const char* given, MD_SIZE size) {
        if (kept_block_ && type == MD_TEXT_HTML) take_html(given, size);
        if (kept_block_) {
            const std::size_t place = std::size_t(given - plain_.text.data());
            if (given >= plain_.text.data() && place < source_.size()) kept_lines_[place] = place + size;
            return 0;
        }
        if (type == MD_TEXT_SOFTBR || type == MD_TEXT_BR) {
            break_ = break_ == MD_TEXT_BR ? MD_TEXT_BR : type;
            return 0;
        }
        const char* const document = plain_.text.data();
        if (given < document || given + size > document + source_.size()) {
            lost_ = lost_ || (type != MD_TEXT_CODE && type != MD_TEXT_LATEXMATH);  // a blank for a line break
            return 0;
        }
        const auto begin = std::size_t(given - document);
        if (!begun_) {
            begun_ = true;
            place_ = begin - marks_before(begin);
        }
        take_marks(begin);
        const bool hidden = std::ranges::any_of(open_, [](const Open& one) { return one.kept; });
        const Range content{begin, begin + size};
        if (!hidden && type == MD_TEXT_HTML) {
            tag(content);
        } else if (!hidden && html_kept_.empty()) {
            add_text(content, type == MD_TEXT_ENTITY);
        }
        place_ = content.end;
        return 0;
    }
    // A tag of HTML in a line.
    void tag(Range bytes) {
        const std::string_view own = text::part(source_, bytes);
        const std::vector<InlineTag> tags = inline_tags(own);
        const std::string name = tags.empty() ? std::string() : tags.front().name;
        const bool closes = own.starts_with("</");
        if (!html_kept_.empty()) {
            if (!closes || name != html_kept_) return;
            html_kept_.clear();
            return builder_.kept({kept_begin_, bytes.end}, /*code=*/true);
        }
        const markup::ElementRole role = markup::html_role(name);
        if (!closes && own.find('=') != own.npos) add_html(bytes);  // its attributes may be texts
        if (name == "br") {
            kinds.gaps.insert(bytes.begin);
            builder_.gap(bytes);
        } else if (!tags.empty() && tags.front().kind == InlineTag::Kind::divides) {
            kinds.gaps.insert(bytes.begin);
            builder_.gap(bytes, '\t');
        } else if (name.empty() || role.place != markup::Place::in_line || role.empty || own.ends_with("/>")) {
            builder_.point(bytes, role.empty && role.seen);
        } else if (!closes && role.kept) {
            html_kept_ = name;
            kept_begin_ = bytes.begin;
        } else if (!closes) {
            open_pair(name, bytes, markup::script_of(name));
        } else {
            close_pair(name, bytes);
        }
    }
    void open_pair(std::string_view name, Range bytes, markup::Script script = markup::Script::none) {
        pairs_.push_back({std::string(name), open_.size(), builder_.open(bytes, script)});
    }
    void close_pair(std::string_view name, Range bytes) {
        if (pairs_.empty() || pairs_.back().name != name || pairs_.back().depth != open_.size())
            return builder_.point(bytes, false);
        builder_.close(bytes, pairs_.back().number);
        pairs_.pop_back();
    }
    // Pairs that are not closed where a span or the block ends.
    void end_pairs(std::size_t depth) {
        for (; !pairs_.empty() && pairs_.back().depth >= depth; pairs_.pop_back())
            builder_.ends_untold(pairs_.back().number);
    }
    // Lines of a block of HTML follow each other, or the block is in a quotation, whose marks stand between them.
    void take_html(const char* given, std::size_t size) {
        const char* const document = plain_.text.data();
        if (given < document || given + size > document + source_.size()) return;  // a line's end
        const auto begin = std::size_t(given - document);
        const bool first = html_block_.size() == 0;
        const std::size_t last = first ? begin : html_block_.end;
        const std::string_view between = source_.substr(last, begin - std::min(last, begin));
        lost_ = lost_ || begin < last || between.find_first_not_of(" \t\r\n") != std::string_view::npos;
        html_block_ = {first ? begin : html_block_.begin, begin + size};
    }
    // Tags, and what stands between them; instructions and sections stay.
    void add_html(Range bytes) {
        const std::string_view block = text::part(source_, bytes);
        const char kind = block.size() > 1 && block[0] == '<' ? block[1] : '?';
        if (lost_ || !(markup::is_letter(kind) || kind == '/' || block.starts_with("<!--"))) return;
        Units own = markup::html_units(block, language_, markup::Literals::named);
        const auto move = [&](Range& range) {
            if (range.size() > 0) range = {range.begin + bytes.begin, range.end + bytes.begin};
        };
        for (Unit& unit : own.units) {
            move(unit.bytes);
            for (markup::Mark& mark : unit.marks) {
                move(mark.open);
                move(mark.close);
            }
            const std::string_view plain = text::part(own.text, unit.plain);
            unit.plain = {units.text.size(), units.text.size() + plain.size()};
            units.text.append(plain).append("\n\n");
            kinds.html.insert(units.units.size());
            units.units.push_back(std::move(unit));
        }
        for (Range language : own.languages.languages) {
            move(language);
            if (language.size() > 0) units.languages.languages.push_back(language);
        }
    }
    void add_text(Range content, bool references) {
        const auto add = [&](Range text) {
            if (text.size() == 0) return;
            const Token token{.kind = Token::Kind::text,
                              .bytes = {std::min(place_, text.begin), text.end},
                              .content = text,
                              .references = references};
            builder_.add_text(source_, token, [](std::string_view at) { return markup::html_reference(at, false); });
            place_ = text.end;
        };
        auto kept = std::ranges::upper_bound(plain_.kept, content.begin, {},
                                             [](const KeptMarkdown& one) { return one.range.end; });
        for (; kept != plain_.kept.end() && kept->range.begin < content.end; ++kept) {
            const Range own{std::max(kept->range.begin, content.begin), std::min(kept->range.end, content.end)};
            add({content.begin, own.begin});
            switch (own == kept->range ? kept->as : KeptMarkdown::As::point) {
                case KeptMarkdown::As::point:
                    asides_.push_back(inline_note(source_, own));
                    builder_.point(own, true);
                    break;
                case KeptMarkdown::As::word: builder_.kept(own); break;
                case KeptMarkdown::As::opens: open_pair("=", own); break;
                case KeptMarkdown::As::closes: close_pair("=", own);
            }
            content.begin = place_ = own.end;
        }
        add(content);
    }

    // Bytes of the marks of spans that begin before a block's first text.
    std::size_t marks_before(std::size_t begin) const {
        std::size_t size = 0;
        for (auto event = waiting_.rbegin(); event != waiting_.rend(); ++event) {
            if (event->type == MD_SPAN_CODE || event->type == MD_SPAN_DEL) {
                const char mark = event->type == MD_SPAN_CODE ? '`' : '~';
                if (event->type == MD_SPAN_CODE && size < begin && source_[begin - size - 1] == ' ') ++size;
                while (size < begin && source_[begin - size - 1] == mark) ++size;
            } else {
                const bool two = event->type == MD_SPAN_STRONG || event->type == MD_SPAN_IMG ||
                                 event->type == MD_SPAN_LATEXMATH_DISPLAY;
                size += two ? 2 : 1;
            }
        }
        if (size < begin && waiting_.empty() && source_[begin - 1] == '\\') ++size;
        return std::min(size, begin);
    }

    static bool is_formula(MD_SPANTYPE type) { return type == MD_SPAN_LATEXMATH || type == MD_SPAN_LATEXMATH_DISPLAY; }

    // The end of the mark of a span that opens or closes at a place.
    std::size_t mark_end(const Event& event, std::size_t at) const {
        const auto past = [&](char c, std::size_t from) {
            while (from < source_.size() && source_[from] == c) ++from;
            return from;
        };
        switch (event.type) {
            case MD_SPAN_EM: return at + 1;
            case MD_SPAN_LATEXMATH: return at + 1;
            case MD_SPAN_LATEXMATH_DISPLAY:
            case MD_SPAN_STRONG: return at + 2;
            case MD_SPAN_DEL: return std::min(past('~', at), at + 2);
            case MD_SPAN_CODE: return event.opens ? past('`', at) : past('`', past(' ', at));
            case MD_SPAN_IMG: return event.opens ? at + 2 : link_end(source_, at);
            case MD_SPAN_A:
                if (event.opens) return at + 1;
                return at < source_.size() && source_[at] == '>' ? at + 1 : link_end(source_, at);
            default: return at;
        }
    }

    // Takes the marks between two texts, or after the last one (`until` is the document's end then).
    void take_marks(std::size_t until) {
        const bool last = until == source_.size();
        if (break_ != MD_TEXT_NORMAL && waiting_.empty()) take_break(until);
        for (const Event& event : waiting_) {
            std::size_t begin = place_;
            if (break_ != MD_TEXT_NORMAL && event.opens) {  // there are marks after the break
                begin = until - std::min(until, marks_before(until));
                take_break(begin);
            }
            const std::size_t end = std::min(mark_end(event, begin), until);
            if (event.opens) open({event.type, 0, begin}, end);
            else close(event.type, {begin, end});
            place_ = end;
        }
        waiting_.clear();
        if (break_ != MD_TEXT_NORMAL) take_break(until);
        if (last) return;
        const bool escape = place_ + 1 == until && source_[place_] == '\\';
        const bool code = !open_.empty() && (open_.back().type == MD_SPAN_CODE || is_formula(open_.back().type));
        lost_ = lost_ || (place_ != until && !escape && !code);
        if (!escape) place_ = until;
    }
    // Takes a line's end, and the marks at the beginning of the next line.
    void take_break(std::size_t until) {
        lost_ = lost_ || !html_kept_.empty();
        if (break_ == MD_TEXT_BR) {
            kinds.gaps.insert(place_);
            builder_.gap({place_, until});
        } else {
            builder_.blank();
        }
        break_ = MD_TEXT_NORMAL;
        place_ = until;
    }

    void open(Open one, std::size_t end) {
        lost_ = lost_ || !html_kept_.empty();
        one.kept = one.type == MD_SPAN_CODE || one.type == MD_SPAN_IMG || is_formula(one.type) ||
                   source_[one.begin] == '<';
        const bool lowered = one.type == MD_SPAN_DEL && end - one.begin == 1;  // "H~2~O"
        if (!one.kept && !hidden())
            one.number = builder_.open({one.begin, end}, lowered ? markup::Script::lowered : markup::Script::none);
        open_.push_back(one);
    }
    void close(MD_SPANTYPE type, Range mark) {
        if (open_.empty() || open_.back().type != type) {
            lost_ = true;
            return;
        }
        const Open one = open_.back();
        end_pairs(open_.size());
        open_.pop_back();
        if (hidden()) return;
        const bool picture = one.type == MD_SPAN_IMG;
        const Range opening{one.begin, one.begin + (picture ? 2 : 1)};
        if (picture) asides_.push_back(picture_text(source_, opening, mark));
        else if (one.type == MD_SPAN_A && !one.kept) note_label(opening, mark);
        if (picture || one.type == MD_SPAN_A) asides_.push_back(link_title(source_, mark));
        if (one.kept && picture) builder_.point({one.begin, mark.end}, true);
        else if (one.kept) builder_.kept({one.begin, mark.end}, /*code=*/true);
        else builder_.close(mark, one.number);
    }
    // A link whose text is its name keeps the name when the text becomes another.
    void note_label(Range opening, Range closing) {
        if (std::string label = own_label(source_, opening, closing); !label.empty())
            kinds.labels[closing.begin] = {opening.begin, closing, std::move(label)};
    }
    // Adds the texts beside a block's own, in pictures and titles.
    void add_asides() {
        for (MarkdownAside& aside : asides_) {
            if (!has_letter(aside.plain)) continue;
            kinds.asides[units.units.size()] = {aside.quote, std::move(aside.label)};
            add_unit(units, aside.bytes, aside.plain);
        }
        asides_.clear();
    }
    // Titles of links that are named elsewhere. What md4c has found to be another text is none.
    void add_definitions() {
        std::map<std::size_t, std::size_t> known = std::move(kept_lines_);  // where texts begin and end
        for (const Unit& unit : units.units) known[unit.bytes.begin] = unit.bytes.end;
        std::size_t last = 0;
        for (auto& [begin, end] : known) end = last = std::max(end, last);
        for (const Range& line : plain_.definitions) {
            const auto behind = known.lower_bound(line.end);
            if (behind == known.begin() || std::prev(behind)->second <= line.begin)
                asides_.push_back(definition_title(source_, line));
        }
        add_asides();
    }
    bool hidden() const {
        return std::ranges::any_of(open_, [](const Open& one) { return one.kept; });
    }

    void finish(std::size_t until) {
        if (begun_) take_marks(until);
        lost_ = lost_ || !html_kept_.empty();
        html_kept_.clear();
        end_pairs(0);
        Units block;
        builder_.finish(block);
        if (!lost_ && !block.units.empty()) {
            const std::string_view text = text::part(block.text, block.units.front().plain);
            add_unit(units, block.units.front().bytes, text);
            units.units.back().marks = std::move(block.units.front().marks);
            units.units.back().in_order = block.units.front().in_order;
        }
        if (lost_) asides_.clear();
        add_asides();
        builder_.join_elements();
        waiting_.clear();
        open_.clear();
        break_ = MD_TEXT_NORMAL;
        begun_ = lost_ = false;
    }

    const std::string_view source_, language_;
    PlainMarkdown plain_;
    UnitBuilder builder_;
    std::vector<Event> waiting_;  // since the last text
    std::vector<Open> open_;
    std::vector<MarkdownAside> asides_;  // of the block
    std::vector<Pair> pairs_;  // open tags of HTML, and marks of extensions
    std::string html_kept_;  // the open tag whose content stays
    std::size_t kept_begin_ = 0;
    MD_TEXTTYPE break_ = MD_TEXT_NORMAL;  // a line break since the last text
    std::size_t place_ = 0;  // everything before it has been read
    bool begun_ = false;  // the block has had a text
    bool lost_ = false;  // something was not found in its place: the block stays unchanged
    bool kept_block_ = false;
    std::map<std::size_t, std::size_t> kept_lines_;  // of blocks of code and HTML: where they begin and end
    Range html_block_{};
};

// The place after the settings between two lines of "---" or "+++" with which many programs begin pages.
std::size_t behind_front_matter(std::string_view source) {
    for (const std::string_view fence : {"---", "+++"}) {
        if (!source.starts_with(fence) || source.find_first_of("\r\n") != 3) continue;
        for (std::size_t at = source.find('\n'); at < source.size(); at = source.find('\n', at + 1)) {
            const std::string_view line = source.substr(at + 1, source.find('\n', at + 1) - at - 1);
            if (line == fence || line == std::string(fence) + "\r") return at + 1 + line.size();
        }
    }
    return source.starts_with("\xEF\xBB\xBF") ? 3 : 0;
}

}  // namespace

PartPtr read_markdown(std::string source, const Languages& languages) {
    Reader reader(source, languages.source);
    reader.read(behind_front_matter(source));
    std::vector<markup::Edit> edits = markup::language_edits(source, reader.units.languages, languages.target);
    auto part = markdown_part(std::move(source), std::move(reader.units), std::move(reader.kinds));
    part->replace(std::move(edits));
    return part;
}

}  // namespace dragoman::documents
