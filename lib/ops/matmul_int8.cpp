// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul_int8.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/work.h"
#include "vulkan/context.h"

namespace dragoman::ops {
namespace {

uint32_t reads_quads(const MatmulInt8Args& args) { return args.w.k % 4 == 0 && args.x.stride % 4 == 0; }

kernels::MatmulInt8TiledTile tiled_tile(const MatmulInt8Args& args) {
    constexpr uint32_t kTileRows = 64, kRows = 8;
    return {.activation = uint32_t(args.activation),
            .invocations = kTileRows / kRows * kPanel / 4,
            .tile_rows = kTileRows,
            .tile_words = 16,
            .rows = kRows,
            .x_quads = reads_quads(args)};
}

kernels::MatmulInt8BlockTile block_tile(const vulkan::Caps& caps, const MatmulInt8Args& args, uint32_t flags) {
    return {.activation = uint32_t(args.activation),
            .lanes = std::bit_floor(std::clamp(caps.subgroup_size, 1u, 8u)),
            .rows = std::clamp(std::bit_ceil(args.rows.capacity), 2u, 16u),
            .flags = flags};
}

kernels::MatmulInt8VecTile vec_tile(const MatmulInt8Args& args) {
    return {.activation = uint32_t(args.activation),
            .invocations = kPanel,
            .rows = std::min(std::bit_ceil(args.rows.capacity), 8u),
            .unroll = 8,
            .x_quads = reads_quads(args)};
}

void check_rows(const Tensor& tensor, const Extent& rows, uint32_t cols) {
    DRAGOMAN_ASSERT(tensor.rows >= rows.capacity && tensor.cols >= cols && tensor.stride >= tensor.cols);
}

}  // namespace

void row_maxima(Recorder& rec, const Tensor& x, const RowGroups& row_groups, const BufferView& maxima,
                const Extent& rows) {
    DRAGOMAN_ASSERT(x.rows >= rows.capacity && row_groups.divisor > 0);
    rec.fill(maxima, 0);
    count_read(rec, x, rows);
    rec.dispatch(kernels::row_maxima, x.dtype, {rows.count, x.data, row_groups.map, maxima},
                 shared::RowMaximaPush{.cols = x.cols, .stride = x.stride, .group_rows = row_groups.divisor},
                 kernels::RowMaximaTile{.lanes = rec.caps().is_cpu() ? 8u : 64u}, groups(rows, 1));
}

void matmul_int8(Recorder& rec, const MatmulInt8Args& args) {
    const MatmulKernel kernel = pick_matmul(rec.caps(), args.rows.capacity);
    // Where the device has instructions for them and the shader compiler knew them.
    const vulkan::VariantKey key(args.x.dtype, args.y.dtype, DType::i8);
    const bool packed = rec.caps().integer_dot_accelerated && kernel != MatmulKernel::block &&
                        rec.context().can_run(*kernels::matmul_int8_vec.shader, key);
    matmul_int8(rec, args, kernel, packed ? Int8Products::packed : Int8Products::plain);
}

void matmul_int8(Recorder& rec, const MatmulInt8Args& args, MatmulKernel kernel, Int8Products products) {
    const auto& [x, input_scale, maxima, row_groups, panel_scales, w, units, column, bias, activation, gate, residual,
                 y, scale, rows] = args;
    DRAGOMAN_ASSERT(w.dtype == DType::i8 && w.k <= shared::kInt8MaxInputs);
    DRAGOMAN_ASSERT(x.cols == w.k && (maxima ? bool(row_groups.map) && row_groups.divisor > 0 && !panel_scales
                                             : input_scale > 0 || panel_scales));
    check_rows(x, rows, w.k);
    check_rows(y, rows, column + w.n);
    if (gate) check_rows(gate, rows, column + w.n);
    if (residual) check_rows(residual, rows, column + w.n);
    DRAGOMAN_ASSERT(!gate || gate.dtype == y.dtype);
    DRAGOMAN_ASSERT(!residual || residual.dtype == y.dtype);
    count_work(rec, args);

    const shared::MatmulInt8Push push{
        .n = w.n,
        .k = w.k,
        .column = column,
        .x_stride = x.stride,
        .gate_stride = gate.stride,
        .residual_stride = residual.stride,
        .y_stride = y.stride,
        .flags = (bias ? shared::kMatmulBias : 0) | (gate ? shared::kMatmulGate : 0) |
                 (residual ? shared::kMatmulResidual : 0) | (maxima ? shared::kMatmulDynamic : 0) |
                 (panel_scales ? shared::kMatmulPanelScales : 0),
        .scale = scale,
        .input_scale = input_scale,
        .group_rows = row_groups.divisor,
        .one = 1.0f};
    const uint32_t panels = (w.n + kPanel - 1) / kPanel;
    const vulkan::VariantKey key(x.dtype, y.dtype, products == Int8Products::packed ? DType::i8 : DType::i32);
    const auto run = [&](const auto& table_row, vulkan::VariantKey chosen, const auto& tile, uint32_t rows_per_group,
                         uint32_t column_groups) {
        // Buffers not in use are bound to the count; the flags keep the kernels from reading them.
        const BufferView& unused = rows.count;
        rec.dispatch(table_row, chosen,
                     {rows.count, x.data, w.data, units, bias ? bias : unused, gate ? gate.data : unused,
                      residual ? residual.data : unused, maxima ? maxima : panel_scales ? panel_scales : unused,
                      maxima ? row_groups.map : unused,
                      y.data},
                     push, tile, groups(rows, rows_per_group, column_groups));
    };
    switch (kernel) {
        case MatmulKernel::coopmat:
        case MatmulKernel::split: DRAGOMAN_ASSERT(!"int8 has no such kernel"); return;
        case MatmulKernel::tiled: {
            const auto tile = tiled_tile(args);
            return run(kernels::matmul_int8_tiled, key, tile, tile.tile_rows, panels);
        }
        case MatmulKernel::block: {
            const auto tile = block_tile(rec.caps(), args, push.flags);
            const auto& table_row =
                reads_texels(rec.caps(), x, w) ? kernels::matmul_int8_texel : kernels::matmul_int8_block;
            return run(table_row, {x.dtype, y.dtype}, tile, tile.rows, panels * (kPanel / 8 / tile.lanes));
        }
        case MatmulKernel::vec: {
            const auto tile = vec_tile(args);
            return run(kernels::matmul_int8_vec, key, tile, tile.rows, panels);
        }
    }
}

}  // namespace dragoman::ops
