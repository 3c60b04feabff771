// SPDX-License-Identifier: Apache-2.0
#include "text/primes.h"

#include <algorithm>
#include <array>

#include "text/characters.h"

namespace dragoman::text {
namespace {

constexpr int32_t kPrime = 0x2032, kDoublePrime = 0x2033;

// Whether the quotation mark at `at`, behind a figure, ends a quotation that is open.
bool ends_quotation(std::string_view text, std::size_t at) {
    bool open = false;
    for (std::size_t mark = text.find(text[at]); mark < at; mark = text.find(text[at], mark + 1)) {
        std::size_t before = mark, after = mark + 1;
        const int32_t left = previous_character(text, before), right = next_character(text, after);
        if (text[at] == '\'' && (is_letter(left) || is_digit(left)) && (is_letter(right) || is_digit(right))) continue;
        if (!is_digit(left) || open) open = !open;
    }
    return open;
}

}  // namespace

std::size_t prime_end(std::string_view text, std::size_t at) {
    std::size_t end = at, before = at;
    const int32_t mark = at < text.size() ? next_character(text, end) : -1;
    if (!is_digit(previous_character(text, before))) return at;
    if (mark == kPrime || mark == kDoublePrime) return end;
    if (mark != '"' && mark != '\'') return at;
    std::size_t after = end;
    const int32_t next = next_character(text, after);
    return is_letter(next) || ends_quotation(text, at) ? at : end;
}

bool says_prime(std::string_view text, std::size_t at) {
    static constexpr auto kWords =
        std::to_array<std::string_view>({"Zoll", "inch", "Inch", "in.", "Fu\xc3\x9f", "feet", "foot", "ft", "Min",
                                         "min", "Sek", "sec", "Bogen", "arc"});
    std::string_view behind = text.substr(at);
    if (behind.starts_with(' ') || behind.starts_with('-')) behind.remove_prefix(1);
    return std::ranges::any_of(kWords, [&](std::string_view word) { return behind.starts_with(word); });
}

}  // namespace dragoman::text
