// SPDX-License-Identifier: Apache-2.0
#include "documents/markdown/extensions.h"

#include <algorithm>

#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

constexpr std::size_t kLongest = 500;  // bytes of a mark in a line
constexpr char kFill = ';';  // punctuation, so that emphasis beside it still ends

bool is_label(char c) { return c != ']' && c != '[' && !markup::is_blank(c); }

class Rewriter {
public:
    Rewriter(std::string_view source, std::size_t begin) : source_(source), result_{std::string(source), {}} {
        for (std::size_t at = begin; at < source.size();) {
            const std::size_t end = std::min(source.find('\n', at), source.size());
            line({at, end});
            at = end + 1;
        }
    }
    PlainMarkdown result() { return std::move(result_); }

private:
    std::string_view rest(std::size_t at, text::Range line) const { return source_.substr(at, line.end - at); }

    // The first character behind blanks and the marks of quotations.
    std::size_t content_of(text::Range line) {
        std::size_t at = line.begin;
        quoted_ = false;
        for (; at < line.end && (markup::is_blank(source_[at]) || source_[at] == '>'); ++at)
            quoted_ = quoted_ || source_[at] == '>';
        return at;
    }

    void line(text::Range line) {
        const std::size_t at = content_of(line);
        const std::string_view content = rest(at, line);
        for (const std::string_view fence : {"```", "~~~"}) {
            if (!content.starts_with(fence)) continue;
            if (fence_.empty()) fence_ = fence;
            else if (fence_ == fence) fence_ = {};
            return;
        }
        if (!fence_.empty()) return;
        std::size_t behind = at;
        if (const std::size_t label = footnote_end(at, line); label > at && source_.substr(label).starts_with(':')) {
            begin_block({at, behind = label + 1}, "- ");
        } else if (const std::size_t alert = alert_end(at, line); alert > at) {
            begin_block({at, behind = alert}, "# ");
        } else if (content.starts_with(":::")) {
            return container(at, line);
        } else if (content.starts_with("!!! ") || content.starts_with("???") || content.starts_with("=== \"")) {
            return admonition(at, line);
        } else if (content.starts_with(": ") || content.starts_with(":\t")) {
            result_.text[at] = '-';  // a definition
        }
        inline_extensions({behind, line.end});
    }

    // The end of "[^label]".
    std::size_t footnote_end(std::size_t at, text::Range line) const {
        if (!rest(at, line).starts_with("[^")) return at;
        std::size_t end = at + 2;
        while (end < line.end && is_label(source_[end])) ++end;
        return end > at + 2 && end < line.end && source_[end] == ']' ? end + 1 : at;
    }
    // The end of "[!NOTE]", "[!tip]+".
    std::size_t alert_end(std::size_t at, text::Range line) const {
        if (!quoted_ || !rest(at, line).starts_with("[!")) return at;
        std::size_t end = at + 2;
        while (end < line.end && (markup::is_letter(source_[end]) || source_[end] == '-')) ++end;
        if (end == at + 2 || end == line.end || source_[end] != ']') return at;
        ++end;
        return end < line.end && (source_[end] == '+' || source_[end] == '-') ? end + 1 : end;
    }

    // ":::note Title", ":::note[Title]{.class}", "::: {.class}", ":::".
    void container(std::size_t at, text::Range line) {
        std::size_t end = at;
        while (end < line.end && source_[end] == ':') ++end;
        while (end < line.end && source_[end] == ' ') ++end;
        if (end < line.end && source_[end] == '{') {
            end = std::min(source_.find('}', end), line.end - 1) + 1;
        } else {
            while (end < line.end && (markup::is_letter(source_[end]) || source_[end] == '-' || source_[end] == '_'))
                ++end;
        }
        std::size_t title_end = line.end;
        if (end < line.end && source_[end] == '[') {
            title_end = std::min(source_.find(']', ++end), line.end);
        } else if (const std::size_t brace = rest(end, line).find('{'); brace != std::string_view::npos) {
            title_end = end + brace;
        }
        begin_block({at, end}, "# ");
        inline_extensions({end, title_end});
        keep({title_end, line.end});
    }

    // "!!! note "Title"": what follows is indented, as in an item of a list.
    void admonition(std::size_t at, text::Range line) {
        const std::size_t open = std::min(source_.find('"', at), line.end);
        const std::size_t close = open < line.end ? std::min(source_.find('"', open + 1), line.end) : line.end;
        const std::size_t begin = std::min(open + 1, line.end);
        begin_block({at, begin}, "- # ");
        if (close > begin) inline_extensions({begin, close});
        keep({close, line.end});
    }

    // Marks of footnotes, notes in a line, citations, attributes.
    void inline_extensions(text::Range range) {
        for (std::size_t at = range.begin; at < range.end; ++at) {
            const std::string_view own = rest(at, range).substr(0, kLongest);
            std::size_t end = footnote_end(at, {at, at + own.size()});
            if (own.starts_with("^[") || own.starts_with("[@") || own.starts_with("[-@"))
                end = own.find(']') == own.npos ? at : at + own.find(']') + 1;
            if (own.starts_with("{#") || own.starts_with("{.") || own.starts_with("{: "))
                if (const std::size_t brace = own.find('}'); brace != own.npos && own.find(' ') > 1)
                    end = at + brace + 1;
            const bool link = end < range.end && (source_[end] == '(' || source_[end] == '[') && own[0] == '[';
            if (end == at || source_[end - 1] == '\n' || link) continue;
            keep({at, end});
            at = end - 1;
        }
    }

    void keep(text::Range range) {
        if (range.size() == 0) return;
        if (source_[range.end - 1] == '\r') --range.end;
        std::fill(result_.text.begin() + std::ptrdiff_t(range.begin), result_.text.begin() + std::ptrdiff_t(range.end),
                  kFill);
        result_.kept.push_back(range);
    }
    void begin_block(text::Range range, std::string_view mark) {
        keep(range);
        if (range.size() > mark.size()) mark.copy(&result_.text[range.begin], mark.size());
        else std::fill_n(result_.text.begin() + std::ptrdiff_t(range.begin), range.size(), '*');  // a rule
    }

    const std::string_view source_;
    PlainMarkdown result_;
    std::string_view fence_;  // that closes the open block of code; empty: none is open
    bool quoted_ = false;
};

}  // namespace

PlainMarkdown without_extensions(std::string_view source, std::size_t begin) {
    return Rewriter(source, begin).result();
}

}  // namespace dragoman::documents
