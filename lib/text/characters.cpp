// SPDX-License-Identifier: Apache-2.0
#include "text/characters.h"

#include <unicode/uchar.h>
#include <unicode/uscript.h>
#include <unicode/utf8.h>

#include <algorithm>

namespace dragoman::text {

int32_t next_character(std::string_view text, std::size_t& at) {
    if (at >= text.size()) return -1;
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data());
    UChar32 c;
    U8_NEXT(bytes, at, text.size(), c);
    return c;
}

int32_t previous_character(std::string_view text, std::size_t& at) {
    if (at == 0) return -1;
    const std::size_t first = at - std::min<std::size_t>(at, U8_MAX_LENGTH);
    const auto* bytes = reinterpret_cast<const uint8_t*>(text.data()) + first;
    auto within = int32_t(at - first);  // the macro wants an int32_t
    UChar32 c;
    U8_PREV(bytes, 0, within, c);
    at = first + std::size_t(within);
    return c;
}

bool is_line_break(int32_t c) { return (c >= 0x0a && c <= 0x0d) || c == 0x85 || c == 0x2028 || c == 0x2029; }

bool is_space(int32_t c) { return c == ' ' || c == '\t' || (c >= 0 && u_isUWhiteSpace(c)); }

bool is_invisible(int32_t c) {
    if (c < 0 || (c >= 0x20 && c < 0x7f)) return false;
    if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return !is_space(c);
    return c == 0xad || c == 0x61c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || c == 0x2060 ||
           (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

bool is_blank(int32_t c) { return is_space(c) || is_invisible(c); }
bool is_letter(int32_t c) { return c >= 0 && u_isalpha(c); }
bool is_digit(int32_t c) { return c >= 0 && u_isdigit(c); }
bool is_upper(int32_t c) { return c >= 0 && (u_isupper(c) || u_istitle(c)); }
bool is_lower(int32_t c) { return c >= 0 && u_islower(c); }

namespace {
bool has_type(int32_t c, uint32_t mask) { return c >= 0 && (U_GET_GC_MASK(c) & mask) != 0; }
}  // namespace

bool is_opening(int32_t c) {
    return c == '"' || c == '\'' || c == 0xbf || c == 0xa1 || has_type(c, U_GC_PS_MASK | U_GC_PI_MASK | U_GC_PF_MASK);
}

bool is_closing(int32_t c) { return c == '"' || c == '\'' || has_type(c, U_GC_PE_MASK | U_GC_PI_MASK | U_GC_PF_MASK); }

bool is_dash(int32_t c) { return has_type(c, U_GC_PD_MASK); }

bool is_spaceless(int32_t c) {
    if (c < 0x2e80) return false;
    if ((c >= 0x3000 && c <= 0x303f) || (c >= 0xff00 && c <= 0xff65)) return true;  // their script is Common
    UErrorCode status = U_ZERO_ERROR;
    switch (uscript_getScript(c, &status)) {
        case USCRIPT_HAN:
        case USCRIPT_HIRAGANA:
        case USCRIPT_KATAKANA:
        case USCRIPT_BOPOMOFO:
        case USCRIPT_YI: return true;
        default: return uscript_hasScript(c, USCRIPT_KATAKANA);  // marks of both kana
    }
}

bool is_unspaced(int32_t c) {
    if (c < 0xe00) return false;
    UErrorCode status = U_ZERO_ERROR;
    switch (uscript_getScript(c, &status)) {
        case USCRIPT_THAI:
        case USCRIPT_LAO:
        case USCRIPT_KHMER:
        case USCRIPT_MYANMAR:
        case USCRIPT_TIBETAN: return true;
        default: return is_spaceless(c);
    }
}

namespace {
constexpr int kMostMarks = 32;  // of quotation and brackets that stand together; more are no sentence
}

int32_t character_before(std::string_view text, std::size_t at) {
    int32_t c = previous_character(text, at);
    for (int marks = 0; is_closing(c) && marks < kMostMarks; ++marks) c = previous_character(text, at);
    return c;
}

int32_t character_after(std::string_view text, std::size_t at) {
    int32_t c = next_character(text, at);
    for (int marks = 0; is_opening(c) && marks < kMostMarks; ++marks) c = next_character(text, at);
    return c;
}

Range trim(std::string_view text, Range range) {
    const std::string_view within = text.substr(0, range.end);
    for (std::size_t at = range.begin; at < range.end;) {
        if (!is_blank(next_character(within, at))) break;
        range.begin = at;
    }
    for (std::size_t at = range.end; at > range.begin;) {
        if (!is_blank(previous_character(within, at))) break;
        range.end = at;
    }
    return range;
}

std::size_t cluster_end(std::string_view text, std::size_t at) {
    constexpr int32_t kJoiner = 0x200d;
    int32_t before = next_character(text, at);
    for (std::size_t end = at; end < text.size(); at = end) {
        const int32_t c = next_character(text, end);
        // skin tones, Hangul vowels
        const bool modifies = (c >= 0x1f3fb && c <= 0x1f3ff) || (c >= 0x1160 && c <= 0x11ff);
        const bool joined = before == kJoiner || c == kJoiner || modifies || has_type(c, U_GC_M_MASK);
        if (!joined) break;
        before = c;
    }
    return at;
}

bool is_code_of_figures(std::string_view text, std::size_t at) {
    std::size_t next = at;
    const int32_t first = next_character(text, next);
    if (is_digit(first)) return true;
    bool figures = false;
    for (std::size_t end = at; end < text.size() && text[end] != ' '; ++end) {
        const char c = text[end];
        figures |= c >= '0' && c <= '9';
        if ((c & 0x80) != 0 || (c >= 'a' && c <= 'z')) return false;
    }
    return is_upper(first) && figures;
}

}  // namespace dragoman::text
