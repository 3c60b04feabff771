// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace dragoman::nn {

inline constexpr uint32_t kGeneratedPositions = 4096;  // rows of a model's generated table

// A table of sinusoids, [positions, d_model]: with n = d_model / 2 and f_k = exp(-k ln(10000) / (n - 1)), row t is
// sin(p f_0) ... sin(p f_(n-1)), cos(p f_0) ... cos(p f_(n-1)) for p = first + t. first: 1 for OpenNMT-tf, 0 for
// Marian.
std::vector<float> sinusoids(uint32_t positions, uint32_t d_model, uint32_t first);

// T5's bucket for a relative position r = key - query (Raffel et al. 2020, section 2.1; half of the buckets exact, the
// rest logarithmic up to max_distance). bidirectional: for the encoder.
uint32_t relative_bucket(int32_t r, bool bidirectional, uint32_t buckets, uint32_t max_distance);

}  // namespace dragoman::nn
