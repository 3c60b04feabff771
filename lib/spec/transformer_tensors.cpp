// SPDX-License-Identifier: Apache-2.0
#include "spec/transformer_tensors.h"

#include "spec/operation_order.h"

namespace dragoman::spec {
namespace {

class TransformerRules {
public:
    explicit TransformerRules(const TransformerConfig& config) : config_(config) {}

    std::vector<TensorRule> build() {
        if (config_.has_encoder()) {
            d_ = config_.source_width();
            add("encoder/embeddings_0/weight", {config_.source_vocabulary, d_});
            stack("encoder/", config_.encoder, config_.encoder_ffn, false);
        }
        if (config_.decoder.layers == 0) return std::move(rules_);
        d_ = config_.d_model;
        add("decoder/embeddings/weight", {config_.target_vocabulary, d_});
        stack("decoder/", config_.decoder, config_.decoder_ffn, true);
        linear("decoder/projection", config_.target_vocabulary, d_);
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

    // Adds nothing if there is no norm among the letters.
    void norm(const std::string& scope, const std::string& letters) {
        if (!has_norm(letters)) return;
        add(scope + "/gamma", {d_});
        if (has_letter(letters, 'n')) add(scope + "/beta", {d_});
    }

    // Adds the operations around a sub-layer.
    void surroundings(const std::string& scope, const OperationOrder& order) {
        norm(scope + "/layer_norm", order.before);
        norm(scope + (order.norms_twice() ? "/output_layer_norm" : "/layer_norm"), order.after);
        if (has_letter(order.after, 'h')) linear(scope + "/highway", d_, d_);
    }

    void attention_output(const std::string& scope, const StackConfig& stack) {
        if (stack.attention_output) linear(scope, d_, stack.heads * stack.head_dim);
    }

    // Adds linear_0 ... linear_(depth - 1); the last one only where the width is not d already.
    void feed_forward(const std::string& scope, uint32_t depth, uint32_t ffn, bool always_last) {
        const uint32_t d = d_;
        uint32_t width = d;
        for (uint32_t i = 0; i + 1 < depth; ++i, width = ffn)
            linear(scope + "/linear_" + std::to_string(i), ffn, width);
        if (always_last || width != d) linear(scope + "/linear_" + std::to_string(depth - 1), d, width);
    }

    void recurrence(const std::string& layer, const OperationOrder& order) {
        const uint32_t d = d_;
        const bool average = config_.autoregression == Autoregression::average_attention;
        const std::string scope = layer + (average ? "/average" : "/rnn");
        surroundings(scope, order);
        if (average) {
            feed_forward(scope + "/ffn", config_.average_ffn_depth, config_.average_ffn, false);
            if (config_.average_gate) {
                linear(scope + "/input_gate", d, d);
                linear(scope + "/forget_gate", d, d);
            }
            return;
        }
        if (config_.autoregression == Autoregression::ssru) {
            linear(scope + "/candidate", d, d);
            linear(scope + "/forget", d, d);
            if (config_.recurrence_norm) {
                add(scope + "/candidate_norm/gamma", {d});
                add(scope + "/forget_norm/gamma", {d});
            }
        } else {
            linear(scope + "/input", 3 * d, d);
            linear(scope + "/state", 3 * d, d);
        }
        if (config_.recurrence_output) linear(scope + "/output", d, d);
    }

    void stack(const std::string& scope, const StackConfig& stack, uint32_t ffn, bool decoder) {
        const uint32_t d = d_;
        const uint32_t width = stack.heads * stack.head_dim;
        const OperationOrder order = operation_order(stack);
        const bool recurrent = decoder && config_.autoregression != Autoregression::self_attention;
        if (stack.positions == Positions::table) {
            add(scope + "position_encodings/encodings", {stack.max_positions, d});
        }
        norm(scope + "layernorm_embedding", order.after_embedding);
        for (uint32_t i = 0; i < stack.layers; ++i) {
            const std::string layer = scope + "layer_" + std::to_string(i);
            if (recurrent) {
                recurrence(layer, order);
            } else {
                if (stack.relative_buckets && (i == 0 || stack.relative_bias_everywhere))
                    add(layer + "/self_attention/relative_attention_bias", {stack.relative_buckets, stack.heads});
                surroundings(layer + "/self_attention", order);
                linear(layer + "/self_attention/linear_0", 3 * width, d);
                attention_output(layer + "/self_attention/linear_1", stack);
            }
            if (decoder && config_.has_encoder()) {
                surroundings(layer + "/attention", order);
                linear(layer + "/attention/linear_0", width, d);
                linear(layer + "/attention/linear_1", 2 * width, config_.source_width());
                attention_output(layer + "/attention/linear_2", stack);
            }
            surroundings(layer + "/ffn", order);
            feed_forward(layer + "/ffn", stack.ffn_depth, ffn, true);
            if (stack.gated_ffn) linear(layer + "/ffn/linear_0_noact", ffn, d);
        }
        norm(scope + "layer_norm", order.after_stack);
        if (has_letter(order.after_stack, 'h')) linear(scope + "highway", d, d);
    }

    const TransformerConfig& config_;
    uint32_t d_ = 0;  // of the current stack
    std::vector<TensorRule> rules_;
};

}  // namespace

std::vector<TensorRule> transformer_tensors(const TransformerConfig& config) {
    return TransformerRules(config).build();
}

}  // namespace dragoman::spec
