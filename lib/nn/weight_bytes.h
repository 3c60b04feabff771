// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "nn/number_types.h"
#include "spec/transformer_config.h"
#include "spec/weights.h"

namespace dragoman::nn {

// Bytes that a model's weights will take on a device, from their shapes alone. `types` are the WeightStore's;
// `converted`: as if matrices were stored as q8 or q4 where their rows are whole blocks. The estimate is at most a
// percent too low: it does not count zeros in place of vectors that a model lacks, nor see that matrices which nn/
// joins share a panel, which matters for a few rows where d_model is no multiple of ops::kPanel.
uint64_t weight_bytes(const spec::TransformerConfig& config, const spec::WeightMap& weights, const NumberTypes& types,
                      std::optional<DType> converted = {});

// The same for a network that uses every tensor it has, as recurrent ones do.
uint64_t weight_bytes(const spec::WeightMap& weights, const NumberTypes& types, std::optional<DType> converted = {});

}  // namespace dragoman::nn
