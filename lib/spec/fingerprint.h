// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/fingerprint.h"
#include "spec/recurrent_config.h"
#include "spec/transformer_config.h"

namespace dragoman::spec {

// All that a network computes differs by, but for its weights.
void add(Fingerprint& to, const TransformerConfig& config);
void add(Fingerprint& to, const RecurrentConfig& config);

}  // namespace dragoman::spec
