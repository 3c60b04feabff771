// SPDX-License-Identifier: Apache-2.0
#include "markup/entities.h"

#include <unicode/utf8.h>

#include <algorithm>
#include <cstdint>

namespace dragoman::markup {
namespace {

constexpr std::size_t kLongestName = 32;  // with ";"
constexpr uint32_t kNoCharacter = 0xfffd;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_alphanumeric(char c) { return is_digit(c) || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z'); }

int hex_digit(char c) {
    if (is_digit(c)) return c - '0';
    const int lower = c | 0x20;
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

std::string utf8(uint32_t c) {
    char bytes[4];
    int32_t size = 0;
    U8_APPEND_UNSAFE(bytes, size, c);
    return {bytes, std::size_t(size)};
}

// Windows-1252: the characters that the numbers from 0x80 to 0x9f mean.
constexpr uint32_t kWindows1252[32] = {0x20ac, 0x81,   0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021,
                                       0x2c6,  0x2030, 0x160,  0x2039, 0x152,  0x8d,   0x17d,  0x8f,
                                       0x90,   0x2018, 0x2019, 0x201c, 0x201d, 0x2022, 0x2013, 0x2014,
                                       0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0x9d,   0x17e,  0x178};

struct Number {
    std::size_t bytes = 0;  // with "&#" and ";"; 0: none
    uint32_t value = 0;     // at most 0x110000
    bool closed = false;    // by ";"
};

Number number(std::string_view text) {
    if (text.size() < 3 || text[1] != '#') return {};
    const bool hex = (text[2] | 0x20) == 'x';
    const std::size_t begin = hex ? 3 : 2;
    std::size_t at = begin;
    uint32_t value = 0;
    for (; at < text.size(); ++at) {
        const int digit = hex ? hex_digit(text[at]) : is_digit(text[at]) ? text[at] - '0' : -1;
        if (digit < 0) break;
        value = std::min<uint32_t>(value * (hex ? 16 : 10) + uint32_t(digit), 0x110000);
    }
    if (at == begin) return {};
    const bool closed = at < text.size() && text[at] == ';';
    return {at + closed, value, closed};
}

const Entity* find(std::string_view name) {
    const auto all = entities();
    const auto found = std::ranges::lower_bound(all, name, {}, &Entity::name);
    return found != all.end() && found->name == name ? &*found : nullptr;
}

bool is_character(uint32_t c) { return c != 0 && c <= 0x10ffff && (c < 0xd800 || c > 0xdfff); }

}  // namespace

Reference html_reference(std::string_view text, bool in_attribute) {
    if (const Number n = number(text); n.bytes > 0) {
        const bool windows = n.value >= 0x80 && n.value < 0xa0;
        const uint32_t c = windows ? kWindows1252[n.value - 0x80] : n.value;
        return {n.bytes, utf8(is_character(c) ? c : kNoCharacter)};
    }
    std::size_t end = 1;
    while (end < text.size() && end <= kLongestName && is_alphanumeric(text[end])) ++end;
    if (end < text.size() && text[end] == ';')
        if (const Entity* entity = find(text.substr(1, end))) return {end + 1, std::string(entity->text)};
    for (; end > 1; --end)
        if (const Entity* entity = find(text.substr(1, end - 1))) {
            const char next = end < text.size() ? text[end] : ' ';
            if (in_attribute && (next == '=' || is_alphanumeric(next))) return {};
            return {end, std::string(entity->text)};
        }
    return {};
}

Reference xml_reference(std::string_view text) {
    if (const Number n = number(text); n.closed && is_character(n.value)) return {n.bytes, utf8(n.value)};
    constexpr Entity kOwn[] = {{"&amp;", "&"}, {"&apos;", "'"}, {"&gt;", ">"}, {"&lt;", "<"}, {"&quot;", "\""}};
    for (const Entity& own : kOwn)
        if (text.starts_with(own.name)) return {own.name.size(), std::string(own.text)};
    return {};
}

void append_escaped(std::string& to, std::string_view text, char quote) {
    for (const char c : text) {
        if (c == '&') to += "&amp;";
        else if (c == '<') to += "&lt;";
        else if (c == '>') to += "&gt;";
        else if (quote != 0 && c == quote) to += c == '"' ? "&quot;" : "&#39;";
        else to += c;
    }
}

}  // namespace dragoman::markup
