// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "check/kernel_check.h"
#include "check/reference.h"

namespace dragoman::check {

// Shared by the checks of attention.
inline constexpr uint32_t kHeads = 3;
inline constexpr float kScale = 0.7f;

// Attention of one query to some keys; row j of keys and of values, or of their weights instead of values.
struct Attention {
    std::vector<double> weights;
    double largest = 0;  // the largest magnitude of a score

    template <class Score>
    Attention(uint32_t keys, Score&& score) : weights(keys) {
        for (uint32_t j = 0; j < keys; ++j) {
            weights[j] = score(j);
            largest = std::max(largest, std::abs(weights[j]));
        }
        weights = reference::softmax(std::move(weights));
    }

    template <class Value>
    Expected of(Value&& value) const {
        Expected result;
        for (uint32_t j = 0; j < weights.size(); ++j) result.value += weights[j] * value(j);
        result.magnitude = 2 + 2 * largest;  // errors of scores are shares of weights
        return result;
    }
};

// Whether the variant reads rows and heads in chunks of up to eight elements.
inline bool in_chunks(const vulkan::KernelUse& use) { return use.key.types[1] == DType::u32; }

inline uint32_t stride_in(bool chunks, uint32_t cols) { return (cols + 7) / 8 * 8 + (chunks ? 0 : 1); }

// Two slots of three rows each; one row is not live.
inline constexpr uint32_t kBeam = 3, kCacheRows = 6;
inline const std::vector<uint32_t> kLive = {0, 2, 3, 4, 5};

void cross_query(Case& c, const vulkan::KernelUse& use);

}  // namespace dragoman::check
