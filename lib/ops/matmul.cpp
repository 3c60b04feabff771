// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul.h"

#include <algorithm>
#include <bit>

#include "base/error.h"
#include "ops/kernels.h"
#include "ops/work.h"

namespace dragoman::ops {
namespace {

static_assert(uint32_t(Activation::relu) == shared::kActivationRelu);
static_assert(uint32_t(Activation::gelu_tanh) == shared::kActivationGeluTanh);
static_assert(uint32_t(Activation::swish) == shared::kActivationSwish);
static_assert(uint32_t(Activation::gelu) == shared::kActivationGelu);
static_assert(uint32_t(Activation::gelu_sigmoid) == shared::kActivationGeluSigmoid);
static_assert(uint32_t(Activation::tanh) == shared::kActivationTanh);
static_assert(uint32_t(Activation::sigmoid) == shared::kActivationSigmoid);
static_assert(uint32_t(Activation::none) == shared::kActivationNone);

kernels::MatmulTiledTile tiled_tile(const MatmulArgs& args) {
    constexpr uint32_t kTileRows = 64, kRows = 8;
    return {.activation = uint32_t(args.activation),
            .invocations = kTileRows / kRows * kPanel / 4,
            .tile_rows = kTileRows,
            .tile_k = 32,
            .rows = kRows,
            .x_quads = args.w.k % 4 == 0 && args.x.stride % 4 == 0};
}

constexpr uint32_t kBlockNeeds =
    vulkan::kNeedsInt64 | vulkan::kNeedsSubgroupBasic | vulkan::kNeedsSubgroupShuffle;

kernels::MatmulBlockTile block_tile(const vulkan::Caps& caps, const MatmulArgs& args, uint32_t flags) {
    return {.activation = uint32_t(args.activation),
            .lanes = std::bit_floor(std::clamp(caps.subgroup_size, 1u, 8u)),
            .rows = std::clamp(std::bit_ceil(args.rows.capacity), 2u, 16u),
            .flags = flags};
}

kernels::MatmulVecTile vec_tile(const vulkan::Caps& caps, const MatmulArgs& args) {
    const uint32_t rows = std::min(std::bit_ceil(args.rows.capacity), 8u);
    return {.activation = uint32_t(args.activation),
            .invocations = kPanel,
            .rows = rows,
            // Loads in flight; a CPU has few, and blocks have several inputs in each.
            .unroll = block_bytes(args.w.dtype) ? 32u : caps.is_cpu() ? 8u : rows > 4 ? 16u : 32u,
            .x_quads = args.x.stride % 4 == 0};
}

void check_rows(const Tensor& tensor, const Extent& rows, uint32_t cols) {
    DRAGOMAN_ASSERT(tensor.rows >= rows.capacity && tensor.cols == cols && tensor.stride >= cols);
}

}  // namespace

MatmulKernel pick_matmul(const vulkan::Caps& caps, uint32_t row_capacity) {
    if (caps.is_cpu() && (caps.needs_met & kBlockNeeds) == kBlockNeeds) return MatmulKernel::block;
    return row_capacity <= 8 ? MatmulKernel::vec : MatmulKernel::tiled;
}

void matmul(Recorder& rec, const MatmulArgs& args) {
    matmul(rec, args, pick_matmul(rec.caps(), args.rows.capacity));
}

void matmul(Recorder& rec, const MatmulArgs& args, MatmulKernel kernel) {
    const auto& [x, w, bias, activation, gate, residual, y, scale, rows] = args;
    check_rows(x, rows, w.k);
    check_rows(y, rows, w.n);
    if (gate) check_rows(gate, rows, w.n);
    if (residual) check_rows(residual, rows, w.n);
    DRAGOMAN_ASSERT(!gate || gate.dtype == y.dtype);
    DRAGOMAN_ASSERT(!residual || residual.dtype == y.dtype);
    count_work(rec, args);

    const shared::MatmulPush push{.n = w.n,
                                  .k = w.k,
                                  .x_stride = x.stride,
                                  .gate_stride = gate.stride,
                                  .residual_stride = residual.stride,
                                  .y_stride = y.stride,
                                  .flags = (bias ? shared::kMatmulBias : 0) | (gate ? shared::kMatmulGate : 0) |
                                           (residual ? shared::kMatmulResidual : 0) |
                                           (x.stride % 4 == 0 ? shared::kMatmulXQuads : 0),
                                  .scale = scale};
    const vulkan::VariantKey key(x.dtype, w.dtype, y.dtype);
    const uint32_t panels = (w.n + kPanel - 1) / kPanel;
    const auto run = [&](const auto& table_row, const auto& tile, uint32_t rows_per_group, uint32_t column_groups) {
        // Buffers not in use are bound to the count; the flags keep the kernels from reading them.
        rec.dispatch(table_row, key,
                     {rows.count, x.data, w.data, bias ? bias : rows.count, gate ? gate.data : rows.count,
                      residual ? residual.data : rows.count, y.data},
                     push, tile, groups(rows, rows_per_group, column_groups));
    };
    switch (kernel) {
        case MatmulKernel::tiled: {
            const auto tile = tiled_tile(args);
            return run(kernels::matmul_tiled, tile, tile.tile_rows, panels);
        }
        case MatmulKernel::block: {
            const auto tile = block_tile(rec.caps(), args, push.flags);
            return run(kernels::matmul_block, tile, tile.rows, panels * (kPanel / 8 / tile.lanes));
        }
        case MatmulKernel::vec: {
            const auto tile = vec_tile(rec.caps(), args);
            return run(kernels::matmul_vec, tile, tile.rows, panels);
        }
    }
}

}  // namespace dragoman::ops
