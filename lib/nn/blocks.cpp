// SPDX-License-Identifier: Apache-2.0
#include "nn/blocks.h"

#include <cmath>

#include "base/error.h"

namespace dragoman::nn {

using ops::Tensor;

namespace {

Linear load_attention_output(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                             uint32_t d_model) {
    const uint32_t width = stack.heads * stack.head_dim;
    if (stack.attention_output) return load_linear(store, scope, d_model, width);
    if (width != d_model)
        fail(Status::bad_model, "{}: {} heads of {} without an output projection, where the model is {} wide", scope,
             stack.heads, stack.head_dim, d_model);
    return {};
}

}  // namespace

FeedForward load_feed_forward(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                              uint32_t d_model, uint32_t ffn) {
    if (stack.ffn_depth == 0) fail(Status::bad_model, "{}: a feed-forward block of no layers", scope);
    if (stack.gated_ffn && stack.ffn_depth == 1)
        fail(Status::bad_model, "{}: a gated feed-forward block of one layer", scope);
    FeedForward block{.around = load_surroundings(store, scope, stack, d_model),
                      .hidden = {},
                      .out = {},
                      .activation = stack.activation};
    uint32_t width = d_model;
    for (uint32_t i = 0; i + 1 < stack.ffn_depth; ++i, width = ffn)
        block.hidden.push_back(load_linear(store, fmt::format("{}/linear_{}", scope, i), ffn, width));
    block.out = load_linear(store, fmt::format("{}/linear_{}", scope, stack.ffn_depth - 1), d_model, width);
    if (stack.gated_ffn) block.gate = load_linear(store, scope + "/linear_0_noact", ffn, d_model);
    return block;
}

SelfAttention load_self_attention(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                                  uint32_t d_model, const ops::Heads& heads) {
    const uint32_t width = stack.heads * stack.head_dim;
    return {.around = load_surroundings(store, scope, stack, d_model),
            .qkv = load_linear(store, scope + "/linear_0", 3 * width, d_model),
            .out = load_attention_output(store, scope + "/linear_1", stack, d_model),
            .heads = heads};
}

CrossAttention load_cross_attention(WeightStore& store, const std::string& scope, const spec::StackConfig& stack,
                                    uint32_t d_model, uint32_t source_width) {
    const uint32_t width = stack.heads * stack.head_dim;
    ops::Heads heads{.count = stack.heads, .head_dim = stack.head_dim, .scale = stack.cross_attention_scale};
    if (heads.scale == 0.0f) heads.scale = 1.0f / std::sqrt(float(stack.head_dim));
    return {.around = load_surroundings(store, scope, stack, d_model),
            .query = load_linear(store, scope + "/linear_0", width, d_model),
            .memory = load_linear(store, scope + "/linear_1", 2 * width, source_width),
            .out = load_attention_output(store, scope + "/linear_2", stack, d_model),
            .heads = heads};
}

Tensor record_layers(ops::Recorder& rec, const std::vector<Linear>& layers, const Linear& first_gate,
                     Activation activation, const Tensor& x, Activations& a) {
    Tensor now = x;
    for (const Linear& layer : layers) {
        Tensor gate;
        if (first_gate && same_place(now, x)) gate = record_linear(rec, first_gate, x, a.gate, a);
        const Tensor y = narrowed(same_place(now, a.wide) ? a.second : a.wide, layer.outputs());
        record_product(rec, layer, {.x = now, .activation = activation, .gate = gate, .y = y}, a);
        now = y;
    }
    return now;
}

void record_feed_forward(ops::Recorder& rec, const FeedForward& ffn, Activations& a) {
    const Tensor input = block_input(rec, a, ffn.around);
    const Tensor hidden = record_layers(rec, ffn.hidden, ffn.gate, ffn.activation, input, a);
    block_output(rec, a, ffn.around, ffn.out, hidden);
}

}  // namespace dragoman::nn
