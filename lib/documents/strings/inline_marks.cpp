// SPDX-License-Identifier: Apache-2.0
#include "documents/strings/inline_marks.h"

#include <algorithm>
#include <map>

#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

using text::Range;
using MarkKind = InlineTag::Kind;

constexpr std::size_t kMostMarks = 128, kLongestName = 256;  // bytes

bool is_mark_word(char c) { return markup::is_letter(c) || (c >= '0' && c <= '9') || (c & 0x80) != 0 || c == '_'; }

class MarkFinder {
public:
    MarkFinder(std::string_view text, std::vector<InlineTag>& tags) : text_(text), tags_(tags) {}

    void find() {
        const std::size_t most = tags_.size() + kMostMarks;
        for (std::size_t at = 0; at < text_.size() && tags_.size() < most;) {
            const auto close = closes_.find(at);
            const std::size_t end = close != closes_.end() ? close->second : mark_end(at);
            at = std::max(end, at + 1);
        }
    }

private:
    char at(std::size_t place) const { return place < text_.size() ? text_[place] : ' '; }
    char before(std::size_t place) const { return place > 0 ? text_[place - 1] : ' '; }
    // The place of a mark in the same line; npos: there is none near.
    std::size_t next(std::string_view mark, std::size_t from) const {
        const std::size_t place = text_.substr(0, std::min(text_.size(), from + kLongestName)).find(mark, from);
        const bool same_line = place != text_.npos && text_.substr(from, place - from).find('\n') == text_.npos;
        return same_line ? place : text_.npos;
    }

    // The end of a mark that begins here; `at`: none does. Of a pair around words: where these begin.
    std::size_t mark_end(std::size_t at) {
        switch (text_[at]) {
            case '*': return stars(at);
            case '[': return text_.substr(at).starts_with("[[") ? wiki_link(at) : link(at);
            case '`': return target(at, at);
            case ':': return role(at);
            case '|': return substitution(at);
            case '<': return template_tag(at);
            case '$': return variable(at);
            default: return at;
        }
    }
    std::size_t stars(std::size_t at) {
        const std::string_view mark = text_.substr(at).starts_with("**") ? "**" : "*";
        const std::size_t begin = at + mark.size();
        const bool opens = !is_mark_word(before(at)) && before(at) != '*' && !markup::is_blank(this->at(begin)) &&
                           this->at(begin) != '*';
        if (!opens) {
            if (begin == text_.size() && mark == "*" && at > 0) return point({at, begin});  // "Name*"
            return std::max(text_.find_first_not_of('*', at), begin);
        }
        for (std::size_t close = next(mark, begin + 1); close != text_.npos; close = next(mark, close + mark.size())) {
            if (closes_.contains(close)) continue;
            const char behind = this->at(close + mark.size());
            if (markup::is_blank(text_[close - 1]) || text_[close - 1] == '*' || behind == '*' || is_mark_word(behind))
                continue;
            return pair({at, begin}, {close, close + mark.size()}, "*");
        }
        return at == 0 && mark == "*" ? point({at, begin}) : begin;  // "*required"
    }
    // "$NAME$" of browsers' extensions.
    std::size_t variable(std::size_t at) {
        std::size_t end = at + 1;
        while (is_mark_word(this->at(end))) ++end;
        const bool named = this->at(end) == '$' && end > at + 1 && !is_mark_word(before(at)) &&
                           !is_mark_word(this->at(end + 1));
        return named ? word({at, end + 1}) : at;
    }
    // "<%= name %>" of templates.
    std::size_t template_tag(std::size_t at) {
        const std::size_t close = text_.substr(at).starts_with("<%") ? next("%>", at + 2) : text_.npos;
        return close == text_.npos ? at : word({at, close + 2});
    }
    std::size_t link(std::size_t at) {
        const std::size_t close = next("]", at + 1);
        if (close == text_.npos || close == at + 1) return at;
        const std::string_view words = text_.substr(at + 1, close - at - 1);
        const bool note = this->at(close + 1) == '_' && !is_mark_word(this->at(close + 2)) &&
                          words.find(' ') == words.npos;
        if (note) return word({at, close + 2});  // "[1]_"
        if (this->at(close + 1) != '(' || words.find('[') != words.npos || before(at) == '!') return at;
        const std::size_t end = next(")", close + 2);
        if (end == text_.npos) return at;
        const std::string_view address = text_.substr(close + 2, end - close - 2);
        const bool addressed = address.find_first_of("/#.{%$:@") != address.npos && address.find(' ') == address.npos;
        return addressed ? pair({at, at + 1}, {close, end + 1}, "a") : at;
    }
    // "[[name]]", "[[page|words]]".
    std::size_t wiki_link(std::size_t at) {
        const std::size_t close = next("]]", at + 2);
        if (close == text_.npos || close == at + 2) return at;
        const std::string_view inside = text_.substr(at + 2, close - at - 2);
        const std::size_t bar = inside.rfind('|');
        if (inside.find_first_of("[]") != inside.npos) return at;
        if (bar == inside.npos || bar + 1 == inside.size()) return word({at, close + 2});
        return pair({at, at + bar + 3}, {close, close + 2}, "a");
    }
    // "`words <address>`_" whose backtick is at `tick`, and with a role before it: ":doc:`words <page>`".
    std::size_t target(std::size_t begin, std::size_t tick) {
        const bool role = begin < tick;
        if (at(tick + 1) == '`' || (!role && before(tick) == '`')) {  // code
            const std::size_t code_end = role ? text_.npos : next("``", tick + 2);
            return code_end == text_.npos ? tick + 2 : code_end + 2;
        }
        const std::size_t close = next("`", tick + 1);
        if (close == text_.npos || close == tick + 1) return begin;
        const std::size_t end = close + 1 + std::size_t(at(close + 1) == '_') + std::size_t(at(close + 2) == '_');
        const std::string_view inside = text_.substr(tick + 1, close - tick - 1);
        const std::size_t address = inside.rfind(" <");
        const bool named = address != inside.npos && address > 0 && inside.ends_with('>');
        if (named && (role || end > close + 1))
            return pair({begin, tick + 1}, {tick + 1 + address, role ? close + 1 : end}, "a");
        return role ? word({begin, close + 1}) : close + 1;  // code
    }
    // ":role:`", or the second one of two before a block of code.
    std::size_t role(std::size_t at) {
        const bool last = at > 0 && text_.substr(at).starts_with("::") &&
                          (at + 2 == text_.size() || this->at(at + 2) == '\n');
        if (last && !markup::is_blank(before(at)) && before(at) != ':') return point({at + 1, at + 2});  // "Example::"
        std::size_t end = at + 1;
        while (end < text_.size() && (markup::is_letter(text_[end]) || text_[end] == '-' || text_[end] == ':')) ++end;
        const bool named = end > at + 2 && text_[end - 1] == ':' && this->at(end) == '`' && !is_mark_word(before(at));
        return named ? target(at, end) : at;
    }
    std::size_t substitution(std::size_t at) {
        const std::size_t close = next("|", at + 1);
        if (close == text_.npos || is_mark_word(before(at)) || is_mark_word(this->at(close + 1))) return at;
        const std::string_view name = text_.substr(at + 1, close - at - 1);
        const bool named = !name.empty() &&
                           std::ranges::all_of(name, [](char c) { return is_mark_word(c) || c == '-' || c == '.'; });
        return named ? word({at, close + 1}) : at;
    }

    std::size_t point(Range bytes) {
        tags_.push_back({.kind = MarkKind::point, .bytes = bytes});
        return bytes.end;
    }
    std::size_t word(Range bytes) {
        tags_.push_back({.kind = MarkKind::word, .bytes = bytes});
        return bytes.end;
    }
    std::size_t pair(Range open, Range close, std::string_view name) {
        const auto is_inside = [&](const InlineTag& tag) {
            return tag.bytes.begin >= open.end && tag.bytes.end <= close.begin;
        };
        for (const InlineTag& tag : tags_)
            if (tag.kind == MarkKind::pair && is_inside(tag) != is_inside(tags_[tag.other])) return open.end;
        closes_[close.begin] = close.end;
        const std::size_t first = tags_.size();
        tags_.push_back({.kind = MarkKind::pair, .bytes = open, .name = std::string(name), .other = first + 1});
        tags_.push_back(
            {.kind = MarkKind::pair, .bytes = close, .name = std::string(name), .closes = true, .other = first});
        return open.end;
    }

    const std::string_view text_;
    std::vector<InlineTag>& tags_;
    std::map<std::size_t, std::size_t> closes_;  // marks behind words: where they begin and end
};

}  // namespace

void add_inline_marks(std::string_view text, std::vector<InlineTag>& tags) { MarkFinder(text, tags).find(); }

}  // namespace dragoman::documents
