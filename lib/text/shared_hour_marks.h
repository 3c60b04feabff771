// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "text/numbers.h"

namespace dragoman::text {

// Makes times of hours without a mark in front of a time with one: "from 2 to 4 p.m.", "zwischen 14 und 16 Uhr", "um 8,
// 14 und 20 Uhr". They are in the same half of the day if that is earlier than the next time, and otherwise in the other
// one. In English and German texts. `found`: a text's numbers, in order.
void share_hour_marks(std::string_view text, const NumberNotation& notation, std::vector<Number>& found);

}  // namespace dragoman::text
