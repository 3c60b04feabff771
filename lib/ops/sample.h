// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"
#include "shared/sample.h"

namespace dragoman::ops {

// Replaces each row's best column, which topk found with k = 1, by a drawn column and its value. The random numbers are
// Philox4x32-10's for the row's SampleInput and step.
struct SampleArgs {
    Tensor x;  // [rows, cols] f32
    BufferView records;  // records of x; their sums are overwritten
    BufferView inputs;  // shared::SampleInput [places]
    BufferView live_rows;  // uint [capacity]: place of each row
    BufferView position;  // uint [places]: the place's step
    BufferView values;  // f32 [capacity]
    BufferView columns;  // uint [capacity]
    Extent rows;
};
void sample(Recorder& rec, const SampleArgs& args);

}  // namespace dragoman::ops
