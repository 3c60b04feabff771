// SPDX-License-Identifier: Apache-2.0
#include "documents/markdown/extensions.h"

#include <algorithm>
#include <array>
#include <set>

#include "markup/ascii.h"

namespace dragoman::documents {
namespace {

constexpr std::size_t kLongestMark = 500;  // bytes of a mark in a line
constexpr std::array<std::string_view, 8> kExported{"const ", "default ", "function ", "let ",
                                                    "var ",   "async ",   "class ",    "{"};
constexpr char kFill = ';';  // punctuation, so that emphasis beside it still ends

bool is_label(char c) { return c != ']' && c != '[' && !markup::is_blank(c); }

using As = KeptMarkdown::As;

class Rewriter {
public:
    Rewriter(std::string_view source, std::size_t begin) : source_(source), result_{std::string(source), {}, {}} {
        find_names(begin);
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
        const bool empty = content.find_first_not_of(" \t\r") == content.npos;
        in_program_ = !empty && (in_program_ || (at == line.begin && is_statement(content)));
        if (in_program_ || is_template(content)) return begin_block({at, line.end}, "");
        std::size_t behind = at;
        if (const std::size_t label = footnote_end(at, line); label > at && source_.substr(label).starts_with(':')) {
            begin_block({at, behind = label + 1}, "- ");
        } else if (const std::size_t alert = alert_end(at, line); alert > at) {
            begin_block({at, behind = alert}, "# ");
        } else if (const std::size_t abbreviation = abbreviation_end(content); abbreviation > 0) {
            begin_block({at, behind = at + abbreviation}, "- ");
        } else if (content.starts_with(":::")) {
            return container(at, line);
        } else if (content.starts_with("!!! ") || content.starts_with("???") || content.starts_with("=== \"")) {
            return admonition(at, line);
        } else if (content.starts_with(": ") || content.starts_with(":\t") ||
                   (content.starts_with("~ ") && at > line.begin) || content.starts_with("~   ")) {
            result_.text[at] = '-';  // a definition
        } else if (content.starts_with('[') && content.find("]:") != content.npos) {
            add_definition({at, line.end});
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
    // Bytes of "*[HTML]:".
    static std::size_t abbreviation_end(std::string_view content) {
        if (!content.starts_with("*[")) return 0;
        std::size_t end = 2;
        while (end < content.size() && (is_label(content[end]) || content[end] == ' ')) ++end;
        return end > 2 && content.substr(end).starts_with("]: ") ? end + 2 : 0;
    }
    // Whether a line has nothing but tags of a template: "{% endif %}", "{{< note >}}"; is a comment, "%% a note %%"; or
    // stands for the contents, "[TOC]".
    static bool is_template(std::string_view content) {
        const std::size_t last = content.find_last_not_of(" \t\r");
        const std::string small = markup::lower(content.substr(0, last + 1));
        if (small == "[toc]" || small == "[[toc]]" || small == "[[_toc_]]") return true;
        if (content.starts_with("%%") && last > 3 && last != content.npos && content.substr(last - 1).starts_with("%%"))
            return true;
        std::size_t at = 0, tags = 0;
        while (at < content.size()) {
            if (markup::is_blank(content[at])) {
                ++at;
                continue;
            }
            const std::string_view rest = content.substr(at);
            const std::string_view close = rest.starts_with("{%") ? "%}" : rest.starts_with("{{") ? "}}" : "";
            const std::size_t end = close.empty() ? rest.npos : rest.find(close, 2);
            if (end == rest.npos) return false;
            at += end + 2;
            ++tags;
        }
        return tags > 0;
    }

    // Whether a line begins a program's statement: "import X from 'x'", "import {", "export const x = 1".
    static bool is_statement(std::string_view content) {
        while (content.ends_with('\r') || content.ends_with(' ')) content.remove_suffix(1);
        if (content.starts_with("export "))
            return std::ranges::any_of(kExported,
                                       [&](std::string_view what) { return content.substr(7).starts_with(what); });
        if (!content.starts_with("import ") || content.size() < 9) return false;
        const std::string_view rest = content.substr(7);
        if (rest == "{" || rest.front() == '"' || rest.front() == '\'') return true;
        const std::size_t from = rest.find(" from ");
        const std::string_view names = rest.substr(0, from);
        const std::string_view file = rest.substr(std::min(from, rest.size() - 6) + 6);
        const bool quoted = file.starts_with('"') || file.starts_with('\'');
        return from != rest.npos && quoted &&
               (names.find(' ') == names.npos || names.find_first_of("{*") != names.npos);
    }
    // A title may stand in the next line.
    void add_definition(text::Range line) {
        const std::size_t next = source_.find_first_not_of(" \t\r\n", line.end);
        const bool title = next != source_.npos && std::string_view("\"'(").find(source_[next]) != source_.npos &&
                           std::ranges::count(source_.substr(line.end, next - line.end), '\n') == 1;
        if (title) result_.definitions.push_back({line.begin, std::min(source_.find('\n', next), source_.size())});
        else result_.definitions.push_back(line);
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

    // Keeps "[[page]]" or "![[picture]]", or the marks of "[[page|text]]". Returns its end.
    std::size_t wiki_link(std::size_t at, std::string_view own) {
        const std::size_t begin = own.starts_with('!') ? 3 : 2, close = own.find("]]");
        const std::string_view inside = own.substr(begin, close - std::min(close, begin));
        const std::string_view behind = own.substr(std::min(close, own.size() - 2) + 2);
        if (behind.starts_with('(') || behind.starts_with('[')) return at;  // a link whose text is in brackets
        if (close == own.npos || close == begin || inside.find_first_of("[]\n`") != inside.npos) return at;
        const std::size_t bar = inside.rfind('|');
        if (bar == inside.npos || bar + 1 == inside.size() || begin == 3) {
            keep({at, at + close + 2}, As::word);
        } else {
            keep({at, at + begin + bar + 1}, As::opens);
            keep({at + close, at + close + 2}, As::closes);
        }
        return at + close + 2;
    }
    // Keeps the marks of "==text==". Returns where the text begins.
    std::size_t marked(std::size_t at, std::string_view own) {
        const std::size_t close = own.find("==", 3);
        const bool begins = at == 0 || !is_word(source_[at - 1]);
        if (!begins || close == own.npos || own[2] == ' ' || own[2] == '=' || own[close - 1] == ' ') return at;
        if (own.substr(close).starts_with("===") || own.substr(0, close).find('`') != own.npos) return at;
        keep({at, at + 2}, As::opens);
        closing_ = {at + close, at + close + 2};
        return at + 2;
    }
    // Keeps "++ctrl+c++" as a word, or the marks of "++inserted text++". Returns where the text goes on.
    std::size_t inserted(std::size_t at, std::string_view own) {
        const std::size_t close = own.find("++", 3);
        const bool begins = at == 0 || !(is_word(source_[at - 1]) || source_[at - 1] == '+');
        if (!begins || close == own.npos || !(is_word(own[2]) || own[2] == '"') || own[close - 1] == ' ') return at;
        if (own.substr(0, close).find_first_of("`\n") != own.npos || own.substr(close).starts_with("+++")) return at;
        if (own.substr(0, close).find(' ') != own.npos) {
            keep({at, at + 2}, As::opens);
            closing_ = {at + close, at + close + 2};
            return at + 2;
        }
        keep({at, at + close + 2}, As::word);
        return at + close + 2;
    }
    bool is_open() const { return closing_.begin < source_.size(); }
    // The bracket that closes the first one of a text; npos: there is none in the line, or another one opens before.
    static std::size_t closing_bracket(std::string_view own) {
        for (std::size_t at = 1; at < own.size(); ++at) {
            if (own[at] == '`') at = std::min(own.find('`', at + 1), own.size());
            else if (own[at] == ']') return at;
            else if (own[at] == '[' || own[at] == '\n') break;
        }
        return own.npos;
    }
    // Keeps the marks of "[words]{.class}", and of "[words][name]" where another file or program knows the name; of code,
    // "[`name`]", all.
    std::size_t bracketed(std::size_t at, std::string_view own) {
        const std::size_t close = closing_bracket(own);
        const bool other = at > 0 && (source_[at - 1] == '!' || source_[at - 1] == '\\' || source_[at - 1] == ']');
        if (other || close == own.npos || close < 2 || own[1] == '^' || own[1] == '@') return at;
        const std::string_view behind = own.substr(close + 1);
        std::size_t end = 0;
        if (behind.starts_with("{.") || behind.starts_with("{#") || behind.starts_with("{:")) {
            end = behind.find('}');
        } else if (behind.starts_with('[')) {
            end = behind.find_first_of("[]\n", 1);
            const bool unknown = end != behind.npos && behind[end] == ']' && end > 1 &&
                                 !names_.contains(markup::lower(behind.substr(1, end - 1)));
            if (!unknown) return at;
        } else if (own[1] == '`' && own.find('`', 2) == close - 1 && !behind.starts_with('(') &&
                   !behind.starts_with(':')) {
            keep({at, at + close + 1}, As::word);
            return at + close + 1;
        } else {
            return at;
        }
        if (end == behind.npos) return at;
        keep({at, at + 1}, As::opens);
        closing_ = {at + close, at + close + 2 + end};
        return at + 1;
    }
    // Keeps "\(a+b\)" and "\[a+b\]", not a text in brackets that are no marks.
    std::size_t formula(std::size_t at, std::string_view own) {
        const std::size_t close = own.find(own[1] == '(' ? "\\)" : "\\]", 2);
        const std::string_view inside = own.substr(2, close == own.npos ? 0 : close - 2);
        if (inside.find_first_of("\\^_=+<>{}") == inside.npos || inside.find('\n') != inside.npos) return at;
        keep({at, at + close + 2}, As::word);
        return at + close + 2;
    }
    // Keeps "{% include "a" %}", "{{< figure >}}".
    std::size_t template_tag(std::size_t at, std::string_view own) {
        const std::string_view close = own.starts_with("{%") ? "%}" : own[2] == '<' ? ">}}" : "%}}";
        const std::size_t end = own.find(close, 2);
        if (end == own.npos) return at;
        keep({at, at + end + close.size()});
        return at + end + close.size();
    }
    // The names of addresses, "[name]: to".
    void find_names(std::size_t begin) {
        for (std::size_t at = begin; at < source_.size();) {
            const std::size_t end = std::min(source_.find('\n', at), source_.size());
            const std::string_view content = rest(content_of({at, end}), {at, end});
            const std::size_t close = content.starts_with('[') ? content.find("]:") : content.npos;
            if (close != content.npos) names_.insert(markup::lower(content.substr(1, close - 1)));
            at = end + 1;
        }
    }
    static bool is_word(char c) { return markup::is_letter(c) || (c >= '0' && c <= '9') || (c & 0x80) != 0; }

    // Marks of footnotes, notes in a line, citations, attributes, links of wikis, marked words.
    void inline_extensions(text::Range range) {
        closing_ = {source_.size(), source_.size()};
        for (std::size_t at = range.begin; at < range.end; ++at) {
            const std::string_view own = rest(at, range).substr(0, kLongestMark);
            if (at == closing_.begin) {
                keep(closing_, As::closes);
                at = closing_.end - 1;
                closing_ = {source_.size(), source_.size()};
                continue;
            }
            if (own.starts_with('`')) {  // code
                const std::size_t marks = std::min(own.find_first_not_of('`'), own.size());
                const std::size_t close = rest(at + marks, range).find(own.substr(0, marks));
                at += marks - 1 + (close == own.npos ? 0 : close + marks);
                continue;
            }
            std::size_t own_end = at;
            if (own.starts_with("[[") || own.starts_with("![[")) own_end = wiki_link(at, own);
            else if (own.starts_with("==") && !is_open()) own_end = marked(at, own);
            else if (own.starts_with("++") && !is_open()) own_end = inserted(at, own);
            else if (own.starts_with('[') && !is_open()) own_end = bracketed(at, own);
            else if (own.starts_with("\\(") || own.starts_with("\\[")) own_end = formula(at, own);
            else if (own.starts_with("{%") || own.starts_with("{{<") || own.starts_with("{{%"))
                own_end = template_tag(at, own);
            if (own_end > at) {
                at = own_end - 1;
                continue;
            }
            std::size_t end = footnote_end(at, {at, at + own.size()});
            if (own.starts_with("^[") || own.starts_with("[@") || own.starts_with("[-@"))
                end = own.find(']') == own.npos ? at : at + own.find(']') + 1;
            const char last = at > 0 ? source_[at - 1] : ' ';
            const bool attributes = (last == ')' || last == ']' || last == '`') && own.size() > 1 &&
                                    markup::is_letter(own[1]) && own.find('=') < own.find_first_of("}\n");
            if (own.starts_with("{#") || own.starts_with("{.") || own.starts_with("{: ") ||
                (own.starts_with('{') && attributes))
                if (const std::size_t brace = own.find('}'); brace != own.npos && own.find(' ') > 1)
                    end = at + brace + 1;
            const bool link = end < range.end && (source_[end] == '(' || source_[end] == '[') && own[0] == '[';
            if (end == at || source_[end - 1] == '\n' || link) continue;
            keep({at, end});
            at = end - 1;
        }
    }

    void keep(text::Range range, As as = As::point) {
        if (range.size() == 0) return;
        if (source_[range.end - 1] == '\r') --range.end;
        std::fill(result_.text.begin() + std::ptrdiff_t(range.begin), result_.text.begin() + std::ptrdiff_t(range.end),
                  kFill);
        result_.kept.push_back({range, as});
    }
    void begin_block(text::Range range, std::string_view mark) {
        keep(range);
        if (!mark.empty() && range.size() > mark.size()) mark.copy(&result_.text[range.begin], mark.size());
        else std::fill_n(result_.text.begin() + std::ptrdiff_t(range.begin), range.size(), '*');  // a rule
    }

    const std::string_view source_;
    PlainMarkdown result_;
    std::string_view fence_;  // that closes the open block of code; empty: none is open
    bool quoted_ = false;
    bool in_program_ = false;  // lines of a program's statement, until an empty one
    text::Range closing_{};  // the mark that closes the open one around words
    std::set<std::string> names_;  // of addresses, in small letters
};

}  // namespace

PlainMarkdown without_extensions(std::string_view source, std::size_t begin) {
    return Rewriter(source, begin).result();
}

}  // namespace dragoman::documents
