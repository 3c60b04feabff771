// SPDX-License-Identifier: Apache-2.0
#include "model/transformer_tensors.h"

namespace dragoman::model {
namespace {

class RuleList {
public:
    explicit RuleList(const nn::TransformerConfig& config) : config_(config) {}

    std::vector<TensorRule> build() {
        add("encoder/embeddings_0/weight", {config_.source_vocabulary, config_.d_model});
        stack("encoder/", config_.encoder, config_.encoder_ffn, false);
        add("decoder/embeddings/weight", {config_.target_vocabulary, config_.d_model});
        stack("decoder/", config_.decoder, config_.decoder_ffn, true);
        linear("decoder/projection", config_.target_vocabulary, config_.d_model);
        return std::move(rules_);
    }

private:
    void add(std::string name, std::vector<uint32_t> shape, bool required = true) {
        rules_.push_back({std::move(name), std::move(shape), required});
    }

    void linear(const std::string& scope, uint32_t out, uint32_t in) {
        add(scope + "/weight", {out, in});
        add(scope + "/bias", {out}, false);
    }

    void norm(const std::string& scope, const nn::StackConfig& stack) {
        add(scope + "/gamma", {config_.d_model});
        if (!stack.rms_norm) add(scope + "/beta", {config_.d_model});
    }

    void stack(const std::string& scope, const nn::StackConfig& stack, uint32_t ffn, bool cross_attention) {
        const uint32_t d = config_.d_model;
        const uint32_t width = stack.heads * stack.head_dim;
        if (stack.positions == nn::Positions::table) {
            add(scope + "position_encodings/encodings", {stack.max_positions, d});
        }
        if (stack.embedding_norm) norm(scope + "layernorm_embedding", stack);
        if (stack.relative_buckets) {
            add(scope + "layer_0/self_attention/relative_attention_bias", {stack.relative_buckets, stack.heads});
        }
        for (uint32_t i = 0; i < stack.layers; ++i) {
            const std::string layer = scope + "layer_" + std::to_string(i);
            norm(layer + "/self_attention/layer_norm", stack);
            linear(layer + "/self_attention/linear_0", 3 * width, d);
            linear(layer + "/self_attention/linear_1", d, width);
            if (cross_attention) {
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
        if (stack.final_norm) norm(scope + "layer_norm", stack);
    }

    const nn::TransformerConfig& config_;
    std::vector<TensorRule> rules_;
};

}  // namespace

std::vector<TensorRule> transformer_tensors(const nn::TransformerConfig& config) { return RuleList(config).build(); }

}  // namespace dragoman::model
