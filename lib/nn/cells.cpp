// SPDX-License-Identifier: Apache-2.0
#include "nn/cells.h"

namespace dragoman::nn {

using ops::Tensor;

namespace {

// Gamma and beta of a norm; no values for a beta that it lacks.
std::vector<float> gamma_and_beta(const WeightStore& store, const std::string& scope, uint32_t n) {
    std::vector<float> values(2ull * n);
    spec::to_f32(store.host().get(scope + "/gamma", {n}), 0, std::span(values).first(n));
    if (store.has(scope + "/beta")) spec::to_f32(store.host().get(scope + "/beta", {n}), 0, std::span(values).last(n));
    return values;
}

}  // namespace

NormedLinear load_normed_linear(WeightStore& store, const std::string& scope, uint32_t n, uint32_t k, bool norm,
                                float epsilon) {
    NormedLinear normed{.linear = load_linear(store, scope, n, k), .norm = {}};
    if (!norm) return normed;
    const std::vector<float> values = gamma_and_beta(store, scope + "/norm", n);
    normed.norm = {.gamma = store.vector(scope + "/norm/gamma", n),
                   .beta = store.values(scope + "/norm/any_beta", std::span(values).last(n)),
                   .epsilon = epsilon};
    return normed;
}

Tensor record_normed_linear(ops::Recorder& rec, const NormedLinear& normed, const Tensor& x, const Tensor& scratch,
                            Activations& a) {
    const Tensor y = record_linear(rec, normed.linear, x, scratch, a);
    if (normed.norm.gamma) record_norm(rec, normed.norm, y, y, a.rows);
    return y;
}

Cell load_cell(WeightStore& store, const std::string& scope, const spec::RecurrentUnit& unit, uint32_t inputs,
               uint32_t d) {
    const uint32_t wide = unit.gates() * d;
    Cell cell{.kind = cell_kind(unit), .input = {}, .state = load_linear(store, scope + "/state", wide, d)};
    if (inputs > 0) cell.input = load_linear(store, scope + "/input", wide, inputs);
    else cell.constant = store.vector(scope + "/constant", wide);
    if (unit.norm == spec::CellNorm::none) return cell;
    const auto norm = [&](const std::string& product) {
        const std::string name = scope + "/" + product + "/norm";
        return store.values(name, gamma_and_beta(store, name, wide));
    };
    if (inputs > 0) cell.norm.input = norm("input");
    cell.norm.state = norm("state");
    cell.norm.first = unit.norm == spec::CellNorm::parts ? 2 * d : wide;
    cell.norm.epsilon = unit.norm_epsilon;
    return cell;
}

void record_cell(ops::Recorder& rec, const Cell& cell, const CellState& state, ops::GatedCellArgs args,
                 Activations& a) {
    args.cell = cell.kind;
    args.constant = cell.constant;
    args.product = record_linear(rec, cell.state, state.hidden, state.product, a);
    args.norm = cell.norm;
    args.state = state.state;
    args.y = state.hidden;
    args.rows = a.rows;
    ops::gated_cell(rec, args);
}

}  // namespace dragoman::nn
