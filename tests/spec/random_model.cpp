// SPDX-License-Identifier: Apache-2.0
#include "spec/random_model.h"

#include <cmath>

#include "base/half.h"

namespace dragoman::test {

RandomModel::RandomModel(const spec::TransformerConfig& c, const Options& options)
    : config(c), options_(options), engine_(options.seed), width_(c.source_width()) {
    if (c.has_encoder()) {
        add("encoder/embeddings_0/weight", {c.source_vocabulary, width_}, 1.5f);
        stack("encoder", c.encoder, c.encoder_ffn, false);
    }
    width_ = c.d_model;
    if (options.tied) {
        if (c.has_encoder()) weights.alias("decoder/embeddings/weight", "encoder/embeddings_0/weight");
        else add("decoder/embeddings/weight", {c.target_vocabulary, c.d_model}, 1.5f);
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
    weights.add(name, {.dtype = DType::f32,
                       .shape = std::move(shape),
                       .bytes = std::as_bytes(std::span(values)),
                       .scales = {}});
}

void RandomModel::linear(const std::string& scope, uint32_t n, uint32_t k) {
    add(scope + "/weight", {n, k}, 1.7f / std::sqrt(float(k)));
    if (options_.biases) add(scope + "/bias", {n}, 0.3f);
}

void RandomModel::norms(const std::string& scope, const std::string& letters) {
    if (letters.find_first_of("nr") == std::string::npos) return;
    add(scope + "/gamma", {width_}, 0.5f, 1.0f);
    if (letters.find('n') != std::string::npos) add(scope + "/beta", {width_}, 0.3f);
}

void RandomModel::around(const std::string& scope, const spec::StackConfig& stack) {
    const std::string norm = stack.rms_norm ? "r" : "n";
    if (!stack.custom_order) return norms(scope + "/layer_norm", norm);
    norms(scope + "/layer_norm", stack.before);
    const bool twice = stack.before.find_first_of("nr") != std::string::npos;
    norms(scope + (twice ? "/output_layer_norm" : "/layer_norm"), stack.after);
    if (stack.after.find('h') != std::string::npos) linear(scope + "/highway", width_, width_);
}

void RandomModel::earlier(const std::string& layer) {
    const uint32_t d = width_;
    const bool average = config.autoregression == spec::Autoregression::average_attention;
    const std::string scope = layer + (average ? "/average" : "/rnn");
    around(scope, config.decoder);
    if (average) {
        uint32_t width = d;
        for (uint32_t i = 0; i + 1 < config.average_ffn_depth; ++i, width = config.average_ffn)
            linear(scope + "/ffn/linear_" + std::to_string(i), config.average_ffn, width);
        if (width != d) linear(scope + "/ffn/linear_" + std::to_string(config.average_ffn_depth - 1), d, width);
        if (!config.average_gate) return;
        linear(scope + "/input_gate", d, d);
        linear(scope + "/forget_gate", d, d);
        return;
    }
    if (config.autoregression == spec::Autoregression::ssru) {
        const float reach = 1.7f / std::sqrt(float(d));
        add(scope + "/candidate/weight", {d, d}, reach);
        linear(scope + "/forget", d, d);
        if (config.recurrence_norm) {
            add(scope + "/candidate_norm/gamma", {d}, 0.5f, 1.0f);
            add(scope + "/forget_norm/gamma", {d}, 0.5f, 1.0f);
        }
    } else {
        linear(scope + "/input", 3 * d, d);
        add(scope + "/state/weight", {3 * d, d}, 1.7f / std::sqrt(float(d)));
    }
    if (config.recurrence_output) linear(scope + "/output", d, d);
}

void RandomModel::stack(const std::string& scope, const spec::StackConfig& stack, uint32_t ffn, bool decoder) {
    const uint32_t d = width_, width = stack.heads * stack.head_dim;
    const std::string norm = stack.rms_norm ? "r" : "n";
    if (stack.positions == spec::Positions::table)
        add(scope + "/position_encodings/encodings", {stack.max_positions, d}, 1.0f);
    norms(scope + "/layernorm_embedding", stack.custom_order     ? stack.after_embedding
                                          : stack.embedding_norm ? norm
                                                                 : "");
    const bool attends = !decoder || config.autoregression == spec::Autoregression::self_attention;
    if (stack.relative_buckets && attends)
        add(scope + "/layer_0/self_attention/relative_attention_bias", {stack.relative_buckets, stack.heads}, 2.0f);
    for (uint32_t i = 0; i < stack.layers; ++i) {
        const std::string layer = scope + "/layer_" + std::to_string(i);
        if (attends) {
            around(layer + "/self_attention", stack);
            linear(layer + "/self_attention/linear_0", 3 * width, d);
            if (stack.attention_output) linear(layer + "/self_attention/linear_1", d, width);
        } else {
            earlier(layer);
        }
        if (decoder && config.has_encoder()) {
            around(layer + "/attention", stack);
            linear(layer + "/attention/linear_0", width, d);
            linear(layer + "/attention/linear_1", 2 * width, config.source_width());
            if (stack.attention_output) linear(layer + "/attention/linear_2", d, width);
        }
        around(layer + "/ffn", stack);
        uint32_t ffn_in = d;
        for (uint32_t j = 0; j + 1 < stack.ffn_depth; ++j, ffn_in = ffn)
            linear(layer + "/ffn/linear_" + std::to_string(j), ffn, ffn_in);
        if (stack.gated_ffn) linear(layer + "/ffn/linear_0_noact", ffn, d);
        linear(layer + "/ffn/linear_" + std::to_string(stack.ffn_depth - 1), d, ffn_in);
    }
    const std::string top = stack.custom_order ? stack.after_stack : stack.final_norm ? norm : "";
    norms(scope + "/layer_norm", top);
    if (top.find('h') != std::string::npos) linear(scope + "/highway", d, d);
}

}  // namespace dragoman::test
