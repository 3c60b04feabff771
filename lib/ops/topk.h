// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

inline constexpr uint32_t kMaxTopK = 128;

// The k largest of each row, sorted descending, equal values by ascending column, and the row's
// log(sum(exp(x))). Columns <= -1e30 and NaN are disabled: they add nothing to the sum and are never listed. With
// fewer than k enabled columns the tail is (-inf, 0xffffffff); with none log_sum is -1e30. log_sum does not depend
// on k.
struct TopkArgs {
    Tensor x;             // [rows, cols] f32; read fastest with a stride that is a multiple of 4
    uint32_t k = 1;       // <= kMaxTopK
    BufferView values;    // f32 [capacity, k]
    BufferView columns;   // uint [capacity, k]
    BufferView log_sum;   // f32 [capacity]
    BufferView scratch;   // topk_scratch_bytes(capacity, cols, k)
    Extent rows;
};
uint64_t topk_scratch_bytes(uint32_t capacity, uint32_t cols, uint32_t k);
void topk(Recorder& rec, const TopkArgs& args);

}  // namespace dragoman::ops
