// SPDX-License-Identifier: Apache-2.0
#include "text/step_text.h"

#include <unicode/utf16.h>
#include <unicode/utf8.h>

namespace dragoman::text {

void append_utf8(std::string& text, int32_t character) {
    char bytes[U8_MAX_LENGTH];
    int32_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, character);
    text.append(bytes, std::size_t(size));
}

std::string to_utf8(std::span<const int32_t> characters) {
    std::string text;
    for (const int32_t character : characters) append_utf8(text, character);
    return text;
}

std::vector<int32_t> to_characters(std::string_view text) {
    std::vector<int32_t> characters;
    for (std::size_t at = 0; at < text.size();) characters.push_back(next_character(text, at));
    return characters;
}

std::u16string to_utf16(std::span<const int32_t> characters) {
    std::u16string wide;
    for (const int32_t c : characters) {
        if (c < 0x10000) wide += char16_t(c);
        else wide += {char16_t(U16_LEAD(c)), char16_t(U16_TRAIL(c))};
    }
    return wide;
}

}  // namespace dragoman::text
