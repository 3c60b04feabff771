// SPDX-License-Identifier: Apache-2.0
#include "spec/fingerprint.h"

namespace dragoman::spec {
namespace {

void add_all(Fingerprint& to, const auto&... values) { (to.add(values), ...); }

// Bindings name every member, so that a new one does not compile until it is added here.
void add(Fingerprint& to, const StackConfig& stack) {
    const auto& [layers, heads, head_dim, pre_norm, final_norm, embedding_norm, rms_norm, custom_order, before, after,
                 after_embedding, after_stack, gated_ffn, activation, ffn_depth, attention_output, positions,
                 first_position, repeat_last_position, max_positions, embedding_scale, norm_epsilon, attention_scale,
                 cross_attention_scale, relative_buckets, relative_max_distance, relative_bias_everywhere] = stack;
    add_all(to, layers, heads, head_dim, pre_norm, final_norm, embedding_norm, rms_norm, custom_order,
            std::string_view(before), std::string_view(after), std::string_view(after_embedding),
            std::string_view(after_stack), gated_ffn, activation, ffn_depth, attention_output, positions,
            first_position, repeat_last_position, max_positions, embedding_scale, norm_epsilon, attention_scale,
            cross_attention_scale, relative_buckets, relative_max_distance, relative_bias_everywhere);
}

void add(Fingerprint& to, const RecurrentUnit& unit) {
    const auto& [cell, norm, norm_epsilon] = unit;
    add_all(to, cell, norm, norm_epsilon);
}

}  // namespace

void add(Fingerprint& to, const TransformerConfig& config) {
    const auto& [d_model, encoder_width, encoder_ffn, decoder_ffn, source_vocabulary, target_vocabulary, encoder,
                 decoder, start_from_zero_embedding, autoregression, recurrence_norm, recurrence_output, average_ffn,
                 average_ffn_depth, average_gate, average_activation, output_scale, wide_activations, alignment_layer,
                 alignment_first_head, alignment_heads, alignment_next_step] = config;
    add_all(to, d_model, encoder_width, encoder_ffn, decoder_ffn, source_vocabulary, target_vocabulary);
    add(to, encoder);
    add(to, decoder);
    add_all(to, start_from_zero_embedding, autoregression, recurrence_norm, recurrence_output, average_ffn,
            average_ffn_depth, average_gate, average_activation, output_scale, wide_activations, alignment_layer,
            alignment_first_head, alignment_heads, alignment_next_step);
}

void add(Fingerprint& to, const RecurrentConfig& config) {
    const auto& [source_vocabulary, target_vocabulary, embedding, state, encoder, decoder, bidirectional_layers,
                 alternating, forward_layers, encoder_depth, decoder_layers, base_depth, high_depth, skip, layer_norm,
                 norm_epsilon] = config;
    add_all(to, source_vocabulary, target_vocabulary, embedding, state);
    add(to, encoder);
    add(to, decoder);
    add_all(to, bidirectional_layers, alternating, forward_layers, encoder_depth, decoder_layers, base_depth,
            high_depth, skip, layer_norm, norm_epsilon);
}

}  // namespace dragoman::spec
