// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace dragoman::text {

// Whether a translation is a degenerate repetition, or far too long, although its source is neither. Both are token
// ids. likelihood: the mean log-probability of its tokens; an unlikely translation is judged more strictly.
bool is_degenerate(std::span<const uint32_t> source, std::span<const uint32_t> target, float likelihood = 0.0f);

// Whether tokens repeat themselves again and again.
bool repeats(std::span<const uint32_t> tokens);

}  // namespace dragoman::text
