// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "families/huggingface/huggingface_vocabulary.h"
#include "families/huggingface/keys.h"
#include "families/huggingface/stored_tensors.h"

namespace dragoman::families {

// Common to decoder-only models, as transformers saves them.

// The names that a checkpoint uses, without ".weight" and ".bias".
struct CausalNames {
    std::vector<std::string_view> before;  // may stand before all names but the projection's
    std::string_view embedding, positions, final_norm, layers;  // no positions: they are made
    uint32_t unused_positions = 0;  // first rows of that table
    bool columns = false;           // matrices of layers are stored as their columns
    bool biases = true;
    bool tied = true;  // the projection is the embedding, unless the checkpoint has its own
    std::span<const LayerPart> parts;
};

// A stack of `heads`, for the decoder. Throws bad_model where d_model is no multiple of them.
spec::StackConfig causal_stack(const HuggingFaceSettings& settings, const char* layers, const char* heads,
                               uint32_t d_model, const std::string& activation);
KeyRules causal_keys();
// The whole configuration around it.
spec::TransformerConfig causal_config(const HuggingFaceSettings& settings, uint32_t d_model, uint32_t ffn,
                                      const spec::StackConfig& stack);

// Gives spec the vocabulary, the tokens that the settings name, and how it is searched.
void take_causal_vocabulary(const HuggingFaceSettings& settings, const TokenizerSettings& tokenizer,
                            HuggingFaceVocabulary vocabulary, spec::ModelSpec& spec);

// Fills spec.weights with what spec.config needs. Throws bad_model.
void take_causal_weights(const FileSet& files, const CausalNames& names, spec::ModelSpec& spec);

}  // namespace dragoman::families
