// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "nn/layers.h"
#include "ops/gated_cell.h"
#include "spec/recurrent_config.h"

namespace dragoman::nn {

// Recurrent cells with gates, and products followed by norms, for recurrent attention models.

// norm(x W^T + b).
struct NormedLinear {
    Linear linear;
    Norm norm;  // gamma empty: no norm
};
NormedLinear load_normed_linear(WeightStore& store, const std::string& scope, uint32_t n, uint32_t k, bool norm,
                                float epsilon);
ops::Tensor record_normed_linear(ops::Recorder& rec, const NormedLinear& normed, const ops::Tensor& x,
                                 const ops::Tensor& scratch, Activations& a);

struct Cell {
    ops::GatedCell kind = ops::GatedCell::gru;
    Linear input;               // empty: the input is the constant
    ops::BufferView constant{};
    Linear state;
    ops::GateNorm norm{};
};
// inputs 0: it has none. d: width of the state.
Cell load_cell(WeightStore& store, const std::string& scope, const spec::RecurrentUnit& unit, uint32_t inputs,
               uint32_t d);
inline ops::GatedCell cell_kind(const spec::RecurrentUnit& unit) {
    return unit.cell == spec::RecurrentCell::lstm ? ops::GatedCell::lstm : ops::GatedCell::gru;
}

// A cell's state, and its hidden state in the type of products.
struct CellState {
    ops::Tensor state;    // f32 [rows, state_cols]
    ops::Tensor hidden;   // [rows, d]
    ops::Tensor product;  // [rows, gates d]: scratch
};
// Records one step. `args` has input, at, residual, out and out_column.
void record_cell(ops::Recorder& rec, const Cell& cell, const CellState& state, ops::GatedCellArgs args, Activations& a);

}  // namespace dragoman::nn
