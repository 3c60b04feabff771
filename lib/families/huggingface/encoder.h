// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "families/huggingface/huggingface_vocabulary.h"
#include "families/huggingface/keys.h"
#include "families/huggingface/settings.h"
#include "spec/model_spec.h"

namespace dragoman::families {

// Common to BERT and its relatives: encoder-only models with norms after the sub-layers and learned positions.

// Reads config.json. `skipped`: rows of the position table before the first position.
spec::TransformerConfig read_encoder_config(const HuggingFaceSettings& settings, uint32_t skipped);
KeyRules encoder_keys();  // keys that read_encoder_config() reads

// Fills spec.weights from the checkpoint of `files`, whose names begin with `model` ("bert.") unless the network was
// saved without a head. The first token type, which all texts have, is added to the positions. Includes the pooler, if
// there is one.
void take_encoder_weights(const FileSet& files, std::string_view model, uint32_t skipped, spec::ModelSpec& spec);

// Sets the tokens around each text, [CLS] TEXT [SEP], from tokenizer_config.json or these. Throws bad_model where the
// vocabulary lacks one of them.
void set_encoder_prompt(const TokenizerSettings& tokenizer, const std::string& first, const std::string& last,
                        spec::ModelSpec& spec);

}  // namespace dragoman::families
