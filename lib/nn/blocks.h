// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "nn/sublayer.h"

namespace dragoman::nn {

// The sub-layers of a Transformer.

struct FeedForward {
    Surroundings around;
    std::vector<Linear> hidden;  // each with an activation
    Linear gate{};               // optional, multiplies the first
    Linear out;
    Activation activation = Activation::relu;
};
FeedForward load_feed_forward(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                              uint32_t d_model, uint32_t ffn);
void record_feed_forward(ops::Recorder& rec, const FeedForward& ffn, Activations& a);

struct SelfAttention {
    Surroundings around;
    Linear qkv, out;  // out: optional
    ops::Heads heads;
};
SelfAttention load_self_attention(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                                  uint32_t d_model, const ops::Heads& heads);

struct CrossAttention {
    Surroundings around;
    Linear query, memory, out;  // out: optional
    ops::Heads heads;
};
CrossAttention load_cross_attention(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                                    uint32_t d_model, uint32_t source_width);

// Runs layers with activation one after the other, alternately in a.wide and a.second; returns the last one's output.
ops::Tensor record_layers(ops::Recorder& rec, const std::vector<Linear>& layers, const Linear& first_gate,
                          Activation activation, const ops::Tensor& x, Activations& a);

}  // namespace dragoman::nn
