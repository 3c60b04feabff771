// SPDX-License-Identifier: Apache-2.0
#include "ops/cpu_kernels.h"

#include <algorithm>
#include <bit>

namespace dragoman::ops {
namespace {

constexpr WorkgroupSizes kGpu{.row_maxima = 64,
                              .sample = 128,
                              .topk_partial = 64,
                              .topk_merge = 128,
                              .topk_list = 4,
                              .softmax_least = 32,
                              .softmax_most = 128,
                              .cell_least = 32,
                              .cell_most = 256,
                              .norm_quads = 2,
                              .norm_least = 32,
                              .norm_invocations = 128,
                              .additive_lanes = 256,
                              .additive_team = 32,
                              .step_heads = 1};
constexpr WorkgroupSizes kCpu{.row_maxima = 8,
                              .sample = 8,
                              .topk_partial = 8,
                              .topk_merge = 8,
                              .topk_list = 8,
                              .softmax_least = 8,
                              .softmax_most = 8,
                              .cell_least = 8,
                              .cell_most = 8,
                              .norm_quads = 16,
                              .norm_least = 8,
                              .norm_invocations = 0,
                              .additive_lanes = 8,
                              .additive_team = 1,
                              .step_heads = 4};

}  // namespace

const WorkgroupSizes& workgroup_sizes(const vulkan::Caps& caps) { return caps.is_cpu() ? kCpu : kGpu; }

bool runs_in_step(const vulkan::Caps& caps, uint32_t invocations) {
    return caps.is_cpu() && caps.subgroup_size_sure && invocations <= caps.subgroup_size;
}

namespace cpu {

bool runs_matmul(const vulkan::Caps& caps, const Tensor& x, const Weight& w) {
    constexpr uint32_t kNeeds = vulkan::kNeedsInt64 | vulkan::kNeedsSubgroupBasic | vulkan::kNeedsSubgroupArithmetic |
                                vulkan::kNeedsSubgroupShuffle;
    return caps.is_cpu() && (caps.needs_met & kNeeds) == kNeeds && is_texels(caps, x.data) && is_texels(caps, w.data) &&
           w.k % 4 == 0 && x.stride % 4 == 0;
}

bool matmul_writes_records(const vulkan::Caps& caps) { return caps.subgroup_size >= kPanel / 8; }

kernels::MatmulTexelTile matmul_tile(const vulkan::Caps& caps, Activation activation, uint32_t row_capacity,
                                     uint32_t flags) {
    return {.activation = uint32_t(activation),
            .lanes = std::bit_floor(std::clamp(caps.subgroup_size, 1u, 8u)),
            .rows = std::clamp(std::bit_ceil(row_capacity), 2u, 16u),
            .flags = flags};
}

uint32_t column_groups(const kernels::MatmulTexelTile& tile, const Weight& w) {
    return (w.n + kPanel - 1) / kPanel * (kPanel / 8 / tile.lanes);
}

bool runs_attention(const vulkan::Caps& caps) {
    constexpr uint32_t kNeeds = vulkan::kNeedsSubgroupBasic | vulkan::kNeedsSubgroupShuffle;
    return caps.is_cpu() && (caps.needs_met & kNeeds) == kNeeds;
}

kernels::AttentionLanesTile attention_tile(const vulkan::Caps& caps, uint32_t head_dim, uint32_t rows) {
    const uint32_t most = head_dim <= 64 ? 8 : 4;  // limited by registers, and by the time to compile
    return {.lanes = caps.subgroup_size,
            .head_dim = head_dim,
            .queries = std::min(std::bit_ceil(std::max(rows, 1u)), most)};
}

}  // namespace cpu
}  // namespace dragoman::ops
