// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "ops/tensor.h"

namespace dragoman::ops {

// Bytes of W [n, k] in panels (see Weight), padding included. dtype f32, f16, i8, q8 or q4.
uint64_t panel_bytes(uint32_t n, uint32_t k, DType dtype);

// Packs consecutive rows of a row-major W [n, k] into panels, so that a large W can be streamed: `rows` begins at
// a multiple of kPanel and holds a multiple of kPanel rows, or fewer at the end of W (the rest of the panel becomes
// zero). `panels` receives panel_bytes(rows.size() / k, k, dtype) bytes. f16 is rounded to nearest even.
// Returns the largest magnitude met, infinity if one is not finite: above 65504 the f16 form is useless.
float pack_panels(std::span<const float> rows, uint32_t k, DType dtype, std::span<std::byte> panels);

// The same for int8 values.
void pack_int8_panels(std::span<const int8_t> rows, uint32_t k, std::span<std::byte> panels);

// The same for rows of q8 or q4 blocks in the layout of files (spec/block_quantization.h); k is a multiple of 32.
void pack_block_panels(DType dtype, std::span<const std::byte> rows, uint32_t k, std::span<std::byte> panels);

// The number of rows of kPanel words in a panel of i8, q8 or q4.
uint32_t panel_word_rows(uint32_t k, DType dtype);

}  // namespace dragoman::ops
