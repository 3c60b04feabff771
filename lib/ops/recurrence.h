// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/tensor.h"

namespace dragoman::ops {

// Recurrent states of all cache rows, f32 whatever the activations are. Live row i is cache row c = live_rows[i] at
// step t = position[c]; cache row c belongs to slot c / beam. What row c holds after step t is row
// (t & 1) * cache_rows + c of `states`; step t reads what its hypothesis held after step t - 1, of beam
// ancestry[t & 1][c][t - 1] of the slot (beam 1: c itself), and zeros at step 0. The two halves let beams be reordered
// without a copy.
struct Recurrence {
    Tensor states;         // f32 [2 * cache_rows, cols], stride cols
    BufferView live_rows;  // uint per live row
    BufferView position;   // uint per cache row
    BufferView ancestry;   // uint [2][cache_rows][max_steps]; ignored when beam is 1
    uint32_t cache_rows = 0;
    uint32_t max_steps = 0;
    uint32_t beam = 1;
};

// All other tensors are [live rows, ...] of one type, f32 or f16.

// c' = s c + (1 - s) candidate, s = sigmoid(forget), y = relu(c'). The two inputs may be one tensor of 2 cols: the
// columns from `forget_column` on are the second. y may be one of two.
void ssru_step(Recorder& rec, const Recurrence& recurrence, const Tensor& candidate, const Tensor& forget,
               uint32_t forget_column, const Tensor& y, const Extent& rows);

// Takes the products of the input (bias added) and of the previous state, [live rows, 3 cols] in the order reset,
// update, candidate: r = sigmoid(x_r + u_r), z = sigmoid(x_z + u_z), h = tanh(x_h + r u_h), y = s' = (1 - z) h + z s.
void gru_step(Recorder& rec, const Recurrence& recurrence, const Tensor& input, const Tensor& state_product,
              const Tensor& y, const Extent& rows);

// y = a' = (t a + x) / (t + 1): the mean of the inputs of steps 0 ... t. y may be x.
void average_step(Recorder& rec, const Recurrence& recurrence, const Tensor& x, const Tensor& y, const Extent& rows);

// y = the state after the previous step.
void load_state(Recorder& rec, const Recurrence& recurrence, const Tensor& y, const Extent& rows);

}  // namespace dragoman::ops
