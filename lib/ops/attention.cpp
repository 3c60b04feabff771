// SPDX-License-Identifier: Apache-2.0
#include "ops/attention.h"

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "base/error.h"
#include "ops/attention_tiles.h"
#include "ops/cpu_kernels.h"
#include "ops/kernels.h"
#include "ops/matmul_tiles.h"
#include "ops/tune.h"
#include "ops/work.h"
#include "vulkan/context.h"

namespace dragoman::ops {
namespace {

uint32_t width(const Heads& heads) {
    DRAGOMAN_ASSERT(heads.count > 0 && heads.head_dim > 0 && heads.head_dim <= kMaxHeadDim);
    DRAGOMAN_ASSERT(!heads.relative_bias ||
                    heads.relative_bias.size_bytes >= uint64_t(heads.count) * (2 * heads.bias_reach + 1) * 4);
    return heads.count * heads.head_dim;
}

// Calls f(kernel, variant, tile, rows of a workgroup).
template <class F>
auto with_kernel(Recorder& rec, const EncoderAttentionArgs& args, AttentionVariant choice, F&& f) {
    const vulkan::Caps& caps = rec.caps();
    const uint32_t head_dim = args.heads.head_dim;
    const auto key = attention_variant(choice.kernel, head_dim, {args.qkv, args.y});
    const bool texel = choice.kernel == AttentionKernel::texel;
    const auto lanes = cpu::attention_tile(caps, head_dim, texel ? args.rows.capacity : 8);
    switch (choice.kernel) {
        case AttentionKernel::coopmat: {
            DRAGOMAN_ASSERT(fits_coopmat(rec.context(), args));
            const auto tile = attention_coopmat_tile(caps, head_dim, choice.tile);
            return f(kernels::encoder_attention_coopmat, key, tile, tile.m);
        }
        case AttentionKernel::texel: return f(kernels::encoder_attention_texel, key, lanes, lanes.queries);
        case AttentionKernel::subgroup: return f(kernels::encoder_attention_subgroup, key, lanes, lanes.queries);
        case AttentionKernel::shared_memory: break;
    }
    const auto tile = attention_tile(caps, args.qkv.dtype, head_dim, 8, choice.tile);
    return f(kernels::encoder_attention, key, tile, tile.queries);
}

// Calls f(kernel, variant, tile, texel buffers ...).
template <class F>
auto with_kernel(Recorder& rec, const StepSelfAttentionArgs& args, AttentionVariant choice, F&& f) {
    const AttentionKernel kernel = choice.kernel;
    DRAGOMAN_ASSERT(kernel != AttentionKernel::coopmat);
    const uint32_t head_dim = args.heads.head_dim;
    const auto key = attention_variant(kernel, head_dim, {args.qkv, args.keys, args.values, args.y});
    const auto lanes = cpu::attention_tile(rec.caps(), head_dim, 1);
    if (kernel == AttentionKernel::texel)
        return f(kernels::step_self_attention_texel, key, lanes, args.keys.data, args.values.data);
    if (kernel == AttentionKernel::subgroup) return f(kernels::step_self_attention_subgroup, key, lanes);
    return f(kernels::step_self_attention, key, attention_tile(rec.caps(), args.qkv.dtype, head_dim, 1, choice.tile));
}

// Calls f(kernel, variant, tile, rows of a workgroup).
template <class F>
auto with_kernel(Recorder& rec, const StepCrossAttentionArgs& args, AttentionVariant choice, F&& f) {
    const AttentionKernel kernel = choice.kernel;
    DRAGOMAN_ASSERT(kernel != AttentionKernel::coopmat);
    const uint32_t head_dim = args.heads.head_dim;
    const auto key = attention_variant(kernel, head_dim, {args.q, args.memory, args.y});
    const auto lanes = cpu::attention_tile(rec.caps(), head_dim, args.beam);
    if (kernel == AttentionKernel::texel) return f(kernels::step_cross_attention_texel, key, lanes, lanes.queries);
    if (kernel == AttentionKernel::subgroup)
        return f(kernels::step_cross_attention_subgroup, key, lanes, lanes.queries);
    const auto tile = attention_tile(rec.caps(), args.q.dtype, head_dim, args.beam, choice.tile);
    return f(kernels::step_cross_attention, key, tile, 1u);
}

AttentionShape shape_of(const EncoderAttentionArgs& args) {
    return {AttentionUse::encoder, args.qkv.dtype, args.heads.count, args.heads.head_dim};
}
AttentionShape shape_of(const StepSelfAttentionArgs& args) {
    return {AttentionUse::step_self, args.qkv.dtype, args.heads.count, args.heads.head_dim};
}
AttentionShape shape_of(const StepCrossAttentionArgs& args) {
    return {.use = AttentionUse::step_cross,
            .type = args.q.dtype,
            .heads = args.heads.count,
            .head_dim = args.heads.head_dim,
            .beam = args.beam,
            .many_rows = args.rows.capacity > kFewAttentionRows};
}

// Calls question(kernel, variant, tile) for a choice.
template <class Args, class F>
auto asked(Recorder& rec, const Args& args, const AttentionVariant& choice, F&& question) {
    return with_kernel(rec, args, choice, [&](const auto& table_row, auto key, const auto& tile, const auto&...) {
        return question(table_row, key, tile);
    });
}
template <class Args>
uint32_t spilled(Recorder& rec, const Args& args, const AttentionVariant& choice) {
    return asked(rec, args, choice, [&](const auto&... what) { return rec.spilled(what...); });
}
template <class Args>
bool passes_check(Recorder& rec, const Args& args, const AttentionVariant& choice) {
    return asked(rec, args, choice, [&](const auto&... what) { return rec.is_usable(what...); });
}

// `picked` and its substitutes: its smaller tiles, kernels that run everywhere, and elsewhere those for CPU devices.
// Tiles larger than the device's first one are taken only where they were measured; if such a tile spills, it has the
// same substitutes.
std::vector<AttentionVariant> choices(const vulkan::Caps& caps, AttentionKernel picked) {
    const uint32_t tiles = kAttentionTiles - device_table(caps).attention_block;
    std::vector<AttentionVariant> all;
    if (picked == AttentionKernel::texel) all = {{picked}, {AttentionKernel::subgroup}};
    if (picked == AttentionKernel::subgroup) all = {{picked}};
    for (const AttentionVariant& choice : attention_variants(picked))
        if (choice.tile < tiles) all.push_back(choice);
    all.push_back({AttentionKernel::subgroup});
    return all;
}

// Takes the measured choice; otherwise the first one with right results that does not spill; otherwise the one that
// keeps least in memory.
template <class Args>
AttentionVariant choose(Recorder& rec, const Args& args, AttentionKernel picked) {
    const auto measured = measured_attention(rec.context(), shape_of(args), picked);
    const auto fast = attention_variants(picked);
    if (measured && *measured < fast.size() && is_usable(rec, args, fast[*measured])) return fast[*measured];
    const auto all = choices(rec.caps(), picked);
    std::vector<std::pair<uint32_t, AttentionVariant>> spilling;
    for (const AttentionVariant& choice : all) {
        const uint32_t amount = spilled(rec, args, choice);
        if (amount) spilling.emplace_back(amount, choice);
        else if (passes_check(rec, args, choice)) return choice;
    }
    std::ranges::stable_sort(spilling, {}, [](const auto& one) { return one.first; });
    for (const auto& [amount, choice] : spilling)
        if (passes_check(rec, args, choice)) return choice;
    return all.front();  // no choice is usable: the recorder names the kernel
}

}  // namespace

std::vector<AttentionVariant> attention_variants(AttentionKernel picked) {
    std::vector<AttentionVariant> all;
    if (picked == AttentionKernel::coopmat) all = {{picked, 0}, {picked, 1}};
    for (uint32_t tile = 0; tile < kAttentionTiles; ++tile) all.push_back({AttentionKernel::shared_memory, tile});
    return all;
}

bool is_usable(Recorder& rec, const EncoderAttentionArgs& args, const AttentionVariant& choice) {
    return spilled(rec, args, choice) == 0 && passes_check(rec, args, choice);
}
bool is_usable(Recorder& rec, const StepSelfAttentionArgs& args, const AttentionVariant& choice) {
    return spilled(rec, args, choice) == 0 && passes_check(rec, args, choice);
}
bool is_usable(Recorder& rec, const StepCrossAttentionArgs& args, const AttentionVariant& choice) {
    return spilled(rec, args, choice) == 0 && passes_check(rec, args, choice);
}

AttentionKernel pick_attention(const vulkan::Caps& caps) {
    return cpu::runs_attention(caps) ? AttentionKernel::subgroup : AttentionKernel::shared_memory;
}

bool fits_texel(const vulkan::Caps& caps, uint32_t head_dim, std::initializer_list<Tensor> tensors) {
    return head_dim % 4 == 0 && std::ranges::all_of(tensors, [&](const Tensor& t) {
               return t.dtype == DType::f32 && t.stride % 4 == 0 && is_texels(caps, t.data);
           });
}

AttentionKernel pick_attention(const vulkan::Caps& caps, uint32_t head_dim, std::initializer_list<Tensor> tensors) {
    const AttentionKernel kernel = pick_attention(caps);
    const bool texel = kernel == AttentionKernel::subgroup && caps.needs_met & vulkan::kNeedsInt64;
    return texel && fits_texel(caps, head_dim, tensors) ? AttentionKernel::texel : kernel;
}

bool fits_coopmat(const vulkan::Context& context, const EncoderAttentionArgs& args) {
    constexpr uint32_t kMaxCoopmatHeadDim = 128;  // registers
    const vulkan::Caps& caps = context.caps();
    const auto shape = best_coopmat_shape(caps);
    const uint32_t head_dim = args.heads.head_dim;
    if (!shape || args.qkv.dtype != DType::f16) return false;
    const auto key = attention_variant(AttentionKernel::coopmat, head_dim, {args.qkv, args.y});
    if (!context.can_run(*kernels::encoder_attention_coopmat.shader, key)) return false;
    if (head_dim > kMaxCoopmatHeadDim || head_dim % shape->n != 0 || head_dim % shape->k != 0) return false;
    return shared_bytes(attention_coopmat_tile(caps, head_dim, 0)) <= caps.max_shared_bytes;
}

AttentionKernel pick_encoder_attention(const vulkan::Context& context, const EncoderAttentionArgs& args) {
    const AttentionKernel kernel = pick_attention(context.caps(), args.heads.head_dim, {args.qkv, args.y});
    // Rows of one sentence share a matrix, so short sentences leave most of it empty.
    const uint64_t sentences = std::max<uint64_t>(args.sentence_begin.size_bytes / sizeof(uint32_t), 2) - 1;
    const bool pays = args.rows.capacity >= 16 * sentences;
    return !context.caps().is_cpu() && pays && fits_coopmat(context, args) ? AttentionKernel::coopmat : kernel;
}

void encoder_attention(Recorder& rec, const EncoderAttentionArgs& args) {
    encoder_attention(rec, args, choose(rec, args, pick_encoder_attention(rec.context(), args)));
}

void step_self_attention(Recorder& rec, const StepSelfAttentionArgs& args) {
    const auto tensors = {args.qkv, args.keys, args.values, args.y};
    const AttentionKernel picked = pick_attention(rec.caps(), args.heads.head_dim, tensors);
    step_self_attention(rec, args, choose(rec, args, picked));
}

void step_cross_attention(Recorder& rec, const StepCrossAttentionArgs& args) {
    if (const auto& [x, w, bias, norm] = args.query; w) {
        if (const auto tile = pick_query_tile(rec, args)) return step_cross_attention_query(rec, args, *tile);
        matmul(rec, {.x = x, .w = w, .bias = bias, .y = args.q, .norm = norm, .rows = args.rows});
    }
    const AttentionKernel picked = pick_attention(rec.caps(), args.heads.head_dim, {args.q, args.memory, args.y});
    step_cross_attention(rec, args, choose(rec, args, picked));
}

void encoder_attention(Recorder& rec, const EncoderAttentionArgs& args, AttentionVariant choice) {
    const Heads& heads = args.heads;
    const uint32_t d = width(heads);
    DRAGOMAN_ASSERT(args.qkv.cols == 3 * d && args.y.cols == d && args.qkv.dtype == args.y.dtype);
    DRAGOMAN_ASSERT(args.qkv.rows >= args.rows.capacity && args.y.rows >= args.rows.capacity);
    count_work(rec, args);

    with_kernel(rec, args, choice, [&](const auto& table_row, auto key, const auto& tile, uint32_t rows_per_group) {
        rec.dispatch(table_row, key,
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

void step_self_attention(Recorder& rec, const StepSelfAttentionArgs& args, AttentionVariant choice) {
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

    const uint32_t per_group = workgroup_sizes(rec.caps()).step_heads;
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
    with_kernel(rec, args, choice, [&](const auto& table_row, auto key, const auto& tile, const auto&... texels) {
        rec.dispatch(table_row, key,
                     {args.rows.count, args.qkv.data, args.live_rows, args.position,
                      args.beam > 1 ? args.ancestry : args.rows.count,
                      heads.relative_bias ? heads.relative_bias : args.rows.count, args.keys.data, args.values.data,
                      args.ranges ? args.ranges : args.rows.count, args.y.data, texels...},
                     push, tile, groups(args.rows, 1, (heads.count + per_group - 1) / per_group));
    });
}

void step_cross_attention(Recorder& rec, const StepCrossAttentionArgs& args, AttentionVariant choice) {
    const Heads& heads = args.heads;
    const uint32_t d = width(heads);
    const DType dtype = args.q.dtype;
    DRAGOMAN_ASSERT(args.q.cols == d && args.memory.cols == 2 * d && args.y.cols == d && args.beam > 0);
    DRAGOMAN_ASSERT(args.memory.dtype == dtype && args.y.dtype == dtype && !heads.relative_bias);
    DRAGOMAN_ASSERT(args.q.rows >= args.rows.capacity && args.y.rows >= args.rows.capacity);
    DRAGOMAN_ASSERT(!args.weights || (args.position && args.weights_heads > 0 &&
                                      args.weights_begin + args.weights_heads <= heads.count));
    StepCrossAttentionArgs rest = args;
    rest.query = {};  // it has been computed
    count_work(rec, rest);

    // With weights one workgroup takes all heads, so that their mean has one order of summation.
    const uint32_t per_group = args.weights ? heads.count : workgroup_sizes(rec.caps()).step_heads;
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
                                              .scale = heads.scale,
                                              .inputs = 0,
                                              .has_bias = 0,
                                              .norm_y_stride = 0,
                                              .length_at = 0,
                                              .epsilon = 0.0f};
    with_kernel(rec, args, choice, [&](const auto& table_row, auto key, const auto& tile, uint32_t rows_per_group) {
        rec.dispatch(table_row, key,
                     {args.rows.count, args.q.data, args.memory.data, args.live_rows, args.source_begin,
                      args.source_length, args.weights ? args.position : args.rows.count,
                      args.weights ? args.weights : args.y.data, args.y.data},
                     push, tile, groups(args.rows, rows_per_group, (heads.count + per_group - 1) / per_group));
    });
}

}  // namespace dragoman::ops
