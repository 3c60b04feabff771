// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace dragoman::text {

// How a language writes numbers and hours in Latin digits, as CLDR says it.
struct NumberNotation {
    std::string language{};  // its code, as in the table
    std::string decimal{}, group{};  // one character each; empty: unknown
    std::string hour_word{};     // behind an hour: "Uhr"
    std::string am{}, pm{};      // behind an hour; empty: hours are written from 0 to 24

    bool known() const { return !decimal.empty(); }
};

// For "de", "de-CH", "deu_Latn"; an unknown code, and a language that seldom writes Latin digits, gives an unknown one.
const NumberNotation& number_notation(std::string_view code);

}  // namespace dragoman::text
