// SPDX-License-Identifier: Apache-2.0
#include "serve/http/characters.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace serve::http {
namespace {

constexpr std::size_t kShown = 60;

// Bytes of the character that begins at `at`; 0: none of UTF-8.
std::size_t utf8_length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const unsigned first = byte(at);
    if (first < 0x80) return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || at + length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byte(at + i) & 0xc0) != 0x80) return 0;
    const unsigned second = byte(at + 1);
    // Longer than need be, surrogates, and beyond U+10FFFF.
    if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f)) return 0;
    if ((first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f)) return 0;
    return length;
}

}  // namespace

bool is_token(std::string_view text) { return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char); }

std::string_view without_blanks(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

bool is_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

std::string shown(std::string_view text) {
    std::string result;
    for (char c : text.substr(0, kShown)) {
        if (is_control(c) || static_cast<unsigned char>(c) >= 0x80)
            result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
        else result += c;
    }
    return text.size() > kShown ? result + "..." : result;
}

bool list_has(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (same_in_any_case(without_blanks(list.substr(0, comma)), word)) return true;
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

}  // namespace serve::http
