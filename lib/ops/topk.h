// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

inline constexpr uint32_t kMaxTopK = 128;

// The records that topk reads: for every 64 columns their maximum, its place, and the sum of their exponentials. They
// have the same bits whether record_columns or the matmul that made the columns wrote them (MatmulArgs::records).
uint64_t column_records_bytes(uint32_t capacity, uint32_t cols);
void record_columns(Recorder& rec, const Tensor& x, const BufferView& records, const Extent& rows);

// Finds the k largest of each row, sorted descending, equal values by ascending column, and the row's log(sum(exp(x))).
// Columns <= -1e30 and NaN are disabled: they add nothing to the sum and are never listed. With fewer than k enabled
// columns the tail is (-inf, 0xffffffff); with none log_sum is -1e30. log_sum does not depend on k.
struct TopkArgs {
    Tensor x;  // [rows, cols] f32; not read for k = 1
    BufferView records;  // records of x
    uint32_t k = 1;  // <= kMaxTopK
    BufferView values;  // f32 [capacity, k]
    BufferView columns;  // uint [capacity, k]
    BufferView log_sum;  // f32 [capacity]
    Extent rows;
};
void topk(Recorder& rec, const TopkArgs& args);

}  // namespace dragoman::ops
