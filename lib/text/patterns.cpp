// SPDX-License-Identifier: Apache-2.0
#include "text/patterns.h"

#include <algorithm>
#include <array>

namespace dragoman::text {
namespace {

bool is_latin(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_decimal(char c) { return c >= '0' && c <= '9'; }
bool is_among(std::string_view list, char c) { return list.find(c) != std::string_view::npos; }

// The end of a bracket with figures, one letter or a small Roman number in it.
std::size_t label_end(std::string_view text, std::size_t at) {
    if (at >= text.size() || text[at] != '(') return at;
    const std::size_t close = text.substr(at, 7).find(')');
    if (close == std::string_view::npos || close < 2) return at;
    const std::string_view inside = text.substr(at + 1, close - 1);
    const bool named = (inside.size() <= 3 && std::ranges::all_of(inside, is_decimal)) ||
                       (inside.size() == 1 && is_latin(inside.front())) ||
                       std::ranges::all_of(inside, [](char c) { return is_among("ivx", c); });
    return named ? at + close + 1 : at;
}

}  // namespace

bool is_date_pattern(std::string_view text) {
    constexpr std::size_t kMostOfOne = 5;
    std::size_t parts = 0, longest = 0, letters = 0, separators = 0;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_latin(text[at])) {
            if (!is_among(".,/-: _'", text[at])) return false;
            ++at;
            ++separators;
            continue;
        }
        const std::size_t end = std::min(text.find_first_not_of(text[at], at), text.size());
        const std::size_t size = end - at;
        const bool joined = (at > 0 && is_latin(text[at - 1])) || (end < text.size() && is_latin(text[end]));
        const bool literal = size == 1 && is_among("TZ", text[at]);  // between a date and a time, and behind it
        if (!is_among("yYMdDHhmsSaAELjJTzZ", text[at]) || size > kMostOfOne || (joined && size == 1 && !literal))
            return false;
        ++parts;
        letters += size;
        longest = std::max(longest, size);
        at = end;
    }
    return parts > 1 && longest > 1 && (separators > 0 || letters >= 6);
}

bool is_armour(std::string_view text) {
    constexpr std::string_view kLine = "-----";
    text = part(text, trim(text, {0, text.size()}));
    if (text.size() < 16 || !text.starts_with(kLine) || !text.ends_with(kLine)) return false;
    const std::string_view inside = text.substr(kLine.size(), text.size() - 2 * kLine.size());
    return (inside.starts_with("BEGIN ") || inside.starts_with("END ")) &&
           std::ranges::all_of(inside, [](char c) { return c == ' ' || is_decimal(c) || (c >= 'A' && c <= 'Z'); });
}

std::size_t reference_end(std::string_view text, std::size_t at) {
    std::size_t end = at, brackets = 0;
    if (std::size_t before = at; at > 0) {
        const int32_t left = previous_character(text, before);
        if (is_letter(left) || is_digit(left) || left == ')' || left == '.' || left == ',') return at;
    }
    while (end < text.size() && is_decimal(text[end])) ++end;
    const bool numbered = end > at;
    if (numbered && end < text.size() && is_latin(text[end])) ++end;  // 12a(1)
    for (std::size_t next = label_end(text, end); next > end; next = label_end(text, end)) {
        end = next;
        ++brackets;
    }
    if (brackets < (numbered ? 1u : 2u)) return at;
    std::size_t behind = end;
    const int32_t right = next_character(text, behind);
    return is_letter(right) || is_digit(right) || right == '(' ? at : end;
}

std::size_t command_end(std::string_view text, std::size_t at, bool& text_follows) {
    static constexpr auto kOfText =
        std::to_array<std::string_view>({"caption", "chapter", "emph",       "footnote",      "mbox",   "paragraph",
                                         "part",    "section", "subsection", "subsubsection", "text",   "textbf",
                                         "textit",  "textmd",  "textrm",     "textsc",        "textsf", "textsl",
                                         "textup",  "title",   "underline"});
    constexpr std::size_t kLongestArgument = 256;
    if (text[at] != '\\') return at;
    std::size_t end = at + 1;
    while (end < text.size() && is_latin(text[end])) ++end;
    if (end < at + 3 || end >= text.size() || text[end] != '{') return at;
    text_follows = std::ranges::find(kOfText, text.substr(at + 1, end - at - 1)) != kOfText.end();
    const std::size_t close = text.substr(end, kLongestArgument).find('}');
    if (close == std::string_view::npos) return at;
    return text_follows ? end + 1 : end + close + 1;
}

}  // namespace dragoman::text
