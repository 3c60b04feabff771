// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fingerprint.h"
#include "spec/recurrent_config.h"
#include "spec/transformer_config.h"

namespace dragoman::spec {

// Adds everything that a network's computation depends on, except its weights.
void add(Fingerprint& to, const TransformerConfig& config);
void add(Fingerprint& to, const RecurrentConfig& config);

}  // namespace dragoman::spec
