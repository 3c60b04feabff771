// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

// Adds a model's prediction: y += weight * log p, or with `probabilities` y = log(exp(y) + weight * p), where log p = x
// - log_sum. `first`: y holds nothing yet. Columns <= -1e30 and NaN are disabled: they have no p, so they become -1e30
// in a sum of logarithms and add nothing to a sum of probabilities. f32; x and y are two tensors.
struct AddLogProbsArgs {
    Tensor x;
    BufferView log_sum;  // f32 per row, as topk computes it
    float weight = 1.0f;  // > 0
    bool first = false;
    bool probabilities = false;
    Tensor y;
    Extent rows;
};
void add_log_probs(Recorder& rec, const AddLogProbsArgs& args);

}  // namespace dragoman::ops
