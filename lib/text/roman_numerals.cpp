// SPDX-License-Identifier: Apache-2.0
#include "text/roman_numerals.h"

#include <algorithm>
#include <array>
#include <string>

namespace dragoman::text {
namespace {

bool is_roman(char c) { return c == 'I' || c == 'V' || c == 'X'; }

int value_of(std::string_view word) {
    static constexpr std::array<std::string_view, 10> kOnes{"", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"};
    const std::size_t tens = std::min(word.find_first_not_of('X'), word.size());
    const auto ones = std::ranges::find(kOnes, word.substr(tens));
    return tens > 3 || ones == kOnes.end() ? 0 : int(10 * tens) + int(ones - kOnes.begin());
}

bool follows_numbered_word(std::string_view text, std::size_t at) {
    static constexpr std::array<std::string_view, 17> kWords{"War",  "Part",    "Chapter", "Volume", "Act",
                                                             "Book", "Phase",   "Type",    "Class",  "Weltkrieg",
                                                             "Teil", "Kapitel", "Band",    "Akt",    "Buch",
                                                             "Typ",  "Klasse"};
    if (at == 0 || text[at - 1] != ' ') return false;
    const std::string_view front = text.substr(0, at - 1);
    const std::size_t begin = front.rfind(' ');
    return std::ranges::find(kWords, front.substr(begin == std::string_view::npos ? 0 : begin + 1)) != kWords.end();
}

}  // namespace

int roman_value(std::string_view word) {
    std::string capitals;
    for (const char c : word) capitals += char(c >= 'a' && c <= 'z' ? c & ~0x20 : c);
    return capitals == word || std::ranges::none_of(word, is_roman) ? value_of(capitals) : 0;
}

std::vector<RomanNumeral> roman_numerals(std::string_view text) {
    std::vector<RomanNumeral> found;
    for (std::size_t at = text.find_first_of("IVX"); at != std::string_view::npos; at = text.find_first_of("IVX", at)) {
        std::size_t end = at, before = at;
        while (end < text.size() && is_roman(text[end])) ++end;
        std::size_t after = end;
        const int32_t left = previous_character(text, before), right = next_character(text, after);
        const auto joins = [](int32_t c) {
            return is_letter(c) || is_digit(c) || c == '-' || c == '_' || c == '/' || c == '\'' || c == 0x2019;
        };
        const int value = joins(left) || joins(right) ? 0 : value_of(text.substr(at, end - at));
        const bool stands = end - at > 1 || follows_numbered_word(text, at);
        if (value > 0 && stands) found.push_back({{at, end}, value});
        at = end;
    }
    return found;
}

}  // namespace dragoman::text
