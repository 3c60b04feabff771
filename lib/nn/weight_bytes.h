// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "spec/transformer_config.h"
#include "spec/weights.h"

namespace dragoman::nn {

// What the weights of a model will take on a device, from their shapes alone. `type` is the WeightStore's; `converted`:
// as if matrices were stored as q8 or q4 where their rows are whole blocks. At most a percent less than they do take:
// zeros in the place of vectors that a model lacks are not counted. Nor is it seen that matrices that nn/ joins share a
// panel, which makes a few rows of difference where d_model is no multiple of ops::kPanel.
uint64_t weight_bytes(const spec::TransformerConfig& config, const spec::WeightMap& weights, DType type,
                      std::optional<DType> converted = {});

// The same for a network that uses every tensor it has, as recurrent ones do.
uint64_t weight_bytes(const spec::WeightMap& weights, DType type, std::optional<DType> converted = {});

}  // namespace dragoman::nn
