// SPDX-License-Identifier: Apache-2.0
#include "nn/recurrent.h"

#include "base/error.h"

namespace dragoman::nn {

using ops::Tensor;

namespace {

constexpr float kCellNormEpsilon = 1e-9f;

Norm load_cell_norm(WeightStore& store, const std::string& scope, uint32_t d, ops::BufferView beta) {
    if (!beta) beta = store.values(scope + "/zeros", std::vector<float>(d));
    return {.gamma = store.vector(scope + "/gamma", d), .beta = beta, .epsilon = kCellNormEpsilon};
}

Linear load_output(WeightStore& store, const std::string& scope, const spec::TransformerConfig& config) {
    return config.recurrence_output ? load_linear(store, scope + "/output", config.d_model, config.d_model) : Linear();
}

}  // namespace

Ssru load_ssru(WeightStore& store, const std::string& scope, const spec::TransformerConfig& config) {
    const uint32_t d = config.d_model;
    Ssru unit{.around = load_surroundings(store, scope, config.decoder, d),
              .candidate = {},
              .forget = {},
              .candidate_norm = {},
              .forget_norm = {},
              .out = load_output(store, scope, config)};
    if (!config.recurrence_norm) {
        unit.candidate = load_joined_linear(store, {scope + "/candidate", scope + "/forget"}, d, d);
    } else {
        unit.candidate = load_linear(store, scope + "/candidate", d, d);
        unit.forget = load_linear(store, scope + "/forget", d, d);
        unit.candidate_norm = load_cell_norm(store, scope + "/candidate_norm", d, {});
        unit.forget_norm = load_cell_norm(store, scope + "/forget_norm", d, unit.forget.bias);
        unit.forget.bias = {};
    }
    return unit;
}

Gru load_gru(WeightStore& store, const std::string& scope, const spec::TransformerConfig& config) {
    const uint32_t d = config.d_model;
    if (config.recurrence_norm) fail(Status::unsupported, "{}: gated recurrent units with layer norms inside", scope);
    return {.around = load_surroundings(store, scope, config.decoder, d),
            .input = load_linear(store, scope + "/input", 3 * d, d),
            .state = load_linear(store, scope + "/state", 3 * d, d),
            .out = load_output(store, scope, config)};
}

AverageAttention load_average_attention(WeightStore& store, const std::string& scope,
                                        const spec::TransformerConfig& config) {
    const uint32_t d = config.d_model;
    AverageAttention unit{.around = load_surroundings(store, scope, config.decoder, d),
                          .hidden = {},
                          .last = {},
                          .input_gate = {},
                          .forget_gate = {},
                          .activation = config.average_activation};
    uint32_t width = d;
    for (uint32_t i = 0; i + 1 < config.average_ffn_depth; ++i, width = config.average_ffn)
        unit.hidden.push_back(load_linear(store, fmt::format("{}/ffn/linear_{}", scope, i), config.average_ffn, width));
    if (width != d)
        unit.last = load_linear(store, fmt::format("{}/ffn/linear_{}", scope, config.average_ffn_depth - 1), d, width);
    if (config.average_gate) {
        unit.input_gate = load_linear(store, scope + "/input_gate", d, d);
        unit.forget_gate = load_linear(store, scope + "/forget_gate", d, d);
    }
    return unit;
}

void record_block(ops::Recorder& rec, const Ssru& unit, const ops::Recurrence& recurrence, Activations& a) {
    const Tensor input = block_input(rec, a, unit.around);
    const Tensor candidate = record_linear(rec, unit.candidate, input, a.wide, a);
    if (unit.forget) {
        const Tensor forget = record_linear(rec, unit.forget, input, a.second, a);
        record_norm(rec, unit.candidate_norm, candidate, candidate, a.rows);
        record_norm(rec, unit.forget_norm, forget, forget, a.rows);
        ops::ssru_step(rec, recurrence, candidate, forget, 0, a.normed, a.rows);
    } else {
        ops::ssru_step(rec, recurrence, candidate, candidate, a.x.cols, a.normed, a.rows);
    }
    block_output(rec, a, unit.around, unit.out, a.normed);
}

void record_block(ops::Recorder& rec, const Gru& unit, const ops::Recurrence& recurrence, Activations& a) {
    const Tensor input = record_linear(rec, unit.input, block_input(rec, a, unit.around), a.wide, a);
    ops::load_state(rec, recurrence, a.normed, a.rows);
    const Tensor state = record_linear(rec, unit.state, a.normed, a.second, a);
    ops::gru_step(rec, recurrence, input, state, a.normed, a.rows);
    block_output(rec, a, unit.around, unit.out, a.normed);
}

void record_block(ops::Recorder& rec, const AverageAttention& unit, const ops::Recurrence& recurrence, Activations& a) {
    apply_pending_norm(rec, a);  // a.x is read by other operations than products
    ops::average_step(rec, recurrence, a.x, a.normed, a.rows);
    record_before(rec, a, unit.around, a.normed);
    Tensor y = record_layers(rec, unit.hidden, {}, unit.activation, a.normed, a);
    if (unit.last) y = record_linear(rec, unit.last, y, a.normed, a);
    if (unit.input_gate) {
        const Tensor sum = other_scratch(a, y);
        const auto sigmoid = Activation::sigmoid;
        record_product(rec, unit.input_gate, {.x = a.x, .activation = sigmoid, .gate = a.x, .y = sum}, a);
        record_product(rec, unit.forget_gate, {.x = y, .activation = sigmoid, .gate = y, .residual = sum, .y = sum}, a);
        y = sum;
    }
    block_output(rec, a, unit.around, {}, y);
}

}  // namespace dragoman::nn
