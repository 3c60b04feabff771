// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "serve/ascii.h"

// Characters of HTTP's grammar. The C library's own functions would follow the locale.
namespace serve::http {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

// A character of a token of RFC 9110: names of headers, methods.
inline bool is_token_char(char c) {
    return is_digit(c) || is_letter(c) ||
           (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

// -1: no hexadecimal digit.
inline int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    const char small = small_letter(c);
    if (small >= 'a' && small <= 'f') return small - 'a' + 10;
    return -1;
}

bool is_token(std::string_view text);
std::string_view without_blanks(std::string_view text);  // SP and HTAB at both ends
bool is_utf8(std::string_view text);
// For messages: at most some dozens of characters, with everything but visible ASCII escaped.
std::string shown(std::string_view text);
// Whether a comma-separated list has the word, in any case.
bool list_has(std::string_view list, std::string_view word);

}  // namespace serve::http
