// SPDX-License-Identifier: Apache-2.0
#include "spec/recurrent_config.h"

namespace dragoman::spec {

TransformerConfig outline(const RecurrentConfig& config) {
    TransformerConfig common;
    common.d_model = config.state;
    common.source_vocabulary = config.source_vocabulary;
    common.target_vocabulary = config.target_vocabulary;
    common.encoder.layers = config.bidirectional_layers + config.forward_layers;
    common.decoder.layers = config.decoder_layers;
    common.encoder.heads = common.decoder.heads = 1;
    common.start_from_zero_embedding = true;
    return common;
}

}  // namespace dragoman::spec
