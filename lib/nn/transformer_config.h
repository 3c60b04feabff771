// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ops/matmul.h"

namespace dragoman::nn {

enum class Positions : uint8_t {
    none,       // relative bias instead, or nothing
    sinusoid,   // generated, OpenNMT-tf convention: positions from 1, halves, frequencies over n - 1
    table,      // "<stack>/position_encodings/encodings"
};

struct StackConfig {
    uint32_t layers = 0;
    uint32_t heads = 8;
    uint32_t head_dim = 0;        // usually d_model / heads
    bool pre_norm = true;
    bool final_norm = false;      // "<stack>/layer_norm"
    bool embedding_norm = false;  // "<stack>/layernorm_embedding"
    bool rms_norm = false;        // norms without beta
    bool gated_ffn = false;       // ffn/linear_0_noact
    ops::Activation activation = ops::Activation::relu;
    Positions positions = Positions::sinusoid;
    uint32_t max_positions = 0;   // rows of the table; 0: unlimited
    float embedding_scale = 1.0f;
    float norm_epsilon = 1e-5f;
    float attention_scale = 0.0f;       // self-attention; 0: 1 / sqrt(head_dim)
    float cross_attention_scale = 0.0f; // decoder only
    uint32_t relative_buckets = 0;      // T5; 0: none
    uint32_t relative_max_distance = 128;
};

struct TransformerConfig {
    uint32_t d_model = 0;
    uint32_t encoder_ffn = 0, decoder_ffn = 0;
    uint32_t source_vocabulary = 0, target_vocabulary = 0;
    StackConfig encoder, decoder;
    bool start_from_zero_embedding = false;
    float output_scale = 1.0f;     // decoder output, before the projection
    int32_t alignment_layer = -1;  // negative: counted from the last
    uint32_t alignment_heads = 1;  // mean over the first n; 0: all
};

}  // namespace dragoman::nn
