// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"
#include "shared/sample.h"

namespace dragoman::ops {

// Puts a drawn column and its value in the place of each row's best, which topk found with k = 1. The random numbers
// are Philox4x32-10's for the row's SampleInput and step.
struct SampleArgs {
    Tensor x;              // [rows, cols] f32
    BufferView records;    // of x; their sums are overwritten
    BufferView inputs;     // shared::SampleInput [places]
    BufferView live_rows;  // uint [capacity]: place of each row
    BufferView position;   // uint [places]: its step
    BufferView values;     // f32 [capacity]
    BufferView columns;    // uint [capacity]
    Extent rows;
};
void sample(Recorder& rec, const SampleArgs& args);

}  // namespace dragoman::ops
