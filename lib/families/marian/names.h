// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/marian_file.h"
#include "spec/transformer_config.h"

namespace dragoman::families {

// Marian's parameters that make up a canonical tensor of a layer, of the end of a stack or of its embedding, one after
// the other: "encoder/layer_0/attention/linear_1/weight" is {"decoder_l1_context_Wk", "decoder_l1_context_Wv"}. Empty:
// it has no such parameters. `decoder_layers` are the numbers in the names of the decoder's layers.
std::vector<std::string> marian_names(std::string_view canonical, const spec::TransformerConfig& config,
                                      const std::vector<uint32_t>& decoder_layers);

// Models of type nematus and amun keep the names of the programs that these types come from. Gives their parameters
// those that type s2s has; files that have these already stay as they are.
formats::MarianFile with_s2s_names(formats::MarianFile file);

}  // namespace dragoman::families
