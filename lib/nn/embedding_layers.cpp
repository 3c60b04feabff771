// SPDX-License-Identifier: Apache-2.0
#include "nn/embedding_layers.h"

#include <fmt/format.h>

namespace dragoman::nn {

EmbeddingLayers::EmbeddingLayers(std::shared_ptr<vulkan::Context> context, const spec::EmbeddingSpec& spec,
                                 uint32_t d_model, const spec::WeightMap& weights)
    : store_(std::move(context), weights, DType::f32) {
    if (spec.pooler) pooler_.push_back({load_linear(store_, "embedding/pooler", d_model, d_model), Activation::tanh});
    uint32_t width = d_model;
    for (std::size_t i = 0; i < spec.dense.size(); ++i) {
        const spec::DenseLayer& layer = spec.dense[i];
        dense_.push_back({load_linear(store_, fmt::format("embedding/dense_{}", i), layer.outputs, width),
                          layer.activation});
        width = layer.outputs;
    }
}

void record_dense(ops::Recorder& rec, const EmbeddingLayers::Dense& dense, const ops::Tensor& x, const ops::Tensor& y,
                  const ops::Extent& rows) {
    Activations a;
    a.rows = rows;
    record_product(rec, dense.linear, {.x = x, .activation = dense.activation, .y = y}, a);
}

}  // namespace dragoman::nn
