// SPDX-License-Identifier: Apache-2.0
#include "documents/markdown/part.h"

#include <algorithm>

#include "markup/entities.h"

namespace dragoman::documents {
namespace {

bool is_word_byte(char c) { return (c | 0x20) >= 'a' ? (c | 0x20) <= 'z' || c < 0 : c >= '0' && c <= '9'; }

// Puts a backslash before characters of a written text that would be read as marks.
std::string escaped(std::string_view text, bool line_begin) {
    constexpr std::string_view kMarks = "\\*`[]";
    std::string result;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const char c = text[at], next = at + 1 < text.size() ? text[at + 1] : ' ';
        const bool inside_word = at > 0 && is_word_byte(text[at - 1]) && is_word_byte(next);
        const bool first = line_begin && at == 0;
        bool mark = kMarks.find(c) != std::string_view::npos || (c == '_' && !inside_word) || c == '|' || c == '~';
        mark = mark || (c == '<' && (is_word_byte(next) || next == '/' || next == '!'));
        mark = mark || (c == '&' && (is_word_byte(next) || next == '#'));
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
    MarkdownPart(std::string source, Units units, std::set<std::size_t> gaps, std::set<std::size_t> html)
        : SplicedPart(std::move(source), std::move(units)), gaps_(std::move(gaps)), html_(std::move(html)) {}

private:
    markup::Edit edit(std::size_t unit, std::string_view target, std::span<const Range> places) const override {
        markup::Edit edit = SplicedPart::edit(unit, target, places);
        if (html_.contains(unit)) return edit;
        strip_beside(edit, gaps_);
        markup::Edit written{.bytes = edit.bytes};
        for (const markup::Edit::Piece& piece : edit.pieces) {
            if (piece.copied) {
                written.pieces.push_back(piece);
                continue;
            }
            const std::size_t begin = written.text.size();
            written.text += escaped(decoded(text::part(edit.text, piece.range)), written.pieces.empty());
            written.pieces.push_back({false, {begin, written.text.size()}});
        }
        return written;
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
    const std::set<std::size_t> gaps_, html_;
};

}  // namespace

std::unique_ptr<SplicedPart> markdown_part(std::string source, Units units, std::set<std::size_t> gaps,
                                           std::set<std::size_t> html) {
    return std::make_unique<MarkdownPart>(std::move(source), std::move(units), std::move(gaps), std::move(html));
}

}  // namespace dragoman::documents
