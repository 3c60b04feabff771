// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "spec/transformer_config.h"

namespace dragoman::spec {

// The operations around sub-layers and stacks, in the letters of StackConfig::custom_order, whichever way the
// configuration says it.
struct OperationOrder {
    std::string before, after, after_embedding, after_stack;

    // A sub-layer has one norm, "layer_norm", or two: then the one after it is "output_layer_norm".
    bool norms_twice() const;
};
// Throws bad_model for letters without a meaning in their place, and for two kinds of norm in one place.
OperationOrder operation_order(const StackConfig& stack);

bool has_letter(std::string_view letters, char letter);
bool has_norm(std::string_view letters);  // n or r

}  // namespace dragoman::spec
