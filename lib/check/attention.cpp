// SPDX-License-Identifier: Apache-2.0
// Attention: softmax(scale * q k^T + bias) v per head, of the encoder and of a step.
#include <algorithm>
#include <type_traits>
#include <utility>

#include "check/attended.h"
#include "ops/kernels.h"

namespace dragoman::check {
namespace attention_checks {
namespace {

using vulkan::KernelUse;

constexpr uint32_t kReach = 4;

double bias_at(const Matrix& bias, uint32_t head, uint32_t i, uint32_t j) {
    return bias(head, uint32_t(std::clamp(int(j) - int(i), -int(kReach), int(kReach)) + int(kReach)));
}

template <class Kernel, class Tile>
void encoder(Case& c, const KernelUse& use, const Kernel& kernel, const Tile& tile, uint32_t queries) {
    const bool chunks = in_chunks(use);
    const std::vector<uint32_t> begin = {0, 1, 38, 43};
    const uint32_t rows = begin.back(), d = kHeads * tile.head_dim;
    std::vector<uint32_t> sentence(rows);
    for (uint32_t s = 0; s + 1 < begin.size(); ++s)
        std::fill(sentence.begin() + begin[s], sentence.begin() + begin[s + 1], s);
    const uint32_t stride = stride_in(chunks, 3 * d);
    const Matrix qkv = c.matrix(rows, 3 * d, use.key.types[0], stride),
                 bias = c.matrix(kHeads, 2 * kReach + 1, DType::f32);
    const Tensor y = c.blank(rows + 1, d, use.key.types[0], stride_in(chunks, d));
    const BufferView live = c.count(rows), row_sentence = c.words(sentence), sentence_begin = c.words(begin);
    c.rec.dispatch(kernel, use.key, {live, qkv.tensor.data, row_sentence, sentence_begin, bias.tensor.data, y.data},
                   shared::EncoderAttentionPush{.heads = kHeads,
                                                .qkv_stride = qkv.tensor.stride,
                                                .y_stride = y.stride,
                                                .has_bias = 1,
                                                .bias_reach = kReach,
                                                .scale = kScale},
                   tile, vulkan::Groups((rows + queries - 1) / queries, kHeads));
    c.run();
    std::vector<Attention> all;
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t head = 0; head < kHeads; ++head) {
            const uint32_t first = begin[sentence[row]], at = head * tile.head_dim;
            all.emplace_back(begin[sentence[row] + 1] - first, [&](uint32_t j) {
                double score = 0;
                for (uint32_t i = 0; i < tile.head_dim; ++i) score += qkv(row, at + i) * qkv(first + j, d + at + i);
                return kScale * score + bias_at(bias, head, row - first, j);
            });
        }
    c.compare(y, rows, [&](uint32_t row, uint32_t column) {
        Expected result = all[row * kHeads + column / tile.head_dim].of([&](uint32_t j) {
            return qkv(begin[sentence[row]] + j, 2 * d + column);
        });
        // Probabilities are rounded to f16 on their way into cooperative matrices.
        if constexpr (std::is_same_v<Tile, kernels::EncoderAttentionCoopmatTile>) result.magnitude += 100;
        return result;
    });
}

void encoder_blocks(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::AttentionTile>(use);
    encoder(c, use, kernels::encoder_attention, tile, tile.queries);
}
void encoder_coopmat(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::EncoderAttentionCoopmatTile>(use);
    encoder(c, use, kernels::encoder_attention_coopmat, tile, tile.m);
}
void encoder_subgroup(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::AttentionLanesTile>(use);
    encoder(c, use, kernels::encoder_attention_subgroup, tile, tile.queries);
}
void encoder_texel(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::AttentionLanesTile>(use);
    encoder(c, use, kernels::encoder_attention_texel, tile, tile.queries);
}

constexpr uint32_t kSteps = 41;

template <class Kernel, class Tile>
void self(Case& c, const KernelUse& use, const Kernel& kernel, const Tile& tile) {
    const bool chunks = in_chunks(use);
    const uint32_t d = kHeads * tile.head_dim, rows = uint32_t(kLive.size());
    const DType type = use.key.types[0];
    const std::vector<uint32_t> position = {0, 0, 0, 36, 36, 36};
    const Matrix qkv = c.matrix(rows, 3 * d, type, stride_in(chunks, 3 * d)),
                 keys = c.matrix(kCacheRows * kSteps, d, type, stride_in(chunks, d)),
                 values = c.matrix(kCacheRows * kSteps, d, type, stride_in(chunks, d)),
                 bias = c.matrix(kHeads, 2 * kReach + 1, DType::f32);
    const std::vector<uint32_t> ancestry = c.words_below(2 * kCacheRows * kSteps, kBeam);
    const Tensor y = c.blank(rows + 1, d, type, stride_in(chunks, d));
    const BufferView live = c.count(rows), live_rows = c.words(kLive), positions = c.words(position),
                     ancestors = c.words(ancestry);
    const shared::StepSelfAttentionPush push{.heads = kHeads,
                                             .heads_per_group = 2,
                                             .qkv_stride = qkv.tensor.stride,
                                             .cache_stride = keys.tensor.stride,
                                             .y_stride = y.stride,
                                             .cache_rows = kCacheRows,
                                             .max_steps = kSteps,
                                             .beam = kBeam,
                                             .has_bias = 1,
                                             .bias_reach = kReach,
                                             .has_ranges = 0,
                                             .scale = kScale};
    const auto dispatch = [&](const auto&... texels) {
        c.rec.dispatch(kernel, use.key,
                       {live, qkv.tensor.data, live_rows, positions, ancestors, bias.tensor.data, keys.tensor.data,
                        values.tensor.data, live, y.data, texels...},
                       push, tile, vulkan::Groups(rows, (kHeads + 1) / 2));
    };
    if constexpr (std::is_same_v<Kernel, std::remove_const_t<decltype(kernels::step_self_attention_texel)>>)
        dispatch(keys.tensor.data, values.tensor.data);
    else dispatch();
    c.run();

    // Cache row of key j of a live row; the row's own key is in qkv.
    const auto cache_row = [&](uint32_t row, uint32_t j) {
        const uint32_t cached = kLive[row], t = position[cached];
        return (cached / kBeam * kBeam + ancestry[((t & 1) * kCacheRows + cached) * kSteps + j]) * kSteps + j;
    };
    const auto at = [&](const Matrix& cache, uint32_t part, uint32_t row, uint32_t j, uint32_t column) {
        return j == position[kLive[row]] ? qkv(row, part * d + column) : cache(cache_row(row, j), column);
    };
    std::vector<Attention> all;
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t head = 0; head < kHeads; ++head)
            all.emplace_back(position[kLive[row]] + 1, [&](uint32_t j) {
                double score = 0;
                for (uint32_t i = head * tile.head_dim; i < (head + 1) * tile.head_dim; ++i)
                    score += qkv(row, i) * at(keys, 1, row, j, i);
                return kScale * score + bias_at(bias, head, position[kLive[row]], j);
            });
    c.compare(y, rows, [&](uint32_t row, uint32_t column) {
        return all[row * kHeads + column / tile.head_dim].of([&](uint32_t j) { return at(values, 2, row, j, column); });
    });
    // Compares what was appended and what was there before.
    for (const auto& [cache, part] : {std::pair(&keys, 1u), std::pair(&values, 2u)})
        c.compare(cache->tensor, cache->tensor.rows, [&, cache = cache, part = part](uint32_t line, uint32_t column) {
            const auto found = std::ranges::find(kLive, line / kSteps);
            const bool appended = found != kLive.end() && position[line / kSteps] == line % kSteps;
            if (!appended) return Expected{(*cache)(line, column)};
            return Expected{qkv(uint32_t(found - kLive.begin()), part * d + column)};
        });
}

void self_blocks(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::AttentionTile>(use);
    self(c, use, kernels::step_self_attention, tile);
}
void self_subgroup(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::AttentionLanesTile>(use);
    self(c, use, kernels::step_self_attention_subgroup, tile);
}
void self_texel(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::AttentionLanesTile>(use);
    self(c, use, kernels::step_self_attention_texel, tile);
}

template <class Kernel, class Tile>
void cross(Case& c, const KernelUse& use, const Kernel& kernel, const Tile& tile, uint32_t queries) {
    const bool chunks = in_chunks(use);
    const uint32_t d = kHeads * tile.head_dim, rows = uint32_t(kLive.size()), sources = 41;
    const DType type = use.key.types[0];
    const std::vector<uint32_t> begin = {3, 4}, length = {1, 37}, position = {2, 2, 2, 0, 0, 0};
    const Matrix q = c.matrix(rows, d, type, stride_in(chunks, d)),
                 memory = c.matrix(sources, 2 * d, type, stride_in(chunks, 2 * d));
    const BufferView live = c.count(rows), live_rows = c.words(kLive), source_begin = c.words(begin),
                     source_length = c.words(length), positions = c.words(position);
    constexpr uint32_t kMaxSteps = 3, kWeightStride = 40, kFirstHead = 1, kWeightHeads = 2;
    const Tensor weights = c.blank(kCacheRows * kMaxSteps, kWeightStride, DType::f32);
    const Tensor ys[] = {c.blank(rows + 1, d, type, stride_in(chunks, d)),
                         c.blank(rows + 1, d, type, stride_in(chunks, d))};
    for (const bool weighed : {false, true}) {
        const uint32_t per_group = weighed ? kHeads : 2;
        const Tensor& y = ys[weighed];
        c.rec.dispatch(kernel, use.key,
                       {live, q.tensor.data, memory.tensor.data, live_rows, source_begin, source_length,
                        weighed ? positions : live, weighed ? weights.data : y.data, y.data},
                       shared::StepCrossAttentionPush{.heads = kHeads,
                                                      .heads_per_group = per_group,
                                                      .q_stride = q.tensor.stride,
                                                      .memory_stride = memory.tensor.stride,
                                                      .y_stride = y.stride,
                                                      .beam = kBeam,
                                                      .weights_begin = kFirstHead,
                                                      .weights_heads = weighed ? kWeightHeads : 0,
                                                      .weights_stride = kWeightStride,
                                                      .max_steps = kMaxSteps,
                                                      .scale = kScale,
                                                      .inputs = 0,
                                                      .has_bias = 0,
                                                      .norm_y_stride = 0,
                                                      .length_at = 0,
                                                      .epsilon = 0.0f},
                       tile, vulkan::Groups((rows + queries - 1) / queries, (kHeads + per_group - 1) / per_group));
    }
    c.run();
    std::vector<Attention> all;
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t head = 0; head < kHeads; ++head)
            all.emplace_back(length[kLive[row] / kBeam], [&](uint32_t j) {
                double score = 0;
                for (uint32_t i = head * tile.head_dim; i < (head + 1) * tile.head_dim; ++i)
                    score += q(row, i) * memory(begin[kLive[row] / kBeam] + j, i);
                return kScale * score;
            });
    for (const Tensor& y : ys)
        c.compare(y, rows, [&](uint32_t row, uint32_t column) {
            return all[row * kHeads + column / tile.head_dim].of([&](uint32_t j) {
                return memory(begin[kLive[row] / kBeam] + j, d + column);
            });
        });
    std::vector<double> means(size_t(kCacheRows) * kMaxSteps * kWeightStride, Case::kUnwritten);
    for (uint32_t row = 0; row < rows; ++row)
        for (uint32_t j = 0; j < length[kLive[row] / kBeam]; ++j) {
            double mean = 0;
            for (uint32_t head = kFirstHead; head < kFirstHead + kWeightHeads; ++head)
                mean += all[row * kHeads + head].weights[j] / kWeightHeads;
            means[(size_t(kLive[row]) * kMaxSteps + position[kLive[row]]) * kWeightStride + j] = mean;
        }
    c.compare(weights, weights.rows,
              [&](uint32_t line, uint32_t j) { return Expected{means[size_t(line) * kWeightStride + j], 4}; });
}

void cross_blocks(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::AttentionTile>(use);
    cross(c, use, kernels::step_cross_attention, tile, 1);
}
void cross_subgroup(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::AttentionLanesTile>(use);
    cross(c, use, kernels::step_cross_attention_subgroup, tile, tile.queries);
}
void cross_texel(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::AttentionLanesTile>(use);
    cross(c, use, kernels::step_cross_attention_texel, tile, tile.queries);
}

constexpr Row kRows[] = {{kernels::encoder_attention.shader, encoder_blocks},
                         {kernels::encoder_attention_coopmat.shader, encoder_coopmat},
                         {kernels::encoder_attention_subgroup.shader, encoder_subgroup},
                         {kernels::encoder_attention_texel.shader, encoder_texel},
                         {kernels::step_self_attention.shader, self_blocks},
                         {kernels::step_self_attention_subgroup.shader, self_subgroup},
                         {kernels::step_self_attention_texel.shader, self_texel},
                         {kernels::step_cross_attention.shader, cross_blocks},
                         {kernels::step_cross_attention_subgroup.shader, cross_subgroup},
                         {kernels::step_cross_attention_texel.shader, cross_texel},
                         {kernels::step_cross_attention_query.shader, cross_query}};

}  // namespace
}  // namespace attention_checks

std::span<const Row> attention_rows() { return attention_checks::kRows; }

}  // namespace dragoman::check
