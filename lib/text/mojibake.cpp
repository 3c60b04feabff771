// SPDX-License-Identifier: Apache-2.0
#include "text/mojibake.h"

#include "text/characters.h"

namespace dragoman::text {
namespace {

// Whether a character is one of 0x80 to 0xbf in these code pages.
bool is_continuation(int32_t c) {
    if (c >= 0x80 && c <= 0xbf) return true;
    constexpr int32_t kOf1252[]{0x20ac, 0x201a, 0x192, 0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030,
                                0x160,  0x2039, 0x152, 0x17d,  0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
                                0x2013, 0x2014, 0x2dc, 0x2122, 0x161,  0x203a, 0x153,  0x17e,  0x178};
    for (const int32_t known : kOf1252)
        if (c == known) return true;
    return false;
}

}  // namespace

bool is_mojibake(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const int32_t c = next_character(text, at);
        if (c < 0xc2 || c > 0xf4) continue;
        std::size_t next = at;
        const int32_t second = next_character(text, next), third = next_character(text, next);
        // One pair may end a word of French or Portuguese before a quotation mark; with "Ã" and "Â" it does not.
        if ((c == 0xc2 || c == 0xc3) && is_continuation(second) && !is_space(second)) return true;
        if (c == 0xe2 && second == 0x20ac && is_continuation(third)) return true;
    }
    return false;
}

}  // namespace dragoman::text
