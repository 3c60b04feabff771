// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/activation.h"
#include "ops/kernels.h"
#include "ops/tensor.h"

// Kernels and sizes for CPU devices. A workgroup there is one thread that takes as many lanes at a time as its vectors
// have; barriers and shared memory cost there what they save on GPUs, and a workgroup costs more than another could
// gain by running in parallel.
namespace dragoman::ops {

// Sizes of workgroups by kernel. Where lanes share out a sum they decide its order, so that they may depend on the
// device and the shape of a row only.
struct WorkgroupSizes {
    uint32_t row_maxima, sample, topk_partial;  // lanes
    uint32_t topk_merge, topk_list;             // lanes, and candidates that each keeps at most
    uint32_t softmax_least, softmax_most;       // lanes
    uint32_t cell_least, cell_most;             // lanes of a gated cell
    uint32_t norm_quads, norm_least, norm_invocations;  // quads and lanes of a row, and invocations; 0: as lanes
    uint32_t additive_lanes, additive_team;
    uint32_t step_heads;  // heads of a step's attention, one after the other
};
const WorkgroupSizes& workgroup_sizes(const vulkan::Caps& caps);
// Whether a workgroup is one subgroup whose lanes take every step together, so that kernels need no barriers.
bool runs_in_step(const vulkan::Caps& caps, uint32_t invocations);

// The kernels of shaders/ops/cpu.
namespace cpu {

// Whether the device runs matmul_texel and matmul_int8_texel with these operands: it has the features, and x and W can
// be bound as texels.
bool runs_matmul(const vulkan::Caps& caps, const Tensor& x, const Weight& w);
// A record covers the outputs of one workgroup.
bool matmul_writes_records(const vulkan::Caps& caps);
kernels::MatmulTexelTile matmul_tile(const vulkan::Caps& caps, Activation activation, uint32_t row_capacity,
                                     uint32_t flags);
// The number of workgroups over the outputs.
uint32_t column_groups(const kernels::MatmulTexelTile& tile, const Weight& w);

// Whether the device runs attention_lanes.comp with any tensors.
bool runs_attention(const vulkan::Caps& caps);
// At most `rows` rows share a workgroup's loads of keys and values.
kernels::AttentionLanesTile attention_tile(const vulkan::Caps& caps, uint32_t head_dim, uint32_t rows);

}  // namespace cpu
}  // namespace dragoman::ops
