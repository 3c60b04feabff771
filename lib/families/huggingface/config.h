// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/keys.h"
#include "families/huggingface/settings.h"
#include "spec/transformer_config.h"

namespace dragoman::families {

// No model comes near these; they keep forged numbers from costing memory.
inline constexpr uint32_t kMostWidth = 1u << 16;
inline constexpr uint32_t kMostLayers = 1u << 10;
inline constexpr uint32_t kMostVocabulary = 1u << 26;
inline constexpr uint32_t kMostPositions = 1u << 14;

// An activation as transformers names it; `key` is where `name` was read. Throws unsupported.
Activation huggingface_activation(const HuggingFaceSettings& settings, const char* key, std::string_view name);

// The configuration of a Transformer as BART and its relatives write it: MarianMT's, which has post-norm and position
// tables, and nothing else; the other families change what is different. `shared`: one vocabulary for both sides.
spec::TransformerConfig read_bart_config(const HuggingFaceSettings& settings, bool shared);
KeyRules bart_keys();  // of the same

// Whose attention aligns words, where the file says so. transformers has no such keys and passes over them.
void read_alignment(const HuggingFaceSettings& settings, spec::TransformerConfig& config);

}  // namespace dragoman::families
