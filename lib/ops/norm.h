// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

struct NormArgs {
    Tensor x;             // [rows, d]
    Tensor residual{};    // [rows, d], optional: added to x before the norm (post-norm blocks)
    BufferView gamma;     // [d] f32
    BufferView beta{};    // [d] f32, optional: without it this is RMSNorm, x gamma / sqrt(mean(x^2) + eps)
    Tensor y;             // [rows, d]; may be x itself
    float epsilon = 1e-5f;
    Extent rows;
};

// LayerNorm: (x - mean) / sqrt(biased variance + eps) * gamma + beta.
void layer_norm(Recorder& rec, const NormArgs& args);

}  // namespace dragoman::ops
