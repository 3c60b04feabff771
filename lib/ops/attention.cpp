// SPDX-License-Identifier: Apache-2.0
#include "ops/attention.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/matmul_tiles.h"
#include "ops/work.h"
#include "vulkan/context.h"

namespace dragoman::ops {
namespace {

// Whether heads begin at multiples of 4 elements, of 16 bytes in f32, so that four columns are one load.
bool reads_quads(const Tensor& x, uint32_t head_dim) {
    return head_dim % 4 == 0 && x.stride % 4 == 0 && x.data.offset % 16 == 0;
}

// Tiles decide the order of the sums, so they may depend on the device, the model and the beam only.
kernels::EncoderAttentionTile encoder_tile(const vulkan::Caps& caps, uint32_t head_dim, bool quads) {
    const uint32_t lanes = caps.is_cpu() ? 8 : 64;
    return {.lanes = lanes,
            .head_dim = head_dim,
            .quads = quads,
            .value_groups = std::max(1u, lanes / std::bit_ceil((head_dim + 3) / 4)),
            .queries = 8};
}

// Blocks of 32 keys where workgroups may be as large: most sentences are shorter.
kernels::StepSelfAttentionTile step_self_tile(const vulkan::Caps& caps, uint32_t head_dim, bool quads) {
    const uint32_t head_lanes = std::bit_ceil((head_dim + 3) / 4), loads = std::min(head_lanes, 4u);
    const uint32_t most = std::min(256u, std::bit_floor(caps.max_workgroup_invocations));
    return {.lanes = std::clamp(32 * head_lanes / loads, std::max(head_lanes, 32u), most),
            .head_dim = head_dim,
            .quads = quads,
            .head_lanes = head_lanes,
            .loads = loads};
}

kernels::StepCrossAttentionTile step_cross_tile(const vulkan::Caps& caps, uint32_t head_dim, bool quads,
                                                uint32_t beam) {
    const auto self = step_self_tile(caps, head_dim, quads);
    const uint32_t most = head_dim <= 64 ? 8 : 4;  // registers and shared memory
    return {.lanes = self.lanes,
            .head_dim = head_dim,
            .quads = quads,
            .head_lanes = self.head_lanes,
            .loads = self.loads,
            .queries = std::min(std::bit_ceil(beam), most)};
}

kernels::StepAttentionSubgroupTile subgroup_tile(const vulkan::Caps& caps, uint32_t head_dim, bool quads) {
    return {.lanes = caps.subgroup_size, .head_dim = head_dim, .quads = quads};
}

kernels::EncoderAttentionSubgroupTile encoder_subgroup_tile(const vulkan::Caps& caps, uint32_t head_dim, bool quads) {
    const uint32_t queries = head_dim <= 64 ? 8 : 4;  // registers, and the time to compile
    return {.lanes = caps.subgroup_size, .head_dim = head_dim, .quads = quads, .queries = queries};
}

// At most `rows` of them share a workgroup's loads of keys and values.
kernels::AttentionTexelTile texel_tile(const vulkan::Caps& caps, uint32_t head_dim, uint32_t rows) {
    const uint32_t most = head_dim <= 64 ? 8 : 4;  // registers, and the time to compile
    return {.lanes = caps.subgroup_size, .head_dim = head_dim, .queries = std::min(std::bit_ceil(rows), most)};
}

kernels::EncoderAttentionCoopmatTile coopmat_tile(const vulkan::Caps& caps, uint32_t head_dim) {
    const auto shape = best_coopmat_shape(caps);
    DRAGOMAN_ASSERT(shape);
    // Shared memory limits the occupancy of GPUs; CPU devices would take long to compile more.
    const uint32_t keys = caps.is_cpu() ? 8 : head_dim <= 64 ? 32 : 16;
    return {.lanes = caps.coop_subgroup_size,
            .head_dim = head_dim,
            .m = shape->m,
            .n = shape->n,
            .k = shape->k,
            .keys = std::max({keys, shape->n, shape->k, 2 * caps.coop_subgroup_size / shape->m})};
}

// As encoder_attention_coopmat.comp declares its shared memory.
uint32_t shared_bytes(const kernels::EncoderAttentionCoopmatTile& tile) {
    const uint32_t rows = std::max(tile.keys, tile.m) * (tile.head_dim / 4 + 2);
    return 8 * (rows + tile.m * std::max(2 * (tile.keys / 4 + 2), (tile.keys + 4) / 2));
}

// On a CPU a workgroup costs more than what another head could gain by running beside it.
uint32_t step_heads_per_group(const vulkan::Caps& caps) { return caps.is_cpu() ? 4 : 1; }

uint32_t width(const Heads& heads) {
    DRAGOMAN_ASSERT(heads.count > 0 && heads.head_dim > 0 && heads.head_dim <= kMaxHeadDim);
    DRAGOMAN_ASSERT(!heads.relative_bias ||
                    heads.relative_bias.size_bytes >= uint64_t(heads.count) * (2 * heads.bias_reach + 1) * 4);
    return heads.count * heads.head_dim;
}

// `picked`, or what stands in for it where its results are wrong.
template <class Trusts>
AttentionKernel first_trusted(AttentionKernel picked, Trusts&& trusts) {
    if (trusts(picked)) return picked;
    const bool cpu = picked == AttentionKernel::texel || picked == AttentionKernel::subgroup;
    if (cpu && trusts(AttentionKernel::subgroup)) return AttentionKernel::subgroup;
    if (trusts(AttentionKernel::shared_memory)) return AttentionKernel::shared_memory;
    return !cpu && trusts(AttentionKernel::subgroup) ? AttentionKernel::subgroup : picked;  // the recorder names it
}

// Calls f(kernel, tile, rows of a workgroup).
template <class F>
auto with_kernel(Recorder& rec, const EncoderAttentionArgs& args, AttentionKernel kernel, F&& f) {
    const vulkan::Caps& caps = rec.caps();
    const Heads& heads = args.heads;
    const bool quads = reads_quads(args.qkv, heads.head_dim);
    switch (kernel) {
        case AttentionKernel::coopmat: {
            DRAGOMAN_ASSERT(fits_coopmat(rec.context(), args));
            const auto tile = coopmat_tile(caps, heads.head_dim);
            return f(kernels::encoder_attention_coopmat, tile, tile.m);
        }
        case AttentionKernel::texel: {
            DRAGOMAN_ASSERT(fits_texel(caps, heads.head_dim, {args.qkv, args.y}));
            const auto tile = texel_tile(caps, heads.head_dim, args.rows.capacity);
            return f(kernels::encoder_attention_texel, tile, tile.queries);
        }
        case AttentionKernel::subgroup: {
            const auto tile = encoder_subgroup_tile(caps, heads.head_dim, quads);
            return f(kernels::encoder_attention_subgroup, tile, tile.queries);
        }
        case AttentionKernel::shared_memory: break;
    }
    const auto tile = encoder_tile(caps, heads.head_dim, quads);
    return f(kernels::encoder_attention, tile, tile.queries);
}

// Calls f(kernel, tile, texel buffers ...).
template <class F>
auto with_kernel(Recorder& rec, const StepSelfAttentionArgs& args, AttentionKernel kernel, F&& f) {
    DRAGOMAN_ASSERT(kernel != AttentionKernel::coopmat);
    const uint32_t head_dim = args.heads.head_dim;
    const bool quads = reads_quads(args.keys, head_dim) && reads_quads(args.values, head_dim);
    const bool all_quads = quads && reads_quads(args.qkv, head_dim) && reads_quads(args.y, head_dim);
    if (kernel == AttentionKernel::texel)
        return f(kernels::step_self_attention_texel,
                 kernels::StepSelfAttentionTexelTile{.lanes = rec.caps().subgroup_size, .head_dim = head_dim},
                 args.keys.data, args.values.data);
    if (kernel == AttentionKernel::subgroup)
        return f(kernels::step_self_attention_subgroup, subgroup_tile(rec.caps(), head_dim, quads));
    return f(kernels::step_self_attention, step_self_tile(rec.caps(), head_dim, all_quads));
}

// Calls f(kernel, tile, rows of a workgroup).
template <class F>
auto with_kernel(Recorder& rec, const StepCrossAttentionArgs& args, AttentionKernel kernel, F&& f) {
    DRAGOMAN_ASSERT(kernel != AttentionKernel::coopmat);
    const uint32_t head_dim = args.heads.head_dim;
    const bool quads = reads_quads(args.memory, head_dim);
    const bool all_quads = quads && reads_quads(args.q, head_dim) && reads_quads(args.y, head_dim);
    const auto texels = texel_tile(rec.caps(), head_dim, args.beam);
    if (kernel == AttentionKernel::texel) return f(kernels::step_cross_attention_texel, texels, texels.queries);
    if (kernel == AttentionKernel::subgroup)
        return f(kernels::step_cross_attention_subgroup, subgroup_tile(rec.caps(), head_dim, quads), 1u);
    return f(kernels::step_cross_attention, step_cross_tile(rec.caps(), head_dim, all_quads, args.beam), 1u);
}

template <class Args>
AttentionKernel trusted(Recorder& rec, const Args& args, DType dtype, AttentionKernel picked) {
    return first_trusted(picked, [&](AttentionKernel kernel) {
        return with_kernel(rec, args, kernel, [&](const auto& table_row, const auto& tile, const auto&...) {
            return rec.trusts(table_row, dtype, tile);
        });
    });
}

}  // namespace

AttentionKernel pick_attention(const vulkan::Caps& caps) {
    constexpr uint32_t kNeeds = vulkan::kNeedsSubgroupBasic | vulkan::kNeedsSubgroupArithmetic;
    const bool subgroups = caps.is_cpu() && (caps.needs_met & kNeeds) == kNeeds;
    return subgroups ? AttentionKernel::subgroup : AttentionKernel::shared_memory;
}

bool fits_texel(const vulkan::Caps& caps, uint32_t head_dim, std::initializer_list<Tensor> tensors) {
    return head_dim % 4 == 0 && std::ranges::all_of(tensors, [&](const Tensor& t) {
        return t.dtype == DType::f32 && t.stride % 4 == 0 && is_texels(caps, t.data);
    });
}

AttentionKernel pick_attention(const vulkan::Caps& caps, uint32_t head_dim, std::initializer_list<Tensor> tensors) {
    const AttentionKernel kernel = pick_attention(caps);
    constexpr uint32_t kNeeds = vulkan::kNeedsInt64 | vulkan::kNeedsSubgroupShuffle;
    const bool texel = kernel == AttentionKernel::subgroup && (caps.needs_met & kNeeds) == kNeeds;
    return texel && fits_texel(caps, head_dim, tensors) ? AttentionKernel::texel : kernel;
}

bool fits_coopmat(const vulkan::Context& context, const EncoderAttentionArgs& args) {
    constexpr uint32_t kMaxCoopmatHeadDim = 128;  // registers
    const vulkan::Caps& caps = context.caps();
    const auto shape = best_coopmat_shape(caps);
    const uint32_t head_dim = args.heads.head_dim, stride = args.qkv.stride;
    if (!shape || args.qkv.dtype != DType::f16) return false;
    if (!context.can_run(*kernels::encoder_attention_coopmat.shader, DType::f16)) return false;
    if (head_dim > kMaxCoopmatHeadDim || head_dim % shape->n != 0 || head_dim % shape->k != 0) return false;
    if (head_dim % 8 != 0 || stride % 8 != 0 || args.qkv.data.offset % 16 != 0) return false;  // loads of 16 bytes
    return shared_bytes(coopmat_tile(caps, head_dim)) <= caps.max_shared_bytes;
}

AttentionKernel pick_encoder_attention(const vulkan::Context& context, const EncoderAttentionArgs& args) {
    const AttentionKernel kernel = pick_attention(context.caps(), args.heads.head_dim, {args.qkv, args.y});
    // Rows of one sentence share a matrix, so that short sentences leave most of it empty.
    const uint64_t sentences = std::max<uint64_t>(args.sentence_begin.size_bytes / sizeof(uint32_t), 2) - 1;
    const bool pays = args.rows.capacity >= 16 * sentences;
    return !context.caps().is_cpu() && pays && fits_coopmat(context, args) ? AttentionKernel::coopmat : kernel;
}

void encoder_attention(Recorder& rec, const EncoderAttentionArgs& args) {
    encoder_attention(rec, args, trusted(rec, args, args.qkv.dtype, pick_encoder_attention(rec.context(), args)));
}

void step_self_attention(Recorder& rec, const StepSelfAttentionArgs& args) {
    const auto tensors = {args.qkv, args.keys, args.values, args.y};
    const AttentionKernel picked = pick_attention(rec.caps(), args.heads.head_dim, tensors);
    step_self_attention(rec, args, trusted(rec, args, args.qkv.dtype, picked));
}

void step_cross_attention(Recorder& rec, const StepCrossAttentionArgs& args) {
    const AttentionKernel picked = pick_attention(rec.caps(), args.heads.head_dim, {args.q, args.memory, args.y});
    step_cross_attention(rec, args, trusted(rec, args, args.q.dtype, picked));
}

void encoder_attention(Recorder& rec, const EncoderAttentionArgs& args, AttentionKernel kernel) {
    const Heads& heads = args.heads;
    const uint32_t d = width(heads);
    DRAGOMAN_ASSERT(args.qkv.cols == 3 * d && args.y.cols == d && args.qkv.dtype == args.y.dtype);
    DRAGOMAN_ASSERT(args.qkv.rows >= args.rows.capacity && args.y.rows >= args.rows.capacity);
    count_work(rec, args);

    with_kernel(rec, args, kernel, [&](const auto& variant, const auto& tile, uint32_t rows_per_group) {
        rec.dispatch(variant, args.qkv.dtype,
                     {args.rows.count, args.qkv.data, args.row_sentence, args.sentence_begin,
                      heads.relative_bias ? heads.relative_bias : args.rows.count, args.y.data},
                     shared::EncoderAttentionPush{.heads = heads.count,
                                                  .qkv_stride = args.qkv.stride,
                                                  .y_stride = args.y.stride,
                                                  .has_bias = bool(heads.relative_bias),
                                                  .bias_reach = heads.bias_reach,
                                                  .scale = heads.scale},
                     tile, groups(args.rows, rows_per_group, heads.count));
    });
}

void step_self_attention(Recorder& rec, const StepSelfAttentionArgs& args, AttentionKernel kernel) {
    const Heads& heads = args.heads;
    const uint32_t d = width(heads);
    const DType dtype = args.qkv.dtype;
    DRAGOMAN_ASSERT(args.qkv.cols == 3 * d && args.keys.cols == d && args.values.cols == d && args.y.cols == d);
    DRAGOMAN_ASSERT(args.keys.dtype == dtype && args.values.dtype == dtype && args.y.dtype == dtype);
    DRAGOMAN_ASSERT(args.qkv.rows >= args.rows.capacity && args.y.rows >= args.rows.capacity);
    DRAGOMAN_ASSERT(args.beam > 0 && args.cache_rows % args.beam == 0);
    DRAGOMAN_ASSERT(args.ranges ? args.ranges.size_bytes >= uint64_t(args.cache_rows) / args.beam * 8
                                : args.keys.rows >= uint64_t(args.cache_rows) * args.max_steps);
    DRAGOMAN_ASSERT(args.values.rows == args.keys.rows && args.values.stride == args.keys.stride);
    count_work(rec, args);

    const uint32_t per_group = step_heads_per_group(rec.caps());
    const shared::StepSelfAttentionPush push{.heads = heads.count,
                                             .heads_per_group = per_group,
                                             .qkv_stride = args.qkv.stride,
                                             .cache_stride = args.keys.stride,
                                             .y_stride = args.y.stride,
                                             .cache_rows = args.cache_rows,
                                             .max_steps = args.max_steps,
                                             .beam = args.beam,
                                             .has_bias = bool(heads.relative_bias),
                                             .bias_reach = heads.bias_reach,
                                             .has_ranges = bool(args.ranges),
                                             .scale = heads.scale};
    with_kernel(rec, args, kernel, [&](const auto& variant, const auto& tile, const auto&... texels) {
        rec.dispatch(variant, dtype,
                     {args.rows.count, args.qkv.data, args.live_rows, args.position,
                      args.beam > 1 ? args.ancestry : args.rows.count,
                      heads.relative_bias ? heads.relative_bias : args.rows.count, args.keys.data, args.values.data,
                      args.ranges ? args.ranges : args.rows.count, args.y.data, texels...},
                     push, tile, groups(args.rows, 1, (heads.count + per_group - 1) / per_group));
    });
}

void step_cross_attention(Recorder& rec, const StepCrossAttentionArgs& args, AttentionKernel kernel) {
    const Heads& heads = args.heads;
    const uint32_t d = width(heads);
    const DType dtype = args.q.dtype;
    DRAGOMAN_ASSERT(args.q.cols == d && args.memory.cols == 2 * d && args.y.cols == d && args.beam > 0);
    DRAGOMAN_ASSERT(args.memory.dtype == dtype && args.y.dtype == dtype && !heads.relative_bias);
    DRAGOMAN_ASSERT(args.q.rows >= args.rows.capacity && args.y.rows >= args.rows.capacity);
    DRAGOMAN_ASSERT(!args.weights || (args.position && args.weights_heads > 0 &&
                                      args.weights_begin + args.weights_heads <= heads.count));
    count_work(rec, args);

    // With weights one workgroup takes all heads: their mean has one order of summation.
    const uint32_t per_group = args.weights ? heads.count : step_heads_per_group(rec.caps());
    const shared::StepCrossAttentionPush push{.heads = heads.count,
                                              .heads_per_group = per_group,
                                              .q_stride = args.q.stride,
                                              .memory_stride = args.memory.stride,
                                              .y_stride = args.y.stride,
                                              .beam = args.beam,
                                              .weights_begin = args.weights_begin,
                                              .weights_heads = args.weights ? args.weights_heads : 0,
                                              .weights_stride = args.weights_stride,
                                              .max_steps = args.max_steps,
                                              .scale = heads.scale};
    with_kernel(rec, args, kernel, [&](const auto& variant, const auto& tile, uint32_t rows_per_group) {
        rec.dispatch(variant, dtype,
                     {args.rows.count, args.q.data, args.memory.data, args.live_rows, args.source_begin,
                      args.source_length, args.weights ? args.position : args.rows.count,
                      args.weights ? args.weights : args.y.data, args.y.data},
                     push, tile, groups(args.rows, rows_per_group, (heads.count + per_group - 1) / per_group));
    });
}

}  // namespace dragoman::ops
