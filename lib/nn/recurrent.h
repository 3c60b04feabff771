// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "nn/blocks.h"
#include "ops/recurrence.h"

namespace dragoman::nn {

// Alternatives to self-attention in decoders. Scopes are "decoder/layer_i/rnn" and "decoder/layer_i/average".

struct Ssru {
    Surroundings around;
    Linear candidate, forget;  // without norms `candidate` computes both, 2 d_model outputs, and `forget` is empty
    Norm candidate_norm, forget_norm;  // gamma empty: no norm; otherwise the bias of `forget` is the norm's beta
    Linear out;                        // optional
};
Ssru load_ssru(WeightStore& store, const std::string& scope, const spec::TransformerConfig& config);
void record_block(ops::Recorder& rec, const Ssru& unit, const ops::Recurrence& recurrence, Activations& a);

struct Gru {
    Surroundings around;
    Linear input, state;  // 3 d_model outputs: reset, update, candidate
    Linear out;           // optional
};
Gru load_gru(WeightStore& store, const std::string& scope, const spec::TransformerConfig& config);
void record_block(ops::Recorder& rec, const Gru& unit, const ops::Recurrence& recurrence, Activations& a);

// y = f(norm(mean of the inputs x so far)), then sigmoid(input_gate x) x + sigmoid(forget_gate y) y.
struct AverageAttention {
    Surroundings around;
    std::vector<Linear> hidden;  // layers of f with activation
    Linear last;                 // the last layer of f, optional, without activation
    Linear input_gate, forget_gate;
    Activation activation = Activation::swish;
};
AverageAttention load_average_attention(WeightStore& store, const std::string& scope,
                                        const spec::TransformerConfig& config);
void record_block(ops::Recorder& rec, const AverageAttention& unit, const ops::Recurrence& recurrence, Activations& a);

}  // namespace dragoman::nn
