// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "base/dtype.h"

namespace dragoman::spec {

// Blocks of 32 neighbouring elements in the layout of GGUF files, little-endian: q8 (Q8_0): f16 d, int8 q[32]; element
// j is d q[j]. q4 (Q4_1): f16 d, f16 m, 16 bytes; element j is d q + m, where q is the low half of byte j for j < 16
// and the high half of byte j - 16 for the others. Values are computed in f32; d q is exact there, so that q4 rounds
// once.

// Quantises whole blocks. For q4 it tries several d and m, and takes those with the least squared error. Returns false
// when a value is not finite or too large for the type.
bool quantize(DType type, std::span<const float> values, std::span<std::byte> blocks);

// Dequantises values.size() elements from element `begin` on.
void dequantize(DType type, std::span<const std::byte> blocks, uint64_t begin, std::span<float> values);

}  // namespace dragoman::spec
