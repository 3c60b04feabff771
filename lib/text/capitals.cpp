// SPDX-License-Identifier: Apache-2.0
#include "text/capitals.h"

#include <unicode/ustring.h>
#include <unicode/utf16.h>

#include <vector>

#include "text/edits.h"

namespace dragoman::text {
namespace {

constexpr double kShare = 0.8;  // share of the letters that have case
constexpr std::size_t kFewestLetters = 6;

std::string utf8(const char16_t* units, int32_t size) {
    std::string text(std::size_t(size) * 3, 0);
    UErrorCode status = U_ZERO_ERROR;
    int32_t bytes = 0;
    u_strToUTF8(text.data(), int32_t(text.size()), &bytes, units, size, &status);
    text.resize(U_SUCCESS(status) ? std::size_t(bytes) : 0);
    return text;
}

// Maps one character: only final sigma needs context, and only lower case has it.
template <class Case>
std::string cased(int32_t c, const std::string& language, const Case& to_case) {
    char16_t units[2], out[8];
    int32_t size = 0;
    U16_APPEND_UNSAFE(units, size, c);
    UErrorCode status = U_ZERO_ERROR;
    const int32_t length = to_case(out, 8, units, size, language.c_str(), &status);
    return U_SUCCESS(status) ? utf8(out, length) : utf8(units, size);
}

// The end of a word of capitals and figures, which nobody writes otherwise: "GB29", "NWBKGB2L"; `at`: it is none.
std::size_t code_end(std::string_view text, std::size_t at) {
    std::size_t end = at, figures = 0, letters = 0;
    for (; end < text.size() && text[end] != ' '; ++end) {
        figures += text[end] >= '0' && text[end] <= '9';
        letters += text[end] >= 'A' && text[end] <= 'Z';
        if ((text[end] & 0x80) != 0 || (text[end] >= 'a' && text[end] <= 'z')) return at;
    }
    return figures > 0 && letters > 0 ? end : at;
}

}  // namespace

bool is_in_capitals(std::string_view text) {
    std::size_t capitals = 0, small = 0, words = 0;
    bool within = false;
    for (std::size_t at = 0; at < text.size();) {
        if (at == 0 || text[at - 1] == ' ')
            if (const std::size_t end = code_end(text, at); end > at) {
                at = end;
                within = false;
                continue;
            }
        const int32_t c = next_character(text, at);
        capitals += is_upper(c);
        small += is_lower(c);
        const bool letter = is_letter(c);
        words += letter && !within;
        within = letter || (within && (c == '\'' || c == 0x2019));
    }
    return words >= 2 && capitals >= kFewestLetters && double(capitals) >= kShare * double(capitals + small);
}

bool is_in_title_case(std::string_view text) {
    constexpr std::size_t kFewestWords = 4;
    std::size_t words = 0, capitals = 0;
    bool within = false;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = next_character(text, at);
        const bool letter = is_letter(c);
        words += letter && !within;
        capitals += letter && !within && is_upper(c);
        within = letter || is_digit(c) || (within && (c == '\'' || c == 0x2019));
    }
    return words >= kFewestWords && double(capitals) >= kShare * double(words) && !is_in_capitals(text);
}

bool is_in_small_letters(std::string_view text) {
    constexpr std::size_t kFewestWords = 3;
    std::size_t words = 0, small = 0;
    bool within = false;
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = next_character(text, at);
        if (is_upper(c)) return false;
        small += is_lower(c);
        const bool letter = is_letter(c);
        words += letter && !within;
        within = letter || is_digit(c) || (within && (c == '\'' || c == 0x2019));
    }
    return words >= kFewestWords && small >= kFewestLetters;
}

bool begins_title_word(std::string_view text, Range capital) {
    std::size_t before = capital.begin, after = capital.end;
    const int32_t left = previous_character(text, before), right = next_character(text, after);
    if (is_letter(left) || left == '\'' || left == 0x2019) return false;
    return is_letter(right) ? is_lower(right) : part(text, capital) != "I";
}

std::string small_letter(int32_t c, const std::string& language) { return cased(c, language, u_strToLower); }

std::string small_letters(std::string_view text, const std::string& language) {
    std::string small;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        const int32_t c = next_character(text, next);
        small += is_upper(c) ? small_letter(c, language) : std::string(part(text, {at, next}));
    }
    return small;
}

std::string capital_letter(int32_t c, const std::string& language) { return cased(c, language, u_strToUpper); }

void to_capitals(std::string& text, std::span<Range> ranges, const std::string& language) {
    std::vector<Edit> edits;
    for (std::size_t begin = 0, at = 0; at < text.size(); begin = at) {
        const int32_t c = next_character(text, at);
        if (is_lower(c)) edits.push_back({{begin, at}, cased(c, language, u_strToUpper)});
    }
    apply(edits, text, ranges);
}

}  // namespace dragoman::text
