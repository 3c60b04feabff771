// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "nn/layers.h"
#include "ops/gated_cell.h"
#include "spec/recurrent_config.h"

namespace dragoman::nn {

// Recurrent cells with gates, and products with norms behind them, as recurrent attention models have them.

// norm(x W^T + b).
struct NormedLinear {
    Linear linear;
    Norm norm;  // gamma empty: none
};
NormedLinear load_normed_linear(WeightStore& store, const std::string& scope, uint32_t n, uint32_t k, bool norm,
                                float epsilon);
ops::Tensor record_normed_linear(ops::Recorder& rec, const NormedLinear& normed, const ops::Tensor& x,
                                 const ops::Tensor& scratch, Activations& a);

struct Cell {
    ops::GatedCell kind = ops::GatedCell::gru;
    Linear input;               // empty: what enters is the constant
    ops::BufferView constant{};
    Linear state;
    ops::GateNorm norm{};
};
// inputs 0: none. d: of the state.
Cell load_cell(WeightStore& store, const std::string& scope, const spec::RecurrentUnit& unit, uint32_t inputs,
               uint32_t d);
inline ops::GatedCell cell_kind(const spec::RecurrentUnit& unit) {
    return unit.cell == spec::RecurrentCell::lstm ? ops::GatedCell::lstm : ops::GatedCell::gru;
}

// Where a cell's state is, and the hidden state in the type of products.
struct CellState {
    ops::Tensor state;    // f32 [rows, state_cols]
    ops::Tensor hidden;   // [rows, d]
    ops::Tensor product;  // [rows, gates d]: scratch
};
// One step. `args` brings input, at, residual, out and out_column.
void record_cell(ops::Recorder& rec, const Cell& cell, const CellState& state, ops::GatedCellArgs args,
                 Activations& a);

}  // namespace dragoman::nn
