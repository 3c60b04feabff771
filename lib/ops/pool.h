// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

struct PoolArgs {
    Tensor x;             // [tokens, cols]
    BufferView begin;     // uint per sentence, and one for the end: its rows of x
    bool first = false;   // takes the first row of each sentence instead of the mean
    Tensor y;             // f32 [sentences, cols]
    Extent sentences;
};

// Reduces each sentence's rows to one; sums in f32. A sentence without rows gets zeros.
void pool(Recorder& rec, const PoolArgs& args);

}  // namespace dragoman::ops
