// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "spec/transformer_config.h"

namespace dragoman::spec {

enum class RecurrentCell : uint8_t { gru, lstm };

// Layer norms of the products inside a cell: one over all gates, or one over reset and update and one over the
// candidate.
enum class CellNorm : uint8_t { none, whole, parts };

struct RecurrentUnit {
    RecurrentCell cell = RecurrentCell::gru;
    CellNorm norm = CellNorm::none;
    float norm_epsilon = 1e-9f;
    uint32_t gates() const { return cell == RecurrentCell::lstm ? 4 : 3; }
    bool operator==(const RecurrentUnit&) const = default;
};

// An encoder-decoder of recurrent cells with attention (Bahdanau et al. 2015). The encoder reads the source in both
// directions, then goes on in one; the decoder is a conditional cell with attention inside, then further layers.
struct RecurrentConfig {
    uint32_t source_vocabulary = 0, target_vocabulary = 0;
    uint32_t embedding = 0;  // its width
    uint32_t state = 0;      // the width of every hidden state
    RecurrentUnit encoder, decoder;
    uint32_t bidirectional_layers = 1;
    bool alternating = false;  // directions alternate from layer to layer
    uint32_t forward_layers = 0;  // layers above these
    uint32_t encoder_depth = 1;   // cells one after the other in a time step
    uint32_t decoder_layers = 1;
    uint32_t base_depth = 2;      // depth of the decoder's first layer, whose attention follows the first cell
    uint32_t high_depth = 1;      // depth of the other layers
    bool skip = false;            // layers from the second on (in each direction) add their input
    bool layer_norm = false;      // in attention, start state and output
    float norm_epsilon = 1e-9f;
    // Width of the encoder's output.
    uint32_t context() const { return forward_layers > 0 ? state : 2 * state; }
    bool operator==(const RecurrentConfig&) const = default;
};

// The facts that it shares with a Transformer: vocabularies, width and layers; one head.
TransformerConfig outline(const RecurrentConfig& config);

}  // namespace dragoman::spec
