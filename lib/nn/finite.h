// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/dtype.h"

namespace dragoman::nn {

// Throw bad_model that names the tensor, the element and what it holds where that is no finite number: "w: NaN at
// element 123". The values are those from element `first` on.
void check_finite(const std::string& name, std::span<const float> values, uint64_t first = 0);
// The same for a bias of logits, where minus infinity is a token that is never chosen.
void check_finite_logit_bias(const std::string& name, std::span<const float> values);
// The scales of blocks (q8, q4); an element that it names is the first one of its block.
void check_finite_blocks(const std::string& name, DType dtype, std::span<const std::byte> blocks, uint64_t first);

}  // namespace dragoman::nn
