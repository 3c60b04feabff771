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

uint32_t matmul_flags(const MatmulInt8Args& args) {
    return (args.bias ? shared::kMatmulBias : 0) | (args.gate ? shared::kMatmulGate : 0) |
           (args.residual ? shared::kMatmulResidual : 0) | (args.maxima ? shared::kMatmulDynamic : 0) |
           (args.panel_scales ? shared::kMatmulPanelScales : 0);
}

// A way to run a product.
struct Way {
    MatmulKernel kernel;
    Int8Products products = Int8Products::plain;
    bool texels = true;  // where the block kernel can
};

// Calls f(kernel, variant, tile, rows of a workgroup, groups of columns) with what this product runs as.
template <class F>
auto with_kernel(Recorder& rec, const MatmulInt8Args& args, const Way& way, F&& f) {
    const vulkan::VariantKey key(args.x.dtype, args.y.dtype,
                                 way.products == Int8Products::packed ? DType::i8 : DType::i32);
    const uint32_t panels = (args.w.n + kPanel - 1) / kPanel;
    DRAGOMAN_ASSERT(way.kernel != MatmulKernel::coopmat && way.kernel != MatmulKernel::split);
    if (way.kernel == MatmulKernel::tiled) {
        const auto tile = tiled_tile(args);
        return f(kernels::matmul_int8_tiled, key, tile, tile.tile_rows, panels);
    }
    if (way.kernel == MatmulKernel::block) {
        const auto tile = block_tile(rec.caps(), args, matmul_flags(args));
        const bool texels = way.texels && reads_texels(rec.caps(), args.x, args.w);
        const auto& table_row = texels ? kernels::matmul_int8_texel : kernels::matmul_int8_block;
        const vulkan::VariantKey types(args.x.dtype, args.y.dtype);
        return f(table_row, types, tile, tile.rows, panels * (kPanel / 8 / tile.lanes));
    }
    const auto tile = vec_tile(args);
    return f(kernels::matmul_int8_vec, key, tile, tile.rows, panels);
}

bool trusts(Recorder& rec, const MatmulInt8Args& args, const Way& way) {
    return with_kernel(rec, args, way,
                       [&](const auto& table_row, vulkan::VariantKey key, const auto& tile, uint32_t, uint32_t) {
                           return rec.trusts(table_row, key, tile);
                       });
}

void record(Recorder& rec, const MatmulInt8Args& args, const Way& way);

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
    const Way picked{kernel, packed ? Int8Products::packed : Int8Products::plain};
    const bool few = args.rows.capacity <= kFewRows;
    // Those that stand in for one that gives wrong results on this device.
    for (const Way& way : {picked, Way{kernel}, Way{kernel, Int8Products::plain, false},
                           Way{few ? MatmulKernel::vec : MatmulKernel::tiled},
                           Way{few ? MatmulKernel::tiled : MatmulKernel::vec}})
        if (trusts(rec, args, way)) return record(rec, args, way);
    record(rec, args, picked);  // the recorder names it
}

void matmul_int8(Recorder& rec, const MatmulInt8Args& args, MatmulKernel kernel, Int8Products products) {
    record(rec, args, {kernel, products});
}

namespace {

void record(Recorder& rec, const MatmulInt8Args& args, const Way& way) {
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
        .flags = matmul_flags(args),
        .scale = scale,
        .input_scale = input_scale,
        .group_rows = row_groups.divisor,
        .one = 1.0f};
    // Buffers not in use are bound to the count; the flags keep the kernels from reading them.
    const BufferView& unused = rows.count;
    with_kernel(rec, args, way, [&](const auto& table_row, vulkan::VariantKey key, const auto& tile,
                                    uint32_t rows_per_group, uint32_t column_groups) {
        rec.dispatch(table_row, key,
                     {rows.count, x.data, w.data, units, bias ? bias : unused, gate ? gate.data : unused,
                      residual ? residual.data : unused, maxima ? maxima : panel_scales ? panel_scales : unused,
                      maxima ? row_groups.map : unused, y.data},
                     push, tile, groups(rows, rows_per_group, column_groups));
    });
}

}  // namespace
}  // namespace dragoman::ops
