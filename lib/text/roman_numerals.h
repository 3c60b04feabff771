// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

struct RomanNumeral {
    Range range{};
    int value = 0;
};

// The value of a numeral up to 39, in capitals or small letters; 0: it is none.
int roman_value(std::string_view word);

// Up to 39, in capitals: "Louis XIV", "World War II". A single letter is one behind a word that numbers follow: "Part I",
// "World War I", "Karl V.".
std::vector<RomanNumeral> roman_numerals(std::string_view text);

}  // namespace dragoman::text
