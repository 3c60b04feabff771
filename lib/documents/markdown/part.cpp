// SPDX-License-Identifier: Apache-2.0
#include "documents/markdown/part.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "markup/ascii.h"
#include "markup/entities.h"

namespace dragoman::documents {
namespace {

bool is_word_byte(char c) { return (c | 0x20) >= 'a' ? (c | 0x20) <= 'z' || c < 0 : c >= '0' && c <= '9'; }

// The end of an address in a text, in which backslashes would be its own; `at`: none begins.
std::size_t bare_address_end(std::string_view text, std::size_t at) {
    const std::string begin = markup::lower(text.substr(at, 8));
    if (!begin.starts_with("http://") && begin != "https://" && !begin.starts_with("www.")) return at;
    return std::min(text.find_first_of(" \t\n<>|[]()`*\\", at), text.size());
}

// Whether Markdown reads a reference here: "&amp;", "&#160;".
bool reads_reference(std::string_view text) {
    const std::size_t end = text.starts_with('&') ? text.find_first_of("; &\n", 1) : text.npos;
    return end != text.npos && text[end] == ';';
}

// Puts a backslash before characters of a written text that would be read as marks.
std::string escaped(std::string_view text, bool line_begin, bool dollars = false) {
    constexpr std::string_view kMarks = "\\*`[]";
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (const std::size_t end = bare_address_end(text, at); end > at) {
            result += text.substr(at, end - at);
            at = end - 1;
            continue;
        }
        const char c = text[at], next = at + 1 < text.size() ? text[at + 1] : ' ';
        const bool inside_word = at > 0 && is_word_byte(text[at - 1]) && is_word_byte(next);
        const bool first = line_begin && at == 0;
        bool mark = kMarks.find(c) != std::string_view::npos || (c == '_' && !inside_word) || c == '|' || c == '~' ||
                    (c == '$' && dollars);
        mark = mark || (c == '<' && (is_word_byte(next) || next == '/' || next == '!'));
        mark = mark || reads_reference(text.substr(at));
        const bool line = c == '\n' || c == '\t';  // a divider whose mark stands elsewhere
        mark = mark || (first && (c == '#' || c == '>' || ((c == '-' || c == '+') && next == ' ')));
        if ((c == '.' || c == ')') && line_begin && at > 0 && at < 10 && next == ' ')
            mark = std::ranges::all_of(text.substr(0, at), [](char d) { return d >= '0' && d <= '9'; });
        if (mark) result += '\\';
        result += line ? ' ' : c;
    }
    return result;
}

class MarkdownPart final : public SplicedPart {
public:
    MarkdownPart(std::string source, Units units, MarkdownUnits kinds)
        : SplicedPart(std::move(source), std::move(units)), kinds_(std::move(kinds)) {}

private:
    markup::Edit edit(std::size_t unit, std::string_view target, std::span<const Range> places) const override {
        markup::Edit edit = SplicedPart::edit(unit, target, places);
        if (kinds_.html.contains(unit)) return edit;
        if (const auto aside = kinds_.asides.find(unit); aside != kinds_.asides.end())
            return beside(edit.bytes, target, aside->second);
        strip_beside(edit, kinds_.gaps);
        const bool dollars = text::part(source(), edit.bytes).find("\\$") != std::string_view::npos;
        markup::Edit written{.bytes = edit.bytes};
        for (const markup::Edit::Piece& piece : edit.pieces) {
            if (piece.copied) {
                if (!put_label(written, piece.range)) written.pieces.push_back(piece);
                continue;
            }
            const std::size_t begin = written.text.size();
            written.text += escaped(decoded(text::part(edit.text, piece.range)), written.pieces.empty(), dollars);
            written.pieces.push_back({false, {begin, written.text.size()}});
        }
        return written;
    }
    // A picture's text, a title, a note in a line.
    static markup::Edit beside(Range bytes, std::string_view target, const MarkdownUnits::Aside& aside) {
        std::string text = aside.quote == 0 ? escaped(target, false) : "";
        for (std::size_t at = 0; at < target.size() && aside.quote != 0; ++at) {
            const char c = target[at];
            const bool reference = reads_reference(target.substr(at));
            const bool closes = c == aside.quote || (aside.quote == '(' && c == ')');
            if (reference || closes || c == '\\' || c == '|') text += '\\';
            text += c == '\n' ? ' ' : c;
        }
        if (!aside.label.empty()) text += "][" + aside.label;
        const std::size_t size = text.size();
        return {bytes, std::move(text), {{false, {0, size}}}};
    }
    std::vector<markup::Edit> edits(std::span<const Translation> translations) const override {
        std::vector<markup::Edit> found = SplicedPart::edits(translations);
        std::set<std::size_t> beside;
        for (const auto& [unit, aside] : kinds_.asides) beside.insert(units_.units[unit].bytes.begin);
        std::map<std::size_t, std::size_t> changed;  // where edits begin and end
        for (const markup::Edit& edit : found)
            if (!beside.contains(edit.bytes.begin)) changed[edit.bytes.begin] = edit.bytes.end;
        for (const auto& [place, label] : kinds_.labels) {
            const auto inside = changed.upper_bound(label.open);
            if (inside == changed.end() || inside->second > place) continue;
            if (inside != changed.begin() && std::prev(inside)->second > label.open) continue;  // put_label() was here
            const std::string mark = "][" + label.name + "]";
            found.push_back({label.close, mark, {{false, {0, mark.size()}}}});
        }
        return found;
    }
    // In place of the mark behind a link's text: one with the link's name, if that is no longer the text.
    bool put_label(markup::Edit& written, Range mark) const {
        const auto found = kinds_.labels.find(mark.begin);
        if (found == kinds_.labels.end()) return false;
        const auto& [open, close, name] = found->second;
        std::string own;
        for (std::size_t p = written.pieces.size(); p-- > 0;) {
            const auto [copied, range] = written.pieces[p];
            if (copied && range.begin == open) break;
            own.insert(0, text::part(copied ? std::string_view(source()) : std::string_view(written.text), range));
        }
        if (own == name) return false;
        const std::size_t begin = written.text.size();
        written.text += "][" + name + "]";
        written.pieces.push_back({false, {begin, written.text.size()}});
        return true;
    }
    static std::string decoded(std::string_view text) {
        std::string result;
        for (std::size_t at = 0; at < text.size();) {
            const auto found = text[at] == '&' ? markup::xml_reference(text.substr(at)) : markup::Reference{};
            result += found.bytes > 0 ? found.text : std::string(1, text[at]);
            at += std::max<std::size_t>(found.bytes, 1);
        }
        return result;
    }
    const MarkdownUnits kinds_;
};

}  // namespace

std::unique_ptr<SplicedPart> markdown_part(std::string source, Units units, MarkdownUnits kinds) {
    return std::make_unique<MarkdownPart>(std::move(source), std::move(units), std::move(kinds));
}

}  // namespace dragoman::documents
