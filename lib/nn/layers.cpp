// SPDX-License-Identifier: Apache-2.0
#include "nn/layers.h"

#include <utility>

#include "nn/operations.h"
#include "ops/topk.h"

namespace dragoman::nn {

using ops::Tensor;

Linear load_linear(WeightStore& store, const std::string& scope, uint32_t n, uint32_t k) {
    return {.parts = store.parts(scope + "/weight", n, k), .bias = store.optional_vector(scope + "/bias", n)};
}

Linear load_joined_linear(WeightStore& store, const std::vector<std::string>& scopes, uint32_t n, uint32_t k) {
    std::vector<std::string> names;
    std::vector<float> biases;
    bool any = false;
    for (const std::string& scope : scopes) {
        names.push_back(scope + "/weight");
        biases.resize(biases.size() + n);
        if (!store.has(scope + "/bias")) continue;
        any = true;
        spec::to_f32(store.host().get(scope + "/bias", {n}), 0, std::span(biases).last(n));
    }
    return {.parts = store.joined_parts(names, n, k),
            .bias = any ? store.values(scopes.front() + "/joined_bias", biases) : ops::BufferView()};
}

Tensor record_linear(ops::Recorder& rec, const Linear& linear, const Tensor& x, const Tensor& scratch, Activations& a) {
    const Tensor y = narrowed(scratch, linear.outputs());
    record_product(rec, linear, {.x = x, .y = y}, a);
    return y;
}

namespace {

// Whether the product can include the pending norm: it reads the norm's result, and writes none of the norm's tensors.
bool takes_pending(const Linear& linear, const ops::MatmulArgs& args, const Activations& a) {
    if (!a.pending || linear.parts.front().weight.dtype == DType::i8) return false;
    const auto& [norm, x, y] = *a.pending;
    const auto apart = [](const Tensor& one, const Tensor& other) { return !one || !same_place(one, other); };
    return same_place(args.x, y) && apart(x, y) && apart(args.y, x) && apart(args.y, y) && apart(args.residual, y) &&
           apart(args.gate, y);
}

}  // namespace

void apply_pending_norm(ops::Recorder& rec, Activations& a) {
    if (!a.pending) return;
    const PendingNorm pending = *std::exchange(a.pending, std::nullopt);
    record_norm(rec, pending.norm, pending.x, pending.y, a.rows);
}

void record_product(ops::Recorder& rec, const Linear& linear, ops::MatmulArgs args, Activations& a) {
    if (a.cuts) a.cuts->before(operations(linear) * a.rows.capacity);
    args.bias = linear.bias;
    args.rows = a.rows;
    if (takes_pending(linear, args, a)) {
        const auto [norm, x, y] = *std::exchange(a.pending, std::nullopt);
        args.x = x;
        args.norm = {.gamma = norm.gamma, .beta = norm.beta, .epsilon = norm.epsilon, .y = y};
    }
    apply_pending_norm(rec, a);
    bool measured = false, int8 = false;
    for (const MatrixPart& part : linear.parts) {
        if (part.weight.dtype != DType::i8) {
            args.w = part.weight;
            args.column = part.begin;
            ops::matmul(rec, args);
            if (args.norm) args.x = args.norm.y;
            args.norm = {};
            continue;
        }
        int8 = true;
        const bool dynamic = part.input_scale == 0.0f && !part.panel_scales;
        const ops::RowGroups row_groups = part.scale_per_row ? ops::RowGroups() : a.sentences;
        if (dynamic && !measured) ops::row_maxima(rec, args.x, row_groups, a.maxima, a.rows);
        measured |= dynamic;
        ops::matmul_int8(rec, {.x = args.x,
                               .input_scale = part.input_scale,
                               .maxima = dynamic ? a.maxima : ops::BufferView(),
                               .row_groups = dynamic ? row_groups : ops::RowGroups(),
                               .panel_scales = part.panel_scales,
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
    if (args.records && int8) ops::record_columns(rec, args.y, args.records, args.rows);
}

ops::QueryProduct take_query_product(const Linear& linear, const Tensor& x, const Tensor& y, Activations& a) {
    if (linear.parts.size() != 1 || linear.parts.front().weight.dtype == DType::i8) return {};
    const bool normed = takes_pending(linear, {.x = x, .y = y}, a);
    if (a.pending && !normed) return {};
    ops::QueryProduct product{.x = x, .w = linear.parts.front().weight, .bias = linear.bias};
    if (normed) {
        const auto [norm, from, to] = *std::exchange(a.pending, std::nullopt);
        product.x = from;
        product.norm = {.gamma = norm.gamma, .beta = norm.beta, .epsilon = norm.epsilon, .y = to};
    }
    return product;
}

Norm load_norm(WeightStore& store, const std::string& scope, uint32_t d, bool rms, float epsilon) {
    return {.gamma = store.vector(scope + "/gamma", d),
            .beta = rms ? ops::BufferView() : store.vector(scope + "/beta", d),
            .epsilon = epsilon};
}

void record_norm(ops::Recorder& rec, const Norm& norm, const Tensor& x, const Tensor& y, const ops::Extent& rows,
                 const Tensor& residual) {
    ops::layer_norm(rec, {.x = x,
                          .residual = residual,
                          .gamma = norm.gamma,
                          .beta = norm.beta,
                          .y = y,
                          .epsilon = norm.epsilon,
                          .rows = rows});
}

Tensor narrowed(const Tensor& scratch, uint32_t cols) {
    Tensor t = scratch;
    t.cols = cols;
    t.stride = cols;
    return t;
}

}  // namespace dragoman::nn
