// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace cli {

// The sum of the products of two vectors of the same length.
float product(std::span<const float> a, std::span<const float> b);

}  // namespace cli
