// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/recurrence.h"

namespace dragoman::ops {

// The gates of a row in this order, `cols` values each.
enum class GatedCell : uint32_t {
    gru = 3,   // reset, update, candidate
    lstm = 4,  // forget, input, candidate, output
};
inline uint32_t state_cols(GatedCell cell, uint32_t cols) { return cell == GatedCell::lstm ? 2 * cols : cols; }

// Layer norm of a product's row: gamma, then beta, of all gates.
struct GateNorm {
    BufferView input, state;  // [2 gates cols] f32
    uint32_t first = 0;       // columns that have one mean and variance, the rest have another; 0: no norms
    float epsilon = 1e-9f;
};

// One token of every sentence: the one at `time`, counted from the sentence's end if backward. Sentences that have no
// such token keep their states.
struct GatedTime {
    BufferView sentence_begin;  // uint per sentence, and the end; empty: rows are not sentences
    uint32_t time = 0;
    bool backward = false;
};

struct GatedCellArgs {
    GatedCell cell = GatedCell::gru;
    Tensor input{};         // [rows or tokens, gates cols]: W x, biases added; empty: there is none, then
    BufferView constant{};  // [gates cols] f32 takes its place
    Tensor product;         // [rows, gates cols]: U h of the state before
    GateNorm norm{};
    Tensor state;           // f32 [rows, state_cols]: hidden state, then memory cells; before and after
    Tensor y;               // [rows, cols]: the hidden state after
    GatedTime at{};
    Tensor residual{};      // [rows or tokens, cols], optional
    Tensor out{};           // optional: the hidden state after, plus the residual, from column out_column on
    uint32_t out_column = 0;
    Extent rows;
};

// With x and u, the input and the product after their norms. GRU (Cho et al. 2014):
//   r = sigmoid(x_r + u_r), z = sigmoid(x_z + u_z), h' = (1 - z) tanh(x_h + r u_h) + z h.
// LSTM: c' = sigmoid(x_f + u_f) c + sigmoid(x_i + u_i) tanh(x_c + u_c), h' = sigmoid(x_o + u_o) tanh(c').
void gated_cell(Recorder& rec, const GatedCellArgs& args);

// state and y = the state after the step before. At step 0 hidden state and memory cells both are the row of
// `start` (f32 [tokens, cols]) where the slot's source begins.
void recall_cell(Recorder& rec, const Recurrence& recurrence, const Tensor& start, const BufferView& source_begin,
                 const Tensor& state, const Tensor& y, const Extent& rows);
// Keeps the state after the last cell of a step.
void keep_cell(Recorder& rec, const Recurrence& recurrence, const Tensor& state, const Extent& rows);

// y [sentences, cols] = the mean of each sentence's rows of x.
void sentence_mean(Recorder& rec, const Tensor& x, const BufferView& sentence_begin, const Tensor& y,
                   const Extent& sentences);
// y (f32) = tanh of each sentence's row of x, in the row of its first token; the other rows stay as they are.
void start_state(Recorder& rec, const Tensor& x, const BufferView& sentence_begin, const Tensor& y,
                 const Extent& sentences);

}  // namespace dragoman::ops
