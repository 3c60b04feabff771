// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/recurrence.h"

namespace dragoman::ops {

// A cell's gates, in the order of their values in a row, `cols` each.
enum class GatedCell : uint32_t {
    gru = 3,   // reset, update, candidate
    lstm = 4,  // forget, input, candidate, output
};
inline uint32_t state_cols(GatedCell cell, uint32_t cols) { return cell == GatedCell::lstm ? 2 * cols : cols; }

// Layer norm of a product's row: gamma, then beta, for all gates.
struct GateNorm {
    BufferView input, state;  // [2 gates cols] f32
    uint32_t first = 0;       // the columns up to here share one mean and variance, the rest another; 0: no norms
    float epsilon = 1e-9f;
};

// Selects one token of every sentence: the one at `time`, counted from the sentence's end if backward. Sentences
// without such a token keep their states.
struct GatedTime {
    BufferView sentence_begin;  // uint per sentence, and one for the end; empty: rows are not sentences
    uint32_t time = 0;
    bool backward = false;
};

struct GatedCellArgs {
    GatedCell cell = GatedCell::gru;
    Tensor input{};         // [rows or tokens, gates cols]: W x with biases; empty: `constant` is used
    BufferView constant{};  // [gates cols] f32, instead of an input
    Tensor product;         // [rows, gates cols]: U h of the previous state
    GateNorm norm{};
    Tensor state;           // f32 [rows, state_cols]: hidden state, then memory cells; updated
    Tensor y;               // [rows, cols]: the new hidden state
    GatedTime at{};
    Tensor residual{};      // [rows or tokens, cols], optional
    Tensor out{};           // optional: the new hidden state plus the residual, from column out_column on
    uint32_t out_column = 0;
    Extent rows;
};

// One step, where x and u are the input and the product after their norms. GRU (Cho et al. 2014): r = sigmoid(x_r +
// u_r), z = sigmoid(x_z + u_z), h' = (1 - z) tanh(x_h + r u_h) + z h. LSTM: c' = sigmoid(x_f + u_f) c + sigmoid(x_i +
// u_i) tanh(x_c + u_c), h' = sigmoid(x_o + u_o) tanh(c').
void gated_cell(Recorder& rec, const GatedCellArgs& args);

// Loads the state after the previous step into state and y. At step 0 hidden state and memory cells both are the row of
// `start` (f32 [tokens, cols]) where the slot's source begins.
void load_cell_state(Recorder& rec, const Recurrence& recurrence, const Tensor& start, const BufferView& source_begin,
                     const Tensor& state, const Tensor& y, const Extent& rows);
// Keeps the state after the last cell of a step.
void keep_cell(Recorder& rec, const Recurrence& recurrence, const Tensor& state, const Extent& rows);

// y [sentences, cols] = the mean of each sentence's rows of x.
void sentence_mean(Recorder& rec, const Tensor& x, const BufferView& sentence_begin, const Tensor& y,
                   const Extent& sentences);
// y (f32) = tanh of each sentence's row of x, written to the row of its first token; the other rows are unchanged.
void start_state(Recorder& rec, const Tensor& x, const BufferView& sentence_begin, const Tensor& y,
                 const Extent& sentences);

}  // namespace dragoman::ops
