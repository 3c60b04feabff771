// SPDX-License-Identifier: Apache-2.0
// Cross-attention of a step that begins with the product of its queries.
#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/attention.h"
#include "ops/kernels.h"
#include "ops/work.h"
#include "vulkan/context.h"

namespace dragoman::ops {
namespace {

// Rows that share a workgroup, and steps of eight inputs whose weights are being loaded: smaller blocks need fewer
// registers.
struct Block {
    uint32_t queries, steps;
};
constexpr Block kBlocks[kQueryTiles] = {{4, 2}, {4, 1}, {2, 1}, {1, 1}};
// Every sentence's workgroups read all weights again; beyond this number a dispatch of its own is cheaper.
constexpr uint32_t kMaxTeams = 8;

uint32_t chunk_width(DType dtype) { return 16 / size_bytes(dtype); }

vulkan::VariantKey variant(const StepCrossAttentionArgs& args) {
    return {args.q.dtype, DType::u32, args.query.w.dtype};
}

kernels::QueryAttentionTile tile_of(const vulkan::Caps& caps, const StepCrossAttentionArgs& args, uint32_t number) {
    const Block& block = kBlocks[std::min(number, kQueryTiles - 1)];
    const InputNorm& norm = args.query.norm;
    const uint32_t width = chunk_width(args.q.dtype), head_dim = args.heads.head_dim;
    const uint32_t head_lanes = std::bit_ceil((head_dim + width - 1) / width);
    const uint32_t most = std::min(256u, std::bit_floor(caps.max_workgroup_invocations));
    return {.lanes = std::clamp(16 * head_lanes, std::max(head_lanes, 32u), most),
            .head_dim = head_dim,
            .head_lanes = head_lanes,
            .loads = std::min(head_lanes, 2u),
            .queries = std::min(block.queries, std::bit_ceil(args.beam)),
            .unroll = block.steps * 8 / width,
            .norm = !norm       ? 0
                    : norm.beta ? shared::kNormCentred
                                : shared::kNormScaled};
}

bool in_chunks(const Tensor& tensor) {
    return tensor.stride % chunk_width(tensor.dtype) == 0 && tensor.data.offset % 16 == 0;
}

bool in_quads(const BufferView& view) { return !view || view.offset % 16 == 0; }

// Begins and lengths as one view.
BufferView sources(const StepCrossAttentionArgs& args) {
    const BufferView &begin = args.source_begin, &length = args.source_length;
    return {*begin.buffer, begin.offset, length.offset + length.size_bytes - begin.offset};
}

}  // namespace

bool fits_query(const vulkan::Context& context, const StepCrossAttentionArgs& args) {
    const auto& [x, w, bias, norm] = args.query;
    const vulkan::Caps& caps = context.caps();
    if (caps.is_cpu() || args.weights || x.dtype != args.q.dtype) return false;
    if (!context.can_run(*kernels::step_cross_attention_query.shader, variant(args))) return false;
    const uint32_t width = chunk_width(x.dtype);
    if (args.heads.head_dim % width != 0 || w.k % width != 0) return false;
    if (!in_chunks(x) || !in_chunks(args.memory) || !in_chunks(args.y) || (norm && !in_chunks(norm.y))) return false;
    if (!in_quads(bias) || !in_quads(norm.gamma) || !in_quads(norm.beta)) return false;
    return args.source_begin.buffer == args.source_length.buffer &&
           args.source_begin.offset < args.source_length.offset;
}

std::optional<uint32_t> pick_query_tile(Recorder& rec, const StepCrossAttentionArgs& args) {
    if (!fits_query(rec.context(), args)) return std::nullopt;
    for (uint32_t number = 0; number < kQueryTiles; ++number) {
        const auto tile = tile_of(rec.caps(), args, number);
        const uint32_t teams = args.rows.capacity / args.beam * ((args.beam + tile.queries - 1) / tile.queries);
        const auto& kernel = kernels::step_cross_attention_query;
        if (teams > kMaxTeams || kernel.shared_bytes(variant(args), tile) > rec.caps().max_shared_bytes) continue;
        if (rec.spilled(kernel, variant(args), tile) == 0 && rec.is_usable(kernel, variant(args), tile)) return number;
    }
    return std::nullopt;
}

void step_cross_attention_query(Recorder& rec, const StepCrossAttentionArgs& args, uint32_t tile) {
    const auto& [x, w, bias, norm] = args.query;
    const Heads& heads = args.heads;
    const uint32_t d = heads.count * heads.head_dim;
    DRAGOMAN_ASSERT(fits_query(rec.context(), args) && !heads.relative_bias && args.beam > 0);
    DRAGOMAN_ASSERT(x.cols == w.k && w.n == d && args.memory.cols == 2 * d && args.y.cols == d);
    DRAGOMAN_ASSERT(args.memory.dtype == x.dtype && args.y.dtype == x.dtype);
    DRAGOMAN_ASSERT(x.rows >= args.rows.capacity && args.y.rows >= args.rows.capacity);
    if (norm) {
        DRAGOMAN_ASSERT(norm.y.dtype == x.dtype && norm.y.cols == w.k && norm.y.rows >= args.rows.capacity);
        DRAGOMAN_ASSERT(!same_place(norm.y, x) && !same_place(norm.y, args.y));
    }
    count_work(rec, args);
    const BufferView& unused = args.rows.count;
    rec.dispatch(kernels::step_cross_attention_query, variant(args),
                 {args.rows.count, x.data, args.memory.data, args.live_rows, sources(args), w.data,
                  bias ? bias : unused, norm ? norm.gamma : unused, args.y.data, norm.beta ? norm.beta : unused,
                  norm ? norm.y.data : args.y.data},
                 shared::StepCrossAttentionPush{
                     .heads = heads.count,
                     .heads_per_group = 1,
                     .q_stride = x.stride,
                     .memory_stride = args.memory.stride,
                     .y_stride = args.y.stride,
                     .beam = args.beam,
                     .weights_begin = 0,
                     .weights_heads = 0,
                     .weights_stride = 0,
                     .max_steps = args.max_steps,
                     .scale = heads.scale,
                     .inputs = w.k,
                     .has_bias = bool(bias),
                     .norm_y_stride = norm.y.stride,
                     .length_at = uint32_t((args.source_length.offset - args.source_begin.offset) / sizeof(uint32_t)),
                     .epsilon = norm.epsilon},
                 tile_of(rec.caps(), args, tile), groups(args.rows, 1, heads.count));
}

}  // namespace dragoman::ops
