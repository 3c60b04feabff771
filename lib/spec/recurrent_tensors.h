// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "spec/recurrent_config.h"
#include "spec/transformer_tensors.h"

namespace dragoman::spec {

// Every tensor nn/ reads for a model of this configuration. d = state, e = embedding, c = context(), g = gates of the
// unit (GRU: reset, update, candidate; LSTM: forget, input, candidate, output), layers and cells are counted from 0:
//   encoder/embeddings_0/weight [source_vocabulary, e]   decoder/embeddings/weight [target_vocabulary, e]
//   encoder/D_i/cell_j   D = forward, backward: as many as bidirectional_layers; upper: forward_layers
//   decoder/layer_i/cell_j
//     of each cell: input [g d, width], of what enters the layer (cell 0), of what attention gives (decoder/layer_0,
//     cell 1), else there is `constant` [g d] instead; state [g d, d], of the hidden state before
//   decoder/attention/query [c, d]   key [c, c]   vector [c]
//   decoder/start [d, c]             of the mean of the encoder's output
//   decoder/output/embedding [e, e]  state [e, d]  context [e, c]
//   decoder/projection/weight [target_vocabulary, e], bias [target_vocabulary]
// Every product P (input, state, query, key, start, embedding, state, context) is P/weight, perhaps P/bias, and, where
// there are norms, P/norm/gamma and perhaps P/norm/beta after that.
std::vector<TensorRule> recurrent_tensors(const RecurrentConfig& config);

}  // namespace dragoman::spec
