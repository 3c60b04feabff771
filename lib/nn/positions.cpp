// SPDX-License-Identifier: Apache-2.0
#include "nn/positions.h"

#include <algorithm>
#include <cmath>

namespace dragoman::nn {

std::vector<float> sinusoids(uint32_t positions, uint32_t d_model, uint32_t first) {
    const uint32_t n = d_model / 2;
    std::vector<float> table(uint64_t(positions) * d_model, 0.0f);
    // Computed in f32: the published models were trained and run with tables in f32.
    const float step = std::log(10000.0f) / float(n > 1 ? n - 1 : 1);
    for (uint32_t t = 0; t < positions; ++t)
        for (uint32_t k = 0; k < n; ++k) {
            const float angle = float(first + t) * std::exp(float(k) * -step);
            table[uint64_t(t) * d_model + k] = std::sin(angle);
            table[uint64_t(t) * d_model + n + k] = std::cos(angle);
        }
    return table;
}

uint32_t relative_bucket(int32_t r, bool bidirectional, uint32_t buckets, uint32_t max_distance) {
    uint32_t bucket = 0;
    if (bidirectional) {
        buckets /= 2;
        if (r > 0) bucket += buckets;
        r = std::abs(r);
    } else {
        r = -std::min(r, 0);
    }
    const uint32_t exact = buckets / 2;
    if (uint32_t(r) < exact) return bucket + uint32_t(r);
    const float place = std::log(float(r) / float(exact)) / std::log(float(max_distance) / float(exact));
    return bucket + std::min(exact + uint32_t(place * float(buckets - exact)), buckets - 1);
}

}  // namespace dragoman::nn
