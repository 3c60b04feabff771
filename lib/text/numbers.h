// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/characters.h"

namespace dragoman::text {

// A number in a text: digits with stops, commas, colons or thin spaces between them, and the sign of a currency,
// percent or degree next to it.
struct Number {
    Range range{};        // with the sign
    Range figures{};      // without it
    std::string digits{};  // figures only, without leading zeros
    int32_t sign = -1;
};
std::vector<Number> numbers(std::string_view text);

// Numbers of a text that its translation lacks, and others that the translation has instead; in order. Formats may
// differ ("1,234.56", "1.234,56"), hours may count to 12 or 24, signs may be words, and so may numbers up to twelve.
struct NumberChanges {
    std::vector<Number> missing{}, extra{};
};
NumberChanges compare_numbers(std::string_view source, std::string_view target);

}  // namespace dragoman::text
