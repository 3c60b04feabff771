// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <tuple>
#include <vector>

#include "base/error.h"
#include "ops/cpu_kernels.h"
#include "ops/kernels.h"
#include "ops/matmul.h"
#include "ops/matmul_tiles.h"
#include "vulkan/context.h"

// A row for each kernel of ops/matmul.h.
namespace dragoman::ops {

inline vulkan::VariantKey variant_of(const MatmulArgs& args) { return {args.x.dtype, args.w.dtype, args.y.dtype}; }

inline uint32_t norm_kind(const InputNorm& norm) {
    return !norm ? 0 : norm.beta ? shared::kNormCentred : shared::kNormScaled;
}

inline uint32_t matmul_flags(const MatmulArgs& args) {
    return (args.bias ? shared::kMatmulBias : 0) | (args.gate ? shared::kMatmulGate : 0) |
           (args.residual ? shared::kMatmulResidual : 0) | (args.records ? shared::kMatmulRecords : 0) |
           (args.records && args.y_unused ? shared::kMatmulNoStore : 0);
}

// Views for a kernel's bindings. Those that are not in use lead to the count, or to y.
struct MatmulViews {
    BufferView unused, gate, residual, gamma, beta, normed, y;
    bool norm;
};

// How many rows a workgroup of a tile computes, and how many workgroups share the columns.
struct MatmulGroups {
    uint32_t rows, columns;
};
inline uint32_t groups_of(const Weight& w, uint32_t columns) { return (w.n + columns - 1) / columns; }

// The defaults of a row.
struct UsualMatmulRow {
    static constexpr bool many_rows = false;  // a choice for more than a few rows
    static constexpr bool stands_in = false;  // for kernels that give wrong results or spill
    static bool can_read(const vulkan::Caps&, const MatmulArgs&) { return true; }  // where x, W and y lie
    static bool x_quads(const MatmulArgs& args) { return args.w.k % 4 == 0 && args.x.stride % 4 == 0; }
    static bool writes_records(const vulkan::Caps&, const MatmulArgs&) { return true; }
    static bool normalises_inputs(const vulkan::Caps&, const MatmulArgs&) { return false; }
    // The constant of the kernel.
    static Activation activation(const MatmulArgs& args) { return args.activation; }
    // Bindings 4 and 5, where the norm may take the place of gate and residual.
    static std::array<BufferView, 2> operands(const MatmulViews& views) { return {views.gate, views.residual}; }
};

struct SplitRow : UsualMatmulRow {
    static constexpr MatmulKernel kind = MatmulKernel::split;
    static constexpr const auto& kernel = kernels::matmul_split;
    static constexpr bool stands_in = true;
    static bool fits(const vulkan::Context& context, const MatmulArgs& args) {
        return !context.caps().is_cpu() && context.can_run(*kernel.shader, variant_of(args)) &&
               !tiles(context.caps(), args).empty();
    }
    static std::vector<kernels::MatmulSplitTile> tiles(const vulkan::Caps& caps, const MatmulArgs& args) {
        return split_tiles(caps, args.w, args.rows.capacity, bool(args.records));
    }
    static MatmulGroups groups(const kernels::MatmulSplitTile& tile, const Weight& w) {
        return {tile.rows, groups_of(w, tile.columns)};
    }
    static bool x_quads(const MatmulArgs& args) { return args.x.stride % 4 == 0; }  // loads end where a row does
    static bool writes_records(const vulkan::Caps& caps, const MatmulArgs& args) {
        return !split_tiles(caps, args.w, args.rows.capacity, true).empty();
    }
    static bool normalises_inputs(const vulkan::Caps& caps, const MatmulArgs& args);
    static auto more(const MatmulViews& views) { return std::array{views.gamma, views.beta, views.normed}; }
};

struct CoopmatRow : UsualMatmulRow {
    static constexpr MatmulKernel kind = MatmulKernel::coopmat;
    static constexpr const auto& kernel = kernels::matmul_coopmat;
    static constexpr bool many_rows = true, stands_in = true;
    static bool fits(const vulkan::Context& context, const MatmulArgs& args) {
        return takes_halves(args) && has_coopmat(context.caps()) && context.can_run(*kernel.shader, variant_of(args));
    }
    static bool takes_halves(const MatmulArgs& args) {
        return args.x.dtype == DType::f16 && args.w.dtype == DType::f16 && is_wide(args);
    }
    static bool can_read(const vulkan::Caps&, const MatmulArgs& args) { return is_wide(args); }
    static std::vector<kernels::MatmulCoopmatTile> tiles(const vulkan::Caps& caps, const MatmulArgs& args) {
        return coopmat_tiles(caps, bool(args.records));
    }
    static MatmulGroups groups(const kernels::MatmulCoopmatTile& tile, const Weight& w) {
        return {coopmat_rows(tile), groups_of(w, coopmat_columns(tile))};
    }
    static bool normalises_inputs(const vulkan::Caps& caps, const MatmulArgs& args);
    static std::array<BufferView, 2> operands(const MatmulViews& views) {
        return {views.norm ? views.gamma : views.gate, views.norm ? views.beta : views.residual};
    }
    static auto more(const MatmulViews& views) { return std::array{views.y, views.normed}; }
};

struct Coopmat2Row : UsualMatmulRow {
    static constexpr MatmulKernel kind = MatmulKernel::coopmat2;
    static constexpr const auto& kernel = kernels::matmul_coopmat2;
    static constexpr bool many_rows = true;
    static bool fits(const vulkan::Context& context, const MatmulArgs& args) {
        return CoopmatRow::takes_halves(args) && has_coopmat2(context.caps()) &&
               context.can_run(*kernel.shader, variant_of(args));
    }
    static bool can_read(const vulkan::Caps&, const MatmulArgs& args) { return is_wide(args); }
    static std::vector<kernels::MatmulCoopmat2Tile> tiles(const vulkan::Caps& caps, const MatmulArgs& args) {
        return coopmat2_tiles(caps, bool(args.records));
    }
    static MatmulGroups groups(const kernels::MatmulCoopmat2Tile& tile, const Weight& w) {
        return {tile.tile_rows, groups_of(w, coopmat_columns(tile))};
    }
    static std::array<BufferView, 0> more(const MatmulViews&) { return {}; }
};

struct TiledRow : UsualMatmulRow {
    static constexpr MatmulKernel kind = MatmulKernel::tiled;
    static constexpr const auto& kernel = kernels::matmul_tiled;
    static constexpr bool many_rows = true, stands_in = true;
    static bool fits(const vulkan::Context&, const MatmulArgs&) { return true; }
    static std::vector<kernels::MatmulTiledTile> tiles(const vulkan::Caps& caps, const MatmulArgs& args) {
        return tiled_tiles(caps, args.rows.capacity);
    }
    static MatmulGroups groups(const kernels::MatmulTiledTile& tile, const Weight& w) {
        return {tile.tile_rows, groups_of(w, kPanel)};
    }
    static auto more(const MatmulViews& views) { return std::array{views.unused, views.unused, views.unused}; }
};

// CPU devices have one tile for a product, and one kernel for relu and none (shared::kMatmulRelu).
struct TexelRow : UsualMatmulRow {
    static constexpr MatmulKernel kind = MatmulKernel::texel;
    static constexpr const auto& kernel = kernels::matmul_texel;
    static bool fits(const vulkan::Context& context, const MatmulArgs& args) { return can_read(context.caps(), args); }
    static bool can_read(const vulkan::Caps& caps, const MatmulArgs& args) {
        return cpu::runs_matmul(caps, args.x, args.w);
    }
    static std::vector<kernels::MatmulTexelTile> tiles(const vulkan::Caps& caps, const MatmulArgs& args) {
        return {cpu::matmul_tile(caps, activation(args), args.rows.capacity, matmul_flags(args))};
    }
    static Activation activation(const MatmulArgs& args) {
        return args.activation == Activation::relu ? Activation::none : args.activation;
    }
    static MatmulGroups groups(const kernels::MatmulTexelTile& tile, const Weight& w) {
        return {tile.rows, cpu::column_groups(tile, w)};
    }
    static bool writes_records(const vulkan::Caps& caps, const MatmulArgs&) { return cpu::matmul_writes_records(caps); }
    static auto more(const MatmulViews& views) { return std::array{views.y}; }
};

// The first that fits comes first.
using MatmulRows = std::tuple<SplitRow, CoopmatRow, Coopmat2Row, TiledRow, TexelRow>;

template <class F>
void for_each_matmul_row(F&& f) {
    std::apply([&](auto... row) { (f(row), ...); }, MatmulRows());
}

// f(the kernel's row)
template <std::size_t kIndex = 0, class F>
auto with_matmul_row(MatmulKernel kernel, F&& f) {
    using Row = std::tuple_element_t<kIndex, MatmulRows>;
    if constexpr (kIndex + 1 < std::tuple_size_v<MatmulRows>)
        if (Row::kind != kernel) return with_matmul_row<kIndex + 1>(kernel, f);
    DRAGOMAN_ASSERT(Row::kind == kernel);
    return f(Row());
}

}  // namespace dragoman::ops
