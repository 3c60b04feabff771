// SPDX-License-Identifier: Apache-2.0
#include "nn/layers.h"

#include <cmath>

namespace dragoman::nn {

using ops::Tensor;

Linear load_linear(WeightStore& store, const std::string& scope, uint32_t n, uint32_t k) {
    return {.parts = store.parts(scope + "/weight", n, k), .bias = store.optional_vector(scope + "/bias", n)};
}

Tensor record_linear(ops::Recorder& rec, const Linear& linear, const Tensor& x, const Tensor& scratch,
                     const Activations& a) {
    const Tensor y = narrowed(scratch, linear.outputs());
    record_product(rec, linear, {.x = x, .y = y}, a);
    return y;
}

void record_product(ops::Recorder& rec, const Linear& linear, ops::MatmulArgs args, const Activations& a) {
    args.bias = linear.bias;
    args.rows = a.rows;
    bool measured = false;
    for (const MatrixPart& part : linear.parts) {
        if (part.weight.dtype != DType::i8) {
            args.w = part.weight;
            ops::matmul(rec, args);
            continue;
        }
        const bool dynamic = part.input_scale == 0.0f;
        if (dynamic && !measured) ops::row_maxima(rec, args.x, a.sentences, a.maxima, a.rows);
        measured |= dynamic;
        ops::matmul_int8(rec, {.x = args.x,
                               .input_scale = part.input_scale,
                               .maxima = dynamic ? a.maxima : ops::BufferView(),
                               .row_groups = dynamic ? a.sentences : ops::RowGroups(),
                               .w = part.weight,
                               .units = part.units,
                               .column = part.begin,
                               .bias = args.bias,
                               .activation = args.activation,
                               .gate = args.gate,
                               .residual = args.residual,
                               .y = args.y,
                               .scale = args.scale,
                               .rows = args.rows});
    }
}

Norm load_norm(WeightStore& store, const std::string& scope, uint32_t d, const StackConfig& stack) {
    return {.gamma = store.vector(scope + "/gamma", d),
            .beta = stack.rms_norm ? ops::BufferView() : store.vector(scope + "/beta", d),
            .epsilon = stack.norm_epsilon};
}

void record_norm(ops::Recorder& rec, const Norm& norm, const Tensor& x, const Tensor& y, const ops::Extent& rows) {
    ops::layer_norm(rec, {.x = x,
                          .gamma = norm.gamma,
                          .beta = norm.beta,
                          .y = y,
                          .epsilon = norm.epsilon,
                          .rows = rows});
}

FeedForward load_feed_forward(WeightStore& store, const std::string& scope, const StackConfig& stack,
                              uint32_t d_model, uint32_t ffn) {
    FeedForward block{.norm = load_norm(store, scope + "/layer_norm", d_model, stack),
                      .in = load_linear(store, scope + "/linear_0", ffn, d_model),
                      .out = load_linear(store, scope + "/linear_1", d_model, ffn),
                      .activation = stack.activation};
    if (stack.gated_ffn) block.gate = load_linear(store, scope + "/linear_0_noact", ffn, d_model);
    return block;
}

SelfAttention load_self_attention(WeightStore& store, const std::string& scope, const StackConfig& stack,
                                  uint32_t d_model, const ops::Heads& heads) {
    const uint32_t width = stack.heads * stack.head_dim;
    return {.norm = load_norm(store, scope + "/layer_norm", d_model, stack),
            .qkv = load_linear(store, scope + "/linear_0", 3 * width, d_model),
            .out = load_linear(store, scope + "/linear_1", d_model, width),
            .heads = heads};
}

CrossAttention load_cross_attention(WeightStore& store, const std::string& scope, const StackConfig& stack,
                                    uint32_t d_model) {
    const uint32_t width = stack.heads * stack.head_dim;
    ops::Heads heads{.count = stack.heads, .head_dim = stack.head_dim, .scale = stack.cross_attention_scale};
    if (heads.scale == 0.0f) heads.scale = 1.0f / std::sqrt(float(stack.head_dim));
    return {.norm = load_norm(store, scope + "/layer_norm", d_model, stack),
            .query = load_linear(store, scope + "/linear_0", width, d_model),
            .memory = load_linear(store, scope + "/linear_1", 2 * width, d_model),
            .out = load_linear(store, scope + "/linear_2", d_model, width),
            .heads = heads};
}

Tensor narrowed(const Tensor& scratch, uint32_t cols) {
    Tensor t = scratch;
    t.cols = cols;
    t.stride = cols;
    return t;
}

Tensor block_input(ops::Recorder& rec, const Activations& a, const Norm& norm, bool pre_norm) {
    if (!pre_norm) return a.x;
    record_norm(rec, norm, a.x, a.normed, a.rows);
    return a.normed;
}

void block_output(ops::Recorder& rec, const Activations& a, const Norm& norm, bool pre_norm, const Linear& out,
                  const Tensor& y) {
    record_product(rec, out, {.x = y, .residual = a.x, .y = pre_norm ? a.x : a.normed}, a);
    if (!pre_norm) record_norm(rec, norm, a.normed, a.x, a.rows);
}

void record_feed_forward(ops::Recorder& rec, const FeedForward& ffn, const Activations& a, bool pre_norm) {
    const Tensor input = block_input(rec, a, ffn.norm, pre_norm);
    const Tensor hidden = narrowed(a.wide, ffn.in.outputs());
    Tensor gate;
    if (ffn.gate) gate = record_linear(rec, ffn.gate, input, a.gate, a);
    record_product(rec, ffn.in, {.x = input, .activation = ffn.activation, .gate = gate, .y = hidden}, a);
    block_output(rec, a, ffn.norm, pre_norm, ffn.out, hidden);
}

}  // namespace dragoman::nn
