// SPDX-License-Identifier: Apache-2.0
#include "nn/random_model.h"

#include <cmath>

#include "base/half.h"

namespace dragoman::test {

RandomModel::RandomModel(const nn::TransformerConfig& c, const Options& options)
    : config(c), options_(options), engine_(options.seed) {
    add("encoder/embeddings_0/weight", {c.source_vocabulary, c.d_model}, 1.5f);
    stack("encoder", c.encoder, c.encoder_ffn, false);
    if (options.tied) {
        weights.alias("decoder/embeddings/weight", "encoder/embeddings_0/weight");
        weights.alias("decoder/projection/weight", "decoder/embeddings/weight");
    } else {
        add("decoder/embeddings/weight", {c.target_vocabulary, c.d_model}, 1.5f);
        add("decoder/projection/weight", {c.target_vocabulary, c.d_model}, 1.7f / std::sqrt(float(c.d_model)));
    }
    if (options.biases) add("decoder/projection/bias", {c.target_vocabulary}, 0.5f);
    stack("decoder", c.decoder, c.decoder_ffn, true);
}

void RandomModel::add(const std::string& name, std::vector<uint32_t> shape, float reach, float centre) {
    std::size_t count = 1;
    for (const uint32_t size : shape) count *= size;
    std::vector<float>& values = values_.emplace_back(count);
    for (float& value : values) {
        value = centre + reach * (float(engine_() >> 8) * 0x1p-23f - 1.0f);
        if (options_.exact_in == DType::f16) value = from_half(to_half(value));
    }
    weights.add(name, {.dtype = DType::f32, .shape = std::move(shape), .bytes = std::as_bytes(std::span(values)),
                       .scales = {}});
}

void RandomModel::linear(const std::string& scope, uint32_t n, uint32_t k) {
    add(scope + "/weight", {n, k}, 1.7f / std::sqrt(float(k)));
    if (options_.biases) add(scope + "/bias", {n}, 0.3f);
}

void RandomModel::norm(const std::string& scope, const nn::StackConfig& stack) {
    add(scope + "/gamma", {config.d_model}, 0.5f, 1.0f);
    if (!stack.rms_norm) add(scope + "/beta", {config.d_model}, 0.3f);
}

void RandomModel::stack(const std::string& scope, const nn::StackConfig& stack, uint32_t ffn, bool cross) {
    const uint32_t d = config.d_model, width = stack.heads * stack.head_dim;
    if (stack.positions == nn::Positions::table)
        add(scope + "/position_encodings/encodings", {stack.max_positions, d}, 1.0f);
    if (stack.embedding_norm) norm(scope + "/layernorm_embedding", stack);
    if (stack.relative_buckets)
        add(scope + "/layer_0/self_attention/relative_attention_bias", {stack.relative_buckets, stack.heads}, 2.0f);
    for (uint32_t i = 0; i < stack.layers; ++i) {
        const std::string layer = scope + "/layer_" + std::to_string(i);
        norm(layer + "/self_attention/layer_norm", stack);
        linear(layer + "/self_attention/linear_0", 3 * width, d);
        linear(layer + "/self_attention/linear_1", d, width);
        if (cross) {
            norm(layer + "/attention/layer_norm", stack);
            linear(layer + "/attention/linear_0", width, d);
            linear(layer + "/attention/linear_1", 2 * width, d);
            linear(layer + "/attention/linear_2", d, width);
        }
        norm(layer + "/ffn/layer_norm", stack);
        linear(layer + "/ffn/linear_0", ffn, d);
        if (stack.gated_ffn) linear(layer + "/ffn/linear_0_noact", ffn, d);
        linear(layer + "/ffn/linear_1", d, ffn);
    }
    if (stack.final_norm) norm(scope + "/layer_norm", stack);
}

}  // namespace dragoman::test
