// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

// Live row i is cache row c = live_rows[i] of slot c / beam, whose source is source_length[slot] rows of keys and
// values from source_begin[slot] on.
struct AdditiveAttentionArgs {
    Tensor q;             // [rows, d]
    Tensor keys, values;  // [source tokens, d]
    BufferView vector;    // [d] f32
    BufferView live_rows, source_begin, source_length;
    uint32_t beam = 1;
    Tensor y;              // [rows, d]
    BufferView weights{};  // optional, f32: row c at step t writes from (c * max_steps + t) * weights_stride on
    BufferView position{};  // uint per cache row: t; with weights only
    uint32_t weights_stride = 0;
    uint32_t max_steps = 0;
    Extent rows;
};

// y = the mean of the values, weighted with softmax(v tanh(key + q)) (Bahdanau et al. 2015).
void additive_attention(Recorder& rec, const AdditiveAttentionArgs& args);

}  // namespace dragoman::ops
