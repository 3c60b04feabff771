// SPDX-License-Identifier: Apache-2.0
// Integer products: inputs are rounded to int8, the sums are exact.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "check/kernel_check.h"
#include "check/reference.h"
#include "ops/kernels.h"

namespace dragoman::check {
namespace int8_checks {
namespace {

using shared::MatmulPush;
using vulkan::KernelUse;

constexpr uint32_t kOutputs = 101, kGroupRows = 2;
constexpr float kScale = 0.5f, kInputScale = 60.0f;

struct Shape {
    uint32_t rows = 0, rows_per_group = 1, column_groups = 2;
    uint32_t k = 67;
    uint32_t activation = 7;
    bool x_quads = false;
    uint32_t flags = shared::kMatmulBias | shared::kMatmulGate | shared::kMatmulResidual | shared::kMatmulDynamic;
};

template <class Kernel, class Tile>
void product(Case& c, const KernelUse& use, const Kernel& kernel, const Tile& tile, const Shape& s) {
    const DType type = use.key.types[0], y_type = use.key.types[2];
    const Matrix x = c.matrix(s.rows, s.k, type, stride_of(s.k, s.x_quads)), bias = c.row(kOutputs),
                 gate = c.matrix(s.rows, kOutputs, y_type), residual = c.matrix(s.rows, kOutputs, y_type),
                 units = c.row(kOutputs);
    const WeightMatrix w = c.weight(kOutputs, s.k, DType::i8);
    const Tensor y = c.blank(s.rows + 1, kOutputs, y_type);
    const bool dynamic = s.flags & shared::kMatmulDynamic, panels = s.flags & shared::kMatmulPanelScales;

    // Rows belong to groups of two, in any order, or to none.
    const bool alone = s.flags & shared::kMatmulRowMaxima;
    std::vector<uint32_t> row_groups(s.rows);
    for (uint32_t row = 0; row < s.rows; ++row) row_groups[row] = s.rows - 1 - row;
    std::vector<float> maxima(dynamic ? s.rows : 2, 0.0f);
    const auto group = [&](uint32_t row) { return alone ? row : row_groups[row] / kGroupRows; };
    if (dynamic) {
        for (uint32_t row = 0; row < s.rows; ++row)
            for (uint32_t i = 0; i < s.k; ++i)
                maxima[group(row)] = std::max(maxima[group(row)], std::abs(float(x(row, i))));
    } else {
        maxima = {kInputScale, kInputScale / 2};
    }
    const BufferView live = c.count(s.rows), map = c.words(row_groups), scales = c.numbers(maxima);
    const MatmulPush push{.n = kOutputs,
                          .k = s.k,
                          .x_stride = x.tensor.stride,
                          .gate_stride = kOutputs,
                          .residual_stride = kOutputs,
                          .y_stride = kOutputs,
                          .flags = s.flags,
                          .scale = kScale,
                          .record_tile = 0,
                          .record_tiles = 0,
                          .norm_y_stride = 0,
                          .epsilon = 0.0f,
                          .one = 1.0f,
                          .input_scale = kInputScale,
                          .group_rows = kGroupRows,
                          .column = 0};
    const auto run = [&](const auto&... more) {
        c.rec.dispatch(kernel, use.key,
                       {live, x.tensor.data, w.weight.data, bias.tensor.data, gate.tensor.data, residual.tensor.data,
                        y.data, y.data, units.tensor.data, scales, map, more...},
                       push, tile, vulkan::Groups((s.rows + s.rows_per_group - 1) / s.rows_per_group, s.column_groups));
    };
    if constexpr (std::is_same_v<Tile, kernels::MatmulTexelTile>) run(y.data);
    else run();
    c.run();
    c.compare(y, s.rows, [&](uint32_t row, uint32_t column) -> Expected {
        const float scale = dynamic ? 127.0f / maxima[group(row)] : panels ? maxima[column / ops::kPanel] : kInputScale;
        double sum = 0;
        for (uint32_t i = 0; i < s.k; ++i) {
            const float scaled = float(x(row, i)) * scale;
            sum += std::nearbyint(std::clamp(scaled, -127.0f, 127.0f)) * w(column, i);
        }
        sum *= kScale * units(0, column) * (dynamic ? maxima[group(row)] / 127.0 : 1.0);
        const double magnitude = std::abs(sum);
        if (s.flags & shared::kMatmulBias) sum += bias(0, column);
        sum = reference::activated(sum, Activation(s.activation));
        if (s.flags & shared::kMatmulGate) sum *= gate(row, column);
        if (s.flags & shared::kMatmulResidual) sum += residual(row, column);
        return {sum, magnitude};
    });
}

void texel(Case& c, const KernelUse& use) {
    const auto tile = tile_of<kernels::MatmulTexelTile>(use);
    int8_checks::product(c, use, kernels::matmul_int8_texel, tile,
                         {.rows = tile.rows + 3,
                          .rows_per_group = tile.rows,
                          .column_groups = 2 * (ops::kPanel / 8 / tile.lanes),
                          .k = 76,
                          .activation = tile.activation,
                          .x_quads = true,
                          .flags = tile.flags});
}

void row_maxima(Case& c, const KernelUse& use) {
    constexpr uint32_t kRows = 7, kColumns = 205;
    const Matrix x = c.matrix(kRows, kColumns, use.key.types[0]);
    const std::vector<uint32_t> map = {4, 0, 1, 5, 2, 3, 0};
    const BufferView live = c.count(kRows), groups = c.words(map);
    const BufferView zeros = c.words(std::vector<uint32_t>(4, 0));
    const Tensor single = c.blank(1, kRows + 1, DType::f32);
    const auto run = [&](const BufferView& maxima, uint32_t group_rows) {
        c.rec.dispatch(kernels::row_maxima, use.key, {live, x.tensor.data, groups, maxima},
                       shared::RowMaximaPush{.cols = kColumns, .stride = kColumns, .group_rows = group_rows},
                       tile_of<kernels::RowMaximaTile>(use), vulkan::Groups(kRows));
    };
    run(zeros, kGroupRows);
    run(single.data, 0);
    c.run();
    const auto most = [&](auto counts) {
        double largest = 0;
        for (uint32_t row = 0; row < kRows; ++row)
            for (uint32_t i = 0; counts(row) && i < kColumns; ++i) largest = std::max(largest, std::abs(x(row, i)));
        return Expected{largest, 0};
    };
    c.compare({.data = zeros, .dtype = DType::f32, .rows = 1, .cols = 4, .stride = 4}, 1,
              [&](uint32_t, uint32_t group) {
                  return most([&](uint32_t row) { return map[row] / kGroupRows == group; });
              });
    c.compare({.data = single.data, .dtype = DType::f32, .rows = 1, .cols = kRows, .stride = kRows + 1}, 1,
              [&](uint32_t, uint32_t one) { return most([&](uint32_t row) { return row == one; }); });
}

constexpr Row kRows[] = {{kernels::matmul_int8_texel.shader, texel}, {kernels::row_maxima.shader, row_maxima}};

}  // namespace
}  // namespace int8_checks

void tiled_int8(Case& c, const vulkan::KernelUse& use) {
    const auto tile = tile_of<kernels::MatmulTiledTile>(use);
    int8_checks::Shape shape{.rows = tile.tile_rows + 5,
                             .rows_per_group = tile.tile_rows,
                             .k = tile.x_quads ? 140u : 131u,
                             .activation = tile.activation,
                             .x_quads = bool(tile.x_quads)};
    if (tile.x_quads) shape.flags |= shared::kMatmulRowMaxima;  // groups of rows are checked with the other tiles
    int8_checks::product(c, use, kernels::matmul_tiled, tile, shape);
}

std::span<const Row> int8_rows() { return int8_checks::kRows; }

}  // namespace dragoman::check
