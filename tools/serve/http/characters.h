// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// Characters of HTTP's grammar. The C library's own functions would follow the locale.
namespace serve::http {

inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
inline bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }
inline char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

// A character of a token of RFC 9110: names of headers, methods.
inline bool is_token_char(char c) {
    return is_digit(c) || is_letter(c) ||
           (c != '\0' && std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos);
}

// -1: no hexadecimal digit.
inline int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    if (lower(c) >= 'a' && lower(c) <= 'f') return lower(c) - 'a' + 10;
    return -1;
}

bool is_token(std::string_view text);
bool equal_ignoring_case(std::string_view left, std::string_view right);
std::string lowered(std::string_view text);
std::string_view without_blanks(std::string_view text);  // SP and HTAB at both ends
bool is_utf8(std::string_view text);
// For messages: at most some dozens of characters, with everything but visible ASCII escaped.
std::string shown(std::string_view text);
// Whether a comma-separated list has the word, in any case.
bool list_has(std::string_view list, std::string_view word);

}  // namespace serve::http
