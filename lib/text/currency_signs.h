// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "text/edits.h"
#include "text/numbers.h"

namespace dragoman::text {

bool is_currency_sign(int32_t c);  // "$", not "USD"
// Whether a text has a sign, or names a common one: "percent", "Euro", "USD".
bool has_sign(std::string_view text, int32_t sign);

// A number of a text, and where it stands in the translation.
struct NumberPair {
    const Number* from = nullptr;
    const Number* to = nullptr;
};

// Signs of currencies that numbers of a translation lack, where the translation has the sign elsewhere: "3,50 for coffee and
// $12.75" becomes "$3,50 for ...". A sign that stands by no number comes to the one that lacks it. Numbers may share
// one: "9 to 12 $". `of_target`: all numbers of the translation, in order. Edits are insertions and removals.
std::vector<Edit> lost_currencies(std::string_view source, std::string_view target, std::span<const NumberPair> pairs,
                                  std::span<const Number> of_target);

}  // namespace dragoman::text
