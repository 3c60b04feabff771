// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/activation.h"

namespace dragoman::spec {

inline constexpr uint32_t kMaxHeadDim = 256;  // of attention heads: the kernels' limit

enum class Positions : uint8_t {
    none,       // a relative bias instead, or none
    sinusoid,   // generated: sines then cosines, frequencies over n - 1, from first_position on
    table,      // "<stack>/position_encodings/encodings"
};

// The part of a decoder layer that mixes earlier target tokens into the present one.
enum class Autoregression : uint8_t {
    self_attention,
    average_attention,  // the mean of the inputs so far, through a feed-forward block and a gate (Zhang et al. 2018)
    ssru,               // simpler simple recurrent unit (Kim et al. 2019)
    gru,
};

struct StackConfig {
    uint32_t layers = 0;
    uint32_t heads = 8;
    uint32_t head_dim = 0;        // usually d_model / heads
    bool pre_norm = true;
    bool final_norm = false;      // "<stack>/layer_norm"
    bool embedding_norm = false;  // "<stack>/layernorm_embedding"
    bool rms_norm = false;        // norms without beta
    // Marian's own order of operations, in its letters n (layer norm), r (RMS norm), a (add the input of the
    // sub-layer), h (highway gate); dropout is left out. Only with custom_order; then pre_norm, final_norm,
    // embedding_norm and rms_norm are not read.
    bool custom_order = false;
    std::string before = "", after = "an", after_embedding = "", after_stack = "";
    bool gated_ffn = false;       // ffn/linear_0_noact
    Activation activation = Activation::relu;
    uint32_t ffn_depth = 2;       // linear layers of the feed-forward block
    bool attention_output = true; // a projection after attention
    Positions positions = Positions::sinusoid;
    uint32_t first_position = 1;  // position of the first row: 1 in OpenNMT-tf, 0 in Marian, 2 in M2M-100
    bool repeat_last_position = false;  // tables: positions past the end use the last row
    uint32_t max_positions = 0;   // rows of the table; 0: unlimited
    float embedding_scale = 1.0f;
    float norm_epsilon = 1e-5f;
    float attention_scale = 0.0f;       // for self-attention; 0: 1 / sqrt(head_dim)
    float cross_attention_scale = 0.0f; // decoder only
    uint32_t relative_buckets = 0;      // T5; 0: none
    uint32_t relative_max_distance = 128;
    // UMT5: a table in every layer; otherwise the first layer's table serves all
    bool relative_bias_everywhere = false;
    bool operator==(const StackConfig&) const = default;
};

// A decoder of 0 layers means an encoder-only model, which has no target vocabulary.
struct TransformerConfig {
    uint32_t d_model = 0;
    uint32_t encoder_width = 0;  // where it differs from d_model
    uint32_t encoder_ffn = 0, decoder_ffn = 0;
    uint32_t source_vocabulary = 0, target_vocabulary = 0;
    StackConfig encoder, decoder;
    bool start_from_zero_embedding = false;
    Autoregression autoregression = Autoregression::self_attention;
    bool recurrence_norm = false;         // ssru: layer norm (epsilon 1e-9) inside the cell
    bool recurrence_output = false;       // ssru, gru: a projection after the cell
    uint32_t average_ffn = 0;             // average attention: width of its feed-forward block
    uint32_t average_ffn_depth = 2;       // Marian's setting: below 2 there is no layer at all
    bool average_gate = true;
    Activation average_activation = Activation::swish;
    float output_scale = 1.0f;     // decoder output, before the projection
    bool wide_activations = false; // may exceed float16: activations are float32 with weights of any type
    int32_t alignment_layer = -1;  // negative: counted from the last
    uint32_t alignment_first_head = 0;
    uint32_t alignment_heads = 1;  // mean over n heads from the first; 0: all of them
    // a token's weights are those of the step that reads it, not of the step that writes it
    bool alignment_next_step = false;
    uint32_t source_width() const { return encoder_width ? encoder_width : d_model; }
    // False for a decoder-only model, which continues its input and has no cross-attention.
    bool has_encoder() const { return encoder.layers > 0; }
    bool operator==(const TransformerConfig&) const = default;
};

}  // namespace dragoman::spec
