// SPDX-License-Identifier: Apache-2.0
// Norms, softmax, embeddings and what works element by element.
#include <algorithm>
#include <cmath>

#include "check/kernel_check.h"
#include "check/reference.h"
#include "ops/kernels.h"

namespace dragoman::check {
namespace vector_checks {
namespace {

using vulkan::Groups;
using vulkan::KernelUse;

constexpr uint32_t kRows = 5, kColumns = 205;

void layer_norm(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::LayerNormTile>(use);
    // Almost as many columns as the lanes hold.
    const uint32_t cols = std::max(tile.lanes * tile.count * 4 - (tile.quads ? 4 : 3), 1u);
    const uint32_t stride = stride_of(cols, tile.quads), per_group = tile.invocations / tile.lanes;
    const DType type = use.key.types[0];
    const Matrix x = c.matrix(kRows, cols, type, stride), residual = c.matrix(kRows, cols, type, stride),
                 gamma = c.row(cols), beta = c.row(cols);
    const BufferView live = c.count(kRows);
    const Tensor ys[] = {c.blank(kRows + 1, cols, type, stride), c.blank(kRows + 1, cols, type, stride)};
    for (const bool centred : {false, true})
        c.rec.dispatch(kernels::layer_norm, use.key,
                       {live, x.tensor.data, residual.tensor.data, gamma.tensor.data, beta.tensor.data,
                        ys[centred].data},
                       shared::LayerNormPush{.cols = cols,
                                             .x_stride = stride,
                                             .residual_stride = stride,
                                             .y_stride = stride,
                                             .flags = shared::kNormResidual | (centred ? shared::kNormBeta : 0),
                                             .epsilon = 1e-5f},
                       tile, Groups((kRows + per_group - 1) / per_group));
    c.run();
    for (const bool centred : {false, true}) {
        const auto value = [&](uint32_t row, uint32_t i) { return x(row, i) + residual(row, i); };
        std::vector<reference::Norm> norms;
        for (uint32_t row = 0; row < kRows; ++row)
            norms.push_back(reference::norm(0, cols, centred, 1e-5, [&](uint32_t i) { return value(row, i); }));
        c.compare(ys[centred], kRows, [&](uint32_t row, uint32_t i) {
            return Expected{norms[row](value(row, i)) * gamma(0, i) + (centred ? beta(0, i) : 0.0), 4};
        });
    }
}

void softmax(Case& c, const KernelUse& use) {
    const DType type = use.key.types[0];
    constexpr float kScale = 3.0f;
    const Matrix x = c.matrix(kRows, kColumns, type);
    const BufferView live = c.count(kRows);
    const Tensor ys[] = {c.blank(kRows + 1, kColumns, type), c.blank(kRows + 1, kColumns, type)};
    for (const bool logarithm : {false, true})
        c.rec.dispatch(kernels::softmax, use.key, {live, x.tensor.data, ys[logarithm].data},
                       shared::SoftmaxPush{.cols = kColumns,
                                           .x_stride = kColumns,
                                           .y_stride = kColumns,
                                           .logarithm = logarithm,
                                           .scale = kScale},
                       tile_of<kernels::SoftmaxTile>(use), Groups(kRows));
    c.run();
    std::vector<double> sums(kRows);
    for (uint32_t row = 0; row < kRows; ++row)
        for (uint32_t i = 0; i < kColumns; ++i) sums[row] += std::exp(kScale * x(row, i));
    for (const bool logarithm : {false, true})
        c.compare(ys[logarithm], kRows, [&](uint32_t row, uint32_t i) {
            const double value = kScale * x(row, i) - std::log(sums[row]);
            return Expected{logarithm ? value : std::exp(value), logarithm ? 10.0 : 0.0};
        });
}

void activate(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::ActivateTile>(use);
    const Matrix x = c.matrix(kRows, kColumns, use.key.types[0]);
    const BufferView live = c.count(kRows), last_first = c.words({4, 3, 2, 1, 0});
    const Tensor ys[] = {c.blank(kRows + 1, kColumns, use.key.types[1]),
                         c.blank(kRows + 1, kColumns, use.key.types[1])};
    for (const bool mapped : {false, true})
        c.rec.dispatch(kernels::activate, use.key, {live, x.tensor.data, last_first, ys[mapped].data},
                       shared::ActivatePush{
                           .cols = kColumns, .x_stride = kColumns, .y_stride = kColumns, .mapped = mapped},
                       tile, Groups(kRows));
    c.run();
    for (const bool mapped : {false, true})
        c.compare(ys[mapped], kRows, [&](uint32_t row, uint32_t i) {
            return Expected{reference::activated(x(mapped ? kRows - 1 - row : row, i), Activation(tile.activation)), 1};
        });
}

void blend(Case& c, const KernelUse& use) {
    const DType type = use.key.types[0];
    const Matrix gate = c.matrix(kRows, kColumns, type), x = c.matrix(kRows, kColumns, type),
                 other = c.matrix(kRows, kColumns, type);
    const BufferView live = c.count(kRows);
    const Tensor ys[] = {c.blank(kRows + 1, kColumns, type), c.blank(kRows + 1, kColumns, type)};
    for (const bool gated : {false, true})
        c.rec.dispatch(kernels::blend, use.key,
                       {live, x.tensor.data, gate.tensor.data, ys[gated].data, other.tensor.data},
                       shared::BlendPush{.cols = kColumns,
                                         .gate_stride = kColumns,
                                         .x_stride = kColumns,
                                         .other_stride = kColumns,
                                         .y_stride = kColumns,
                                         .gated = gated},
                       tile_of<kernels::BlendTile>(use), Groups(kRows));
    c.run();
    for (const bool gated : {false, true})
        c.compare(ys[gated], kRows, [&](uint32_t row, uint32_t i) {
            const double g = gate(row, i);
            return Expected{gated ? g * x(row, i) + (1 - g) * other(row, i) : x(row, i) + other(row, i), 3};
        });
}

void gather_rows(Case& c, const KernelUse& use) {
    const DType type = use.key.types[0];
    const Matrix x = c.matrix(kRows, kColumns, type);
    const std::vector<uint32_t> map = {4, 0, 0, 2, 3};
    const Tensor y = c.blank(kRows + 1, kColumns, type);
    c.rec.dispatch(kernels::gather_rows, use.key, {c.count(kRows), x.tensor.data, c.words(map), y.data},
                   shared::GatherRowsPush{
                       .cols = kColumns, .x_rows = kRows, .x_stride = kColumns, .y_stride = kColumns},
                   tile_of<kernels::GatherRowsTile>(use), Groups(kRows));
    c.run();
    c.compare(y, kRows, [&](uint32_t row, uint32_t i) { return Expected{x(map[row], i), 0}; });
}

void embed(Case& c, const KernelUse& use) {
    constexpr uint32_t kWords = 101, kPositions = 7, kInputs = 96;
    constexpr float kScale = 2.5f;
    const bool whole = use.key.types[1] == DType::i32;  // words of four int8 numbers
    const WeightMatrix table = c.weight(kWords, kInputs, whole ? DType::i8 : use.key.types[1]);
    const Matrix units = c.row(kWords);
    const Matrix positions = c.matrix(kPositions, kInputs, DType::f32);
    const std::vector<uint32_t> ids = {3, 100, 64, 9000, 17, 5}, at = {0, 1, 2, 9, 4, 5}, map = {5, 4, 3, 0, 1};
    const Tensor y = c.blank(kRows + 1, kInputs, use.key.types[0]);
    c.rec.dispatch(kernels::embed, use.key,
                   {c.count(kRows), c.words(ids), c.words(map), c.words(at), table.weight.data, positions.tensor.data,
                    y.data, units.tensor.data},
                   shared::EmbedPush{.vocabulary = kWords,
                                     .begin = 0,
                                     .end = kWords,
                                     .cols = kInputs,
                                     .y_stride = kInputs,
                                     .max_positions = kPositions,
                                     .flags = shared::kEmbedRowsMap | shared::kEmbedPositionTable |
                                              shared::kEmbedZeroAtStart | (whole ? shared::kEmbedUnits : 0),
                                     .scale = kScale},
                   tile_of<kernels::EmbedTile>(use), Groups(kRows));
    c.run();
    c.compare(y, kRows, [&](uint32_t row, uint32_t i) {
        const uint32_t source = map[row], id = std::min(ids[source], kWords - 1);
        const double unit = whole ? units(0, id) : 1.0, word = at[source] == 0 ? 0.0 : kScale * table(id, i) * unit;
        return Expected{word + positions(std::min(at[source], kPositions - 1), i), std::abs(word)};
    });
}

void pool(Case& c, const KernelUse& use) {
    const std::vector<uint32_t> begin = {0, 3, 3, 8, 12};  // one range without rows
    const uint32_t sentences = uint32_t(begin.size()) - 1;
    const Matrix x = c.matrix(begin.back(), kColumns, use.key.types[0]);
    const BufferView live = c.count(sentences), begins = c.words(begin);
    const DType type = use.key.types[1];
    const Tensor ys[] = {c.blank(sentences + 1, kColumns, type), c.blank(sentences + 1, kColumns, type)};
    for (const bool first : {false, true})
        c.rec.dispatch(kernels::pool, use.key, {live, x.tensor.data, begins, ys[first].data},
                       shared::PoolPush{.cols = kColumns, .x_stride = kColumns, .y_stride = kColumns, .first = first},
                       tile_of<kernels::PoolTile>(use), Groups(sentences));
    c.run();
    for (const bool first : {false, true})
        c.compare(ys[first], sentences, [&](uint32_t sentence, uint32_t i) {
            const uint32_t rows = begin[sentence + 1] - begin[sentence], taken = first ? std::min(rows, 1u) : rows;
            Expected mean{0, 1};
            for (uint32_t row = 0; row < taken; ++row) mean.value += x(begin[sentence] + row, i) / taken;
            return mean;
        });
}

constexpr Row kTable[] = {{kernels::layer_norm.shader, layer_norm},
                          {kernels::softmax.shader, softmax},
                          {kernels::activate.shader, activate},
                          {kernels::blend.shader, blend},
                          {kernels::gather_rows.shader, gather_rows},
                          {kernels::embed.shader, embed},
                          {kernels::pool.shader, pool}};

}  // namespace
}  // namespace vector_checks

std::span<const Row> vector_rows() { return vector_checks::kTable; }

}  // namespace dragoman::check
