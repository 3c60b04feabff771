// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/attention.h"
#include "ops/kernels.h"

namespace dragoman::ops {

// The variant of the kernel for these tensors.
vulkan::VariantKey attention_variant(AttentionKernel kernel, uint32_t head_dim, std::initializer_list<Tensor> tensors);
// The tile of shared_memory for up to `rows` rows that read the same keys.
kernels::AttentionTile attention_tile(const vulkan::Caps& caps, DType dtype, uint32_t head_dim, uint32_t rows,
                                      uint32_t number);
kernels::EncoderAttentionCoopmatTile attention_coopmat_tile(const vulkan::Caps& caps, uint32_t head_dim,
                                                            uint32_t number);
uint32_t shared_bytes(const kernels::EncoderAttentionCoopmatTile& tile);

}  // namespace dragoman::ops
