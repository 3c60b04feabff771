// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "nn/transformer_config.h"

namespace dragoman::model {

// A tensor that a configuration implies, under its canonical name.
struct TensorRule {
    std::string name;
    std::vector<uint32_t> shape;
    bool required = true;
};

// Every tensor nn/ reads for a model of this configuration. Linear weights are [out, in]. S is "encoder" or
// "decoder", i counts layers from 0, w = heads * head_dim:
//   encoder/embeddings_0/weight [source_vocabulary, d]      decoder/embeddings/weight [target_vocabulary, d]
//   S/position_encodings/encodings [max_positions, d]       S/layernorm_embedding/{gamma,beta}, S/layer_norm/{...} [d]
//   S/layer_i/self_attention/layer_norm/{gamma,beta} [d]    .../linear_0/weight [3w, d] (q, k, v)  .../linear_1 [d, w]
//   S/layer_0/self_attention/relative_attention_bias [buckets, heads]
//   decoder/layer_i/attention/layer_norm, linear_0 [w, d] (q), linear_1 [2w, d] (k, v), linear_2 [d, w]
//   S/layer_i/ffn/layer_norm, linear_0 [ffn, d], linear_0_noact [ffn, d] (gate), linear_1 [d, ffn]
//   decoder/projection/weight [target_vocabulary, d]
// Every linear layer may have a bias [out]; RMS norms have no beta.
std::vector<TensorRule> transformer_tensors(const nn::TransformerConfig& config);

}  // namespace dragoman::model
