// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace dragoman::text {

// Whether a translation says the same again and again, or is far too long, and its source is not so. Both as ids.
// likelihood: the mean log-probability of its tokens; what is unlikely need not be as long.
bool raves(std::span<const uint32_t> source, std::span<const uint32_t> target, float likelihood = 0.0f);

// Whether tokens say the same again and again.
bool repeats(std::span<const uint32_t> tokens);

}  // namespace dragoman::text
