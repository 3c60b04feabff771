// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

// Properties of characters for splitting and joining texts. Code points are Unicode's; -1 stands for the place before
// the first and after the last character, and for bytes that are not UTF-8.
namespace dragoman::text {

// Bytes [begin, end) of a text.
struct Range {
    std::size_t begin = 0, end = 0;
    std::size_t size() const { return end - begin; }
    bool operator==(const Range&) const = default;
};

// How many bytes both have.
inline std::size_t overlap(Range a, Range b) {
    const std::size_t begin = std::max(a.begin, b.begin), end = std::min(a.end, b.end);
    return end > begin ? end - begin : 0;
}

inline std::string_view part(std::string_view text, Range range) { return text.substr(range.begin, range.size()); }

// The character at byte `at`, and `at` moved past it.
int32_t next_character(std::string_view text, std::size_t& at);
// The character that ends before byte `at`, and `at` moved to its first byte.
int32_t previous_character(std::string_view text, std::size_t& at);

bool is_line_break(int32_t c);   // LF, VT, FF, CR, NEL, U+2028, U+2029
bool is_space(int32_t c);        // white space, line breaks and no-break spaces included
bool is_invisible(int32_t c);    // normalize() drops it: controls, BOM, soft hyphen, directional marks
bool is_blank(int32_t c);        // is_space or is_invisible
bool is_letter(int32_t c);
bool is_digit(int32_t c);
bool is_upper(int32_t c);        // upper or title case
bool is_lower(int32_t c);
bool is_opening(int32_t c);      // brackets and quotation marks that can open, inverted ? and !
bool is_closing(int32_t c);      // brackets and quotation marks that can close
bool is_dash(int32_t c);
// Han, kana and full-width punctuation: no spaces at all.
bool is_spaceless(int32_t c);
// Spaceless scripts, Thai, Lao, Khmer, Myanmar and Tibetan: no spaces between words.
bool is_unspaced(int32_t c);

// The nearest character before byte `at`, or after it, that is not a quotation mark or bracket, of which it skips 32.
int32_t character_before(std::string_view text, std::size_t at);
int32_t character_after(std::string_view text, std::size_t at);

// The range without blanks at its ends.
Range trim(std::string_view text, Range range);
// Byte offset of the end of the user-perceived character that begins at `at`, approximately: a character with the
// marks, joiners and modifiers after it.
std::size_t cluster_end(std::string_view text, std::size_t at);

// Whether a word at `at` is a number, or begins with a capital and has figures: "12", "INV-2025/0417"; not "A".
bool is_code_of_figures(std::string_view text, std::size_t at);

}  // namespace dragoman::text
