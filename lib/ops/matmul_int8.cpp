// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul_int8.h"

#include <algorithm>
#include <vector>

#include "base/error.h"
#include "ops/cpu_kernels.h"
#include "ops/kernels.h"
#include "ops/matmul_tiles.h"
#include "ops/tune.h"
#include "ops/work.h"
#include "vulkan/context.h"
#include "vulkan/spills.h"

namespace dragoman::ops {
namespace {

// A way to run a product.
struct Way {
    MatmulKernel kernel;
    Int8Products products = Int8Products::plain;
    uint32_t tile = 0;  // index in int8_tiles
};

uint32_t matmul_flags(const MatmulInt8Args& args) {
    return (args.bias ? shared::kMatmulBias : 0) | (args.gate ? shared::kMatmulGate : 0) |
           (args.residual ? shared::kMatmulResidual : 0) | (args.maxima ? shared::kMatmulDynamic : 0) |
           (args.maxima && !args.row_groups.map ? shared::kMatmulRowMaxima : 0) |
           (args.panel_scales ? shared::kMatmulPanelScales : 0);
}

// Calls f(kernel, variant, tile, rows of a workgroup, groups of columns, more buffers ...) with what this product runs
// as.
template <class F>
auto with_kernel(Recorder& rec, const MatmulInt8Args& args, const Way& way, F&& f) {
    DRAGOMAN_ASSERT(way.kernel == MatmulKernel::texel || way.kernel == MatmulKernel::tiled);
    const DType weights = way.products == Int8Products::packed ? DType::i8 : DType::i32;
    const vulkan::VariantKey key(args.x.dtype, weights, args.y.dtype);
    if (way.kernel == MatmulKernel::texel) {
        DRAGOMAN_ASSERT(cpu::runs_matmul(rec.caps(), args.x, args.w));
        auto tile = cpu::matmul_tile(rec.caps(), args.activation, args.rows.capacity, matmul_flags(args));
        if (args.rows.capacity == 1) tile.rows = 1;  // a second row would cost time: weights come fast enough
        return f(kernels::matmul_int8_texel, key, tile, tile.rows, cpu::column_groups(tile, args.w), args.y.data);
    }
    auto tile = int8_tiles(rec.caps(), args.rows.capacity)[way.tile];
    tile.activation = uint32_t(args.activation);
    tile.x_quads = args.w.k % 4 == 0 && args.x.stride % 4 == 0;
    return f(kernels::matmul_tiled, key, tile, tile.tile_rows, (args.w.n + kPanel - 1) / kPanel);
}

bool is_usable(Recorder& rec, const MatmulInt8Args& args, const Way& way) {
    return with_kernel(rec, args, way,
                       [&](const auto& table_row, vulkan::VariantKey key, const auto& tile, const auto&...) {
                           return rec.is_usable(table_row, key, tile);
                       });
}

uint32_t spilled(Recorder& rec, const MatmulInt8Args& args, const Way& way) {
    return with_kernel(rec, args, way,
                       [&](const auto& table_row, vulkan::VariantKey key, const auto& tile, const auto&...) {
                           return rec.spilled(table_row, key, tile);
                       });
}

void record(Recorder& rec, const MatmulInt8Args& args, const Way& way);

// The first way is the usual one; the others are its substitutes where it gives wrong results or spills.
std::vector<Way> ways_of(const vulkan::Context& context, const MatmulInt8Args& args) {
    const vulkan::Caps& caps = context.caps();
    // The device must have instructions for them, and the shader compiler must know them.
    const bool packed = caps.integer_dot_accelerated &&
                        context.can_run(*kernels::matmul_tiled.shader, {args.x.dtype, DType::i8, args.y.dtype});
    std::vector<Way> ways;
    if (cpu::runs_matmul(caps, args.x, args.w)) ways.push_back({MatmulKernel::texel});
    const auto tiles = uint32_t(int8_tiles(caps, args.rows.capacity).size());
    for (const Int8Products products : {Int8Products::packed, Int8Products::plain})
        for (uint32_t tile = 0; tile < tiles && (packed || products == Int8Products::plain); ++tile)
            ways.push_back({MatmulKernel::tiled, products, tile});
    return ways;
}

void check_int8_rows(const Tensor& tensor, const Extent& rows, uint32_t cols) {
    DRAGOMAN_ASSERT(tensor.rows >= rows.capacity && tensor.cols >= cols && tensor.stride >= tensor.cols);
}

}  // namespace

void row_maxima(Recorder& rec, const Tensor& x, const RowGroups& row_groups, const BufferView& maxima,
                const Extent& rows) {
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && row_groups.divisor > 0);
    const bool grouped = bool(row_groups.map);
    if (grouped) rec.fill(maxima, 0);
    count_read(rec, x, rows);
    rec.dispatch(kernels::row_maxima, x.dtype, {rows.count, x.data, grouped ? row_groups.map : rows.count, maxima},
                 shared::RowMaximaPush{
                     .cols = x.cols, .stride = x.stride, .group_rows = grouped ? row_groups.divisor : 0},
                 kernels::RowMaximaTile{.lanes = workgroup_sizes(rec.caps()).row_maxima}, groups(rows, 1));
}

void matmul_int8(Recorder& rec, const MatmulInt8Args& args) {
    std::vector<Way> ways = ways_of(rec.context(), args);
    const auto fast = measured_way(rec.context(), args);
    if (fast && *fast < ways.size()) std::rotate(ways.begin(), ways.begin() + *fast, ways.begin() + *fast + 1);
    for (const uint32_t most : {0u, vulkan::Spills::kUncompiled})
        for (const Way& way : ways)
            if (spilled(rec, args, way) <= most && is_usable(rec, args, way)) return record(rec, args, way);
    record(rec, args, ways.front());  // no way is usable: the recorder names the kernel
}

void matmul_int8(Recorder& rec, const MatmulInt8Args& args, MatmulKernel kernel, Int8Products products) {
    record(rec, args, {kernel, products});
}

uint32_t int8_ways(const vulkan::Context& context, const MatmulInt8Args& args) {
    return uint32_t(ways_of(context, args).size());
}

bool is_usable(Recorder& rec, const MatmulInt8Args& args, uint32_t way) {
    const Way one = ways_of(rec.context(), args)[way];
    return spilled(rec, args, one) == 0 && is_usable(rec, args, one);
}

void matmul_int8_way(Recorder& rec, const MatmulInt8Args& args, uint32_t way) {
    record(rec, args, ways_of(rec.context(), args)[way]);
}

namespace {

void record(Recorder& rec, const MatmulInt8Args& args, const Way& way) {
    const auto& [x, input_scale, maxima, row_groups, panel_scales, w, units, column, bias, activation, gate, residual,
                 y, scale, rows] = args;
    DRAGOMAN_ASSERT(w.dtype == DType::i8 && w.k <= shared::kInt8MaxInputs);
    DRAGOMAN_ASSERT(x.cols == w.k &&
                    (maxima ? row_groups.divisor > 0 && !panel_scales : input_scale > 0 || panel_scales));
    check_int8_rows(x, rows, w.k);
    check_int8_rows(y, rows, column + w.n);
    if (gate) check_int8_rows(gate, rows, column + w.n);
    if (residual) check_int8_rows(residual, rows, column + w.n);
    DRAGOMAN_ASSERT(!gate || gate.dtype == y.dtype);
    DRAGOMAN_ASSERT(!residual || residual.dtype == y.dtype);
    count_work(rec, args);

    const shared::MatmulPush push{.n = w.n,
                                  .k = w.k,
                                  .x_stride = x.stride,
                                  .gate_stride = gate.stride,
                                  .residual_stride = residual.stride,
                                  .y_stride = y.stride,
                                  .flags = matmul_flags(args),
                                  .scale = scale,
                                  .record_tile = 0,
                                  .record_tiles = 0,
                                  .norm_y_stride = 0,
                                  .epsilon = 0.0f,
                                  .one = 1.0f,
                                  .input_scale = input_scale,
                                  .group_rows = row_groups.divisor,
                                  .column = column};
    // Unused buffers are bound to the count; the flags keep the kernels from reading them.
    const BufferView& unused = rows.count;
    with_kernel(rec, args, way,
                [&](const auto& table_row, vulkan::VariantKey key, const auto& tile, uint32_t rows_per_group,
                    uint32_t column_groups, const auto&... more) {
                    rec.dispatch(table_row, key,
                                 {rows.count, x.data, w.data, bias ? bias : unused, gate ? gate.data : unused,
                                  residual ? residual.data : unused, y.data, y.data, units,
                                  maxima         ? maxima
                                  : panel_scales ? panel_scales
                                                 : unused,
                                  row_groups.map ? row_groups.map : unused, more...},
                                 push, tile, groups(rows, rows_per_group, column_groups));
                });
}

}  // namespace
}  // namespace dragoman::ops
