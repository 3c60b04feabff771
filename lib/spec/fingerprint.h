// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fingerprint.h"
#include "spec/recurrent_config.h"
#include "spec/transformer_config.h"

namespace dragoman::spec {

struct ModelSpec;

// Adds everything that a network's computation depends on, except its weights.
void add(Fingerprint& to, const TransformerConfig& config);
void add(Fingerprint& to, const RecurrentConfig& config);

// Adds everything that makes ids of a text and a text of ids: tokenizers, prompts, special tokens.
void add_text(Fingerprint& to, const ModelSpec& spec);

}  // namespace dragoman::spec
