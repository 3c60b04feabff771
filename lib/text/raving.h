// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

namespace dragoman::text {

// Whether a translation says the same again and again, or is far too long, and its source is not so. Both as ids.
bool raves(std::span<const uint32_t> source, std::span<const uint32_t> target);

// Whether tokens say the same again and again.
bool repeats(std::span<const uint32_t> tokens);

}  // namespace dragoman::text
