// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "spec/transformer_config.h"

namespace dragoman::spec {

// A tensor that a configuration implies, under its canonical name.
struct TensorRule {
    std::string name;
    std::vector<uint32_t> shape;
    bool required = true;
};

// Every tensor nn/ reads for a model of this configuration. Linear weights are [out, in]. S is "encoder" or
// "decoder", i counts layers from 0, w = heads * head_dim, d = d_model, in the encoder and as the width of the encoder's
// output source_width():
//   encoder/embeddings_0/weight [source_vocabulary, d]      decoder/embeddings/weight [target_vocabulary, d]
//   S/position_encodings/encodings [max_positions, d]       S/layernorm_embedding/{gamma,beta}, S/layer_norm/{...} [d]
//   S/layer_i/self_attention/layer_norm/{gamma,beta} [d]    .../linear_0/weight [3w, d] (q, k, v)  .../linear_1 [d, w]
//   S/layer_0/self_attention/relative_attention_bias [buckets, heads]; relative_bias_everywhere: of every layer
//   decoder/layer_i/attention/layer_norm, linear_0 [w, d] (q), linear_1 [2w, d] (k, v), linear_2 [d, w]
//   S/layer_i/ffn/layer_norm, linear_0 [ffn, d], linear_0_noact [ffn, d] (gate), linear_1 [d, ffn]
//   decoder/projection/weight [target_vocabulary, d]
// An encoder alone (decoder.layers is 0) has nothing of the decoder.
//
// Every linear layer may have a bias [out]; RMS norms have no beta.
//
// With StackConfig::custom_order a sub-layer that normalises both before and after has `layer_norm` before and
// `output_layer_norm` after (otherwise `layer_norm`, wherever it stands); a highway gate is `highway/{weight,bias}`
// [d, d] of the sub-layer; after the stack S/layer_norm and S/highway, after the embedding S/layernorm_embedding.
// ffn_depth D: ffn/linear_0 [ffn, d], linear_1 ... [ffn, ffn], linear_(D-1) [d, ffn] (D = 1: linear_0 [d, d]).
// Without attention_output there is no self_attention/linear_1 and no attention/linear_2. Without an encoder there is
// nothing of it, and no decoder/layer_i/attention.
// Instead of decoder self_attention, decoder/layer_i/R/layer_norm, output_layer_norm, highway, and for R =
//   rnn (ssru):  candidate/weight [d, d], forget/{weight,bias} [d, d], [d]; recurrence_norm: candidate_norm/gamma,
//                forget_norm/gamma [d] (its beta is forget/bias); recurrence_output: output/{weight,bias} [d, d]
//   rnn (gru):   input/{weight,bias} [3d, d], [3d], state/weight [3d, d], rows reset, update, candidate;
//                output as above
//   average:     for depth D and width A = average_ffn ffn/linear_0 [A, d], linear_1 ... linear_(D-2) [A, A], each with
//                activation, then, unless the width is d already, linear_(D-1) [d, A]: nothing for D < 2;
//                gate: input_gate, forget_gate {weight,bias} [d, d]
std::vector<TensorRule> transformer_tensors(const TransformerConfig& config);

}  // namespace dragoman::spec
