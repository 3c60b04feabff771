// SPDX-License-Identifier: Apache-2.0
#include "nn/layers.h"

namespace dragoman::nn {

using ops::Tensor;

Linear load_linear(WeightStore& store, const std::string& scope, uint32_t n, uint32_t k) {
    return {.weight = store.matrix(scope + "/weight", n, k), .bias = store.optional_vector(scope + "/bias", n)};
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
    args.w = linear.weight;
    ops::matmul(rec, args);
}

Norm load_norm(WeightStore& store, const std::string& scope, uint32_t d, bool rms, float epsilon) {
    return {.gamma = store.vector(scope + "/gamma", d),
            .beta = rms ? ops::BufferView() : store.vector(scope + "/beta", d),
            .epsilon = epsilon};
}

void record_norm(ops::Recorder& rec, const Norm& norm, const Tensor& x, const Tensor& y, const ops::Extent& rows) {
    ops::layer_norm(rec, {.x = x,
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
