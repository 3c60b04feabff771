// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "families/huggingface/keys.h"
#include "families/huggingface/settings.h"
#include "spec/transformer_config.h"

namespace dragoman::families {

// No model comes near these limits; they keep forged numbers from costing memory.
inline constexpr uint32_t kMaxWidth = 1u << 16;
inline constexpr uint32_t kMaxLayers = 1u << 10;
inline constexpr uint32_t kMaxVocabulary = 1u << 26;
inline constexpr uint32_t kMaxPositions = 1u << 14;

// An activation by transformers' name; `key` is where `name` was read. Throws unsupported.
Activation huggingface_activation(const HuggingFaceSettings& settings, const char* key, std::string_view name);

// The configuration of a Transformer in the form of BART and its relatives: exactly MarianMT's, with post-norm and
// position tables; the other families change the differences. `shared`: one vocabulary for both sides.
spec::TransformerConfig read_bart_config(const HuggingFaceSettings& settings, bool shared);
KeyRules bart_keys();  // keys that read_bart_config() reads

// Reads which heads' attention aligns words, where the file says so. transformers has no such keys and ignores them.
void read_alignment(const HuggingFaceSettings& settings, spec::TransformerConfig& config);

}  // namespace dragoman::families
