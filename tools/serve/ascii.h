// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

// Letters of ASCII, whatever the locale is; other bytes stay.
namespace serve {

inline char small_letter(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

inline std::string in_small_letters(std::string_view text) {
    std::string small(text);
    std::ranges::transform(small, small.begin(), small_letter);
    return small;
}

inline bool same_in_any_case(std::string_view one, std::string_view other) {
    return std::ranges::equal(one, other, {}, small_letter, small_letter);
}

}  // namespace serve
