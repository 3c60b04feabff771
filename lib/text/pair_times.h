// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "text/numbers.h"

namespace dragoman::text {

inline constexpr int kHalfDay = 12 * 60;  // in minutes

// The minutes from midnight that a number may say: a time's, those of a bare hour ("8") or of one with minutes ("9.30").
// -1: none.
int minutes_of(const Number& number);

// Pairs of times, as indices: those that are the same hour of a half of the day, where a text and its translation have as
// many of them; times with the same place among all times where they have not. Where not all are there with their half,
// the order decides: models write "8pm ... 8pm" for 8 and 20 o'clock. `placed` and `taken`: what has its pair already.
std::vector<std::pair<std::size_t, std::size_t>> pair_times(std::span<const Number> source,
                                                            std::span<const Number> target,
                                                            const std::vector<bool>& placed,
                                                            const std::vector<bool>& taken);

}  // namespace dragoman::text
