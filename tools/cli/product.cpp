// SPDX-License-Identifier: Apache-2.0
#include "product.h"

#include <cstddef>
#include <iterator>
#include <numeric>

namespace cli {

// Eight sums, which a compiler keeps in one register.
float product(std::span<const float> a, std::span<const float> b) {
    constexpr std::size_t kSums = 8;
    float sums[kSums] = {};
    std::size_t i = 0;
    for (; i + kSums <= a.size(); i += kSums)
        for (std::size_t k = 0; k < kSums; ++k) sums[k] += a[i + k] * b[i + k];
    for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
    return std::accumulate(std::begin(sums), std::end(sums), 0.0f);
}

}  // namespace cli
