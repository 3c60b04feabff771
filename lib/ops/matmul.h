// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

enum class Activation : uint32_t {  // numbered as in CTranslate2's `activation`, plus none
    relu = 0,
    gelu_tanh = 1,     // 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3)))
    swish = 2,         // x sigmoid(x)
    gelu = 3,          // 0.5 x (1 + erf(x / sqrt 2))
    gelu_sigmoid = 4,  // x sigmoid(1.702 x)
    tanh = 5,
    sigmoid = 6,
    none = 7,
};

struct MatmulArgs {
    Tensor x;             // [rows, k], any of the activation types
    Weight w;             // [n, k]
    BufferView bias{};    // [n] f32, optional
    Activation activation = Activation::none;
    Tensor gate{};        // [rows, n], optional: multiplied after the activation (gated feed-forward)
    Tensor residual{};    // [rows, n], optional: added last; may be y itself
    Tensor y;             // [rows, n], same type as x unless f32 (logits)
    float scale = 1.0f;   // on the product, before the bias
    Extent rows;
};

// y = activation(scale * x W^T + bias) * gate + residual. Every output is one sum over ascending k with fma, in
// f32, whichever kernel runs (tiled, block or vec), so a row does not depend on its neighbours or their number.
void matmul(Recorder& rec, const MatmulArgs& args);

enum class MatmulKernel : uint8_t {
    tiled,  // shared-memory tiles: GPUs
    block,  // register blocks and shuffles, no shared memory: CPU devices
    vec,    // up to about 8 rows: every weight is read once
};
MatmulKernel pick_matmul(const vulkan::Caps& caps, uint32_t row_capacity);
void matmul(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel);

}  // namespace dragoman::ops
