// SPDX-License-Identifier: Apache-2.0
#include "text/numbers.h"

#include <unicode/uchar.h>

#include <algorithm>
#include <cstdlib>

namespace dragoman::text {
namespace {

bool is_separator(int32_t c) {
    return c == '.' || c == ',' || c == ':' || c == '\'' || c == 0x2019 || c == 0xa0 || c == 0x2009 || c == 0x202f;
}

bool is_sign(int32_t c) {
    return c == '%' || c == 0xb0 || c == 0x2030 || (c >= 0 && u_charType(c) == U_CURRENCY_SYMBOL);
}

std::size_t figures_end(std::string_view text, std::size_t at, std::string& digits) {
    std::size_t end = at;
    for (std::size_t next = at; next < text.size();) {
        const int32_t c = next_character(text, next);
        if (is_digit(c)) {
            const int32_t value = u_charDigitValue(c);
            if (value != 0 || !digits.empty()) digits += char('0' + value);
            end = next;
            continue;
        }
        std::size_t behind = next;
        if (!is_separator(c) || next >= text.size() || !is_digit(next_character(text, behind))) break;
    }
    return end;
}

// The sign may be separated by one blank.
void add_sign(std::string_view text, Number& number) {
    std::size_t at = number.range.begin;
    int32_t c = previous_character(text, at);
    if (c == ' ' || c == 0xa0) c = previous_character(text, at);
    if (is_sign(c)) {
        number.range.begin = at;
        number.sign = c;
        return;
    }
    at = number.range.end;
    c = next_character(text, at);
    if (c == ' ' || c == 0xa0) c = next_character(text, at);
    if (!is_sign(c)) return;
    number.range.end = at;
    number.sign = c;
}

bool is_small(const Number& number) { return number.figures.size() <= 2 && std::atoi(number.digits.c_str()) <= 12; }

// Whether two numbers are one time: "5:30" and "17:30".
bool are_hours(const Number& a, const Number& b, std::string_view a_text, std::string_view b_text) {
    const auto minutes = [](const Number& number, std::string_view text) {
        const std::string_view figures = part(text, number.figures);
        const std::size_t mark = figures.find_first_of(":.");
        if (mark == std::string_view::npos) return figures.size() <= 2 ? std::atoi(number.digits.c_str()) * 60 : -1;
        if (mark > 2 || figures.size() != mark + 3) return -1;
        return std::atoi(std::string(figures.substr(0, mark)).c_str()) * 60 +
               std::atoi(std::string(figures.substr(mark + 1)).c_str());
    };
    const int first = minutes(a, a_text), second = minutes(b, b_text);
    return first >= 0 && second >= 0 && std::abs(first - second) == 12 * 60 && std::max(first, second) < 24 * 60 + 60;
}

bool has_sign(std::string_view text, int32_t sign) {
    static constexpr struct {
        int32_t sign;
        std::string_view words[4];
    } kWords[]{{'%', {"ercent", "rozent", "er cent", "por ciento"}},
               {0x20ac, {"uro", "EUR", "URO", "EUR"}},
               {'$', {"ollar", "USD", "OLLAR", "ólar"}},
               {0xa3, {"ound", "fund", "GBP", "OUND"}},
               {0xb0, {"egree", "rad", "EGREE", "RAD"}}};
    for (std::size_t at = 0; at < text.size();)
        if (next_character(text, at) == sign) return true;
    for (const auto& [of, words] : kWords)
        if (of == sign)
            return std::ranges::any_of(words, [&](std::string_view word) { return text.find(word) != text.npos; });
    return false;
}

}  // namespace

std::vector<Number> numbers(std::string_view text) {
    std::vector<Number> found;
    for (std::size_t at = 0, next = 0; at < text.size(); at = next) {
        next = at;
        if (!is_digit(next_character(text, next))) continue;
        Number number;
        next = figures_end(text, at, number.digits);
        number.range = number.figures = {at, next};
        add_sign(text, number);
        found.push_back(std::move(number));
    }
    return found;
}

NumberChanges compare_numbers(std::string_view source, std::string_view target) {
    NumberChanges changes{.missing = numbers(source), .extra = numbers(target)};
    if (changes.missing.empty()) return {};
    const auto pair = [&](const auto& are_equal) {
        std::erase_if(changes.missing, [&](const Number& number) {
            const auto found = std::ranges::find_if(changes.extra,
                                                    [&](const Number& other) { return are_equal(number, other); });
            if (found == changes.extra.end()) return false;
            changes.extra.erase(found);
            return number.sign < 0 || has_sign(target, number.sign);
        });
    };
    pair([](const Number& a, const Number& b) { return a.digits == b.digits; });
    pair([&](const Number& a, const Number& b) { return are_hours(a, b, source, target); });
    std::erase_if(changes.missing, is_small);
    std::erase_if(changes.extra, is_small);
    return changes;
}

}  // namespace dragoman::text
