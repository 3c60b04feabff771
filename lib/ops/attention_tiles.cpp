// SPDX-License-Identifier: Apache-2.0
#include "ops/attention_tiles.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/matmul_tiles.h"

namespace dragoman::ops {
namespace {

// Elements per load: 16 bytes, of which kernels for CPU devices take half in f16.
uint32_t chunk_width(AttentionKernel kernel, DType dtype) {
    const bool lanes = kernel == AttentionKernel::subgroup || kernel == AttentionKernel::texel;
    return dtype == DType::f16 && !lanes ? 8 : 4;
}

// Loads of 16 bytes that a lane has in flight, of keys and as many of values, and rows that share them. The largest
// come first: smaller ones need fewer registers. For drivers that spill without reporting it, the device table names
// the first block that did not spill with compilers of these devices (bench/results).
struct LaneBlock {
    uint32_t queries, loads, keys = 32;  // keys of a workgroup at a time; most sentences have no more
};
// The last one is for Arm's compiler, which has more registers for workgroups of 64.
constexpr LaneBlock kLaneBlocks[kAttentionTiles] = {{8, 4}, {4, 4}, {4, 2}, {2, 2}, {1, 2}, {1, 1}, {1, 1, 8}};

// Blocks are numbered from the device's first one; the larger ones follow, which are taken only where they were
// measured.
const LaneBlock& block_of(const vulkan::Caps& caps, uint32_t number) {
    const uint32_t first = device_table(caps).attention_block;
    return kLaneBlocks[first + number < kAttentionTiles ? first + number : kAttentionTiles - 1 - number];
}

}  // namespace

// The variant tells whether heads and rows of all tensors begin with whole chunks or are read by elements.
vulkan::VariantKey attention_variant(AttentionKernel kernel, uint32_t head_dim, std::initializer_list<Tensor> tensors) {
    const DType dtype = tensors.begin()->dtype;
    const uint32_t width = chunk_width(kernel, dtype);
    const bool chunks = head_dim % width == 0 && std::ranges::all_of(tensors, [&](const Tensor& t) {
                            return t.stride % width == 0 && t.data.offset % 16 == 0;
                        });
    return {dtype, chunks ? DType::u32 : dtype};
}

// Tile `number` for up to `rows` rows that read the same keys. Tiles decide the order of the sums, so they may depend
// on the device, the model, the beam and whether rows are few or many (AttentionShape) only.
kernels::AttentionTile attention_tile(const vulkan::Caps& caps, DType dtype, uint32_t head_dim, uint32_t rows,
                                      uint32_t number) {
    const LaneBlock& block = block_of(caps, number);
    const uint32_t width = chunk_width(AttentionKernel::shared_memory, dtype);
    const uint32_t head_lanes = std::bit_ceil((head_dim + width - 1) / width);
    const uint32_t loads = std::min(head_lanes, block.loads), queries = head_dim <= 64 ? block.queries : 4;
    const uint32_t most = std::min(256u, std::bit_floor(caps.max_workgroup_invocations));
    return {.lanes = std::clamp(block.keys * head_lanes / loads, std::max(head_lanes, 32u), most),
            .head_dim = head_dim,
            .head_lanes = head_lanes,
            .loads = loads,
            .queries = std::min({queries, block.queries, std::bit_ceil(std::max(rows, 1u))})};
}

// Shared memory limits the occupancy of GPUs; CPU devices would take long to compile more.
kernels::EncoderAttentionCoopmatTile attention_coopmat_tile(const vulkan::Caps& caps, uint32_t head_dim,
                                                            uint32_t number) {
    const auto shape = best_coopmat_shape(caps);
    DRAGOMAN_ASSERT(shape);
    const uint32_t keys = caps.is_cpu() ? 8 : head_dim <= 64 && number == 0 ? 32 : 16;
    return {.lanes = caps.coop_subgroup_size,
            .head_dim = head_dim,
            .m = shape->m,
            .n = shape->n,
            .k = shape->k,
            .keys = std::max({keys, shape->n, shape->k, 4 * caps.coop_subgroup_size / shape->m})};
}

// The shared memory that encoder_attention_coopmat.comp declares.
uint32_t shared_bytes(const kernels::EncoderAttentionCoopmatTile& tile) {
    const uint32_t rows = std::max(tile.keys, tile.m) * (tile.head_dim / 4 + 2);
    return 8 * rows + 4 * tile.m * (tile.keys + 4 + tile.n);
}

}  // namespace dragoman::ops
