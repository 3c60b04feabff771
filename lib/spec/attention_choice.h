// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dragoman::spec {

// The heads whose cross-attention a step keeps. Layers and heads are counted from 1.
struct AttentionChoice {
    static constexpr uint32_t kAllHeads = UINT32_MAX;
    uint32_t layer = 0;  // 0: the model's alignment layer
    uint32_t head = 0;   // 0: the mean of as many heads as the model says; kAllHeads: the mean of all
    bool operator==(const AttentionChoice&) const = default;
};

}  // namespace dragoman::spec
