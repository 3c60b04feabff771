// SPDX-License-Identifier: Apache-2.0
#include "ops/matmul_tiles.h"

#include <algorithm>
#include <bit>
#include <span>

namespace dragoman::ops {
namespace {

using kernels::MatmulCoopmat2Tile;
using kernels::MatmulCoopmatTile;
using kernels::MatmulSplitTile;
using kernels::MatmulTiledTile;
using vulkan::Caps;
using vulkan::CoopMatrixShape;

// Counts records and a norm, which need most.
uint32_t shared_bytes(MatmulCoopmatTile tile) {
    tile.records = 1;
    tile.norm = shared::kNormCentred;
    return kernels::matmul_coopmat.shared_bytes({DType::f16, DType::f16, DType::f32}, tile);
}

uint32_t shared_bytes(MatmulTiledTile tile) {
    tile.records = 1;
    return kernels::matmul_tiled.shared_bytes({}, tile);
}

// Outputs in a load of 16 bytes, and inputs that a lane of matmul_split.comp takes at a time.
uint32_t load_columns(DType weights) { return weights == DType::f16 ? 8 : 4; }
uint32_t step_inputs(DType weights) { return block_bytes(weights) ? 8 : 4; }

template <class Tile>
void keep_possible(std::vector<Tile>& tiles, const Caps& caps) {
    std::erase_if(tiles, [&](const Tile& tile) {
        return tile.invocations > caps.max_workgroup_invocations || shared_bytes(tile) > caps.max_shared_bytes;
    });
}

MatmulTiledTile tiled(uint32_t tile_rows, uint32_t tile_k, uint32_t rows) {
    return {.activation = uint32_t(Activation::none),
            .invocations = tile_rows / rows * kPanel / 4,
            .tile_rows = tile_rows,
            .tile_k = tile_k,
            .rows = rows,
            .x_quads = 0,
            .records = 0};
}

// 64 invocations: every weight is read once.
MatmulTiledTile few_rows_tile(uint32_t rows, uint32_t tile_k) {
    const uint32_t tile_rows = std::max(std::bit_ceil(rows), 4u);
    return tiled(tile_rows, tile_k, tile_rows / 4);
}

// Workgroups that keep a large device busy: about one for each of its multiprocessors, of which an H100 has 132.
constexpr uint32_t kBusy = 128;

uint32_t panels_of(uint32_t n) { return (n + kPanel - 1) / kPanel; }

// Lanes among which matmul_split.comp divides the inputs. They decide the order of its sums, so they follow from the
// device and the weights alone. Products with few outputs get the most lanes; the output layer has enough workgroups.
uint32_t split_lanes(const Caps& caps, const Weight& w) {
    const DeviceTable& table = device_table(caps);
    if (caps.is_cpu()) return table.most_lanes;  // no number of lanes is fast there
    const uint32_t of_many = caps.max_workgroup_invocations < 256 ? 2 : table.lanes_of_many;
    if (panels_of(w.n) >= kBusy) return of_many * load_columns(w.dtype);  // 256 (128) invocations to a panel
    return std::clamp(std::bit_floor(w.k / step_inputs(w.dtype) / 2), 8u, table.most_lanes);
}

// Invocations that are certainly in one subgroup; 1: kernels must not rely on any.
uint32_t sure_subgroup(const Caps& caps) {
    return caps.subgroup_size_sure ? std::bit_floor(std::max(caps.subgroup_size, 1u)) : 1;
}

// Few rows make few workgroups: takes the largest tile that still keeps a large device busy, otherwise the smallest.
// Busy means eight subgroups for each of its multiprocessors.
template <class Tile, class Rows, class Columns, class Subgroups>
uint32_t largest_busy(const std::vector<Tile>& tiles, uint32_t rows, uint32_t n, Rows&& rows_of, Columns&& columns_of,
                      Subgroups&& subgroups_of) {
    for (uint32_t i = 0; i < tiles.size(); ++i) {
        const uint32_t tile_rows = rows_of(tiles[i]), columns = columns_of(tiles[i]);
        const uint32_t row_groups = (rows + tile_rows - 1) / tile_rows;
        if (row_groups == 1 && rows * 2 <= tile_rows) continue;
        if (row_groups * ((n + columns - 1) / columns) * subgroups_of(tiles[i]) >= 8 * kBusy) return i;
    }
    return uint32_t(tiles.size()) - 1;
}

}  // namespace

std::optional<CoopMatrixShape> best_coopmat_shape(const Caps& caps) {
    std::optional<CoopMatrixShape> best;
    for (const CoopMatrixShape& shape : caps.coop_shapes) {
        if (shape.m > 32 || (shape.n != 8 && shape.n != 16) || 64 % shape.k != 0 || shape.k % 8 != 0) continue;
        if (!best || shape.m * shape.n * shape.k > best->m * best->n * best->k) best = shape;
    }
    return best;
}

bool has_few_outputs(const Weight& w) { return panels_of(w.n) < kBusy; }

// Largest first. One list serves all GPUs: shallow tiles come before deep ones, because shared memory limits occupancy
// on AMD's (bench/results); the limit of 16 KiB leaves phones the small ones; the others are there to be measured.
std::vector<MatmulTiledTile> tiled_tiles(const Caps& caps, uint32_t row_capacity) {
    std::vector<MatmulTiledTile> tiles;
    if (caps.is_cpu()) tiles = {tiled(64, 32, 8), tiled(32, 32, 4), tiled(64, 16, 8), tiled(32, 16, 4)};
    else
        tiles = {tiled(64, 16, 8), tiled(64, 32, 8), tiled(32, 16, 4),
                 tiled(32, 32, 4), tiled(32, 16, 8), tiled(16, 16, 4)};
    if (row_capacity <= kFewRows) {
        tiles = {few_rows_tile(row_capacity, 32)};
        if (!caps.is_cpu()) tiles.insert(tiles.begin(), few_rows_tile(row_capacity, 16));
    }
    keep_possible(tiles, caps);
    if (tiles.empty()) tiles = {tiled(16, 16, 4)};
    return tiles;
}

uint32_t default_tile(const std::vector<MatmulTiledTile>& tiles, uint32_t rows, uint32_t n) {
    const auto rows_of = [](const auto& tile) { return tile.tile_rows; };
    return largest_busy(tiles, rows, n, rows_of, [](const auto&) { return kPanel; }, [](const auto&) { return 8u; });
}

// The first one is usual, the others are for devices with few registers.
std::vector<MatmulTiledTile> int8_tiles(const Caps& caps, uint32_t row_capacity) {
    std::vector<MatmulTiledTile> tiles{tiled(64, 64, 8), tiled(32, 64, 4), tiled(16, 32, 2), tiled(16, 64, 1)};
    if (row_capacity <= kFewRows) tiles = {few_rows_tile(row_capacity, 64), few_rows_tile(row_capacity, 32)};
    std::erase_if(tiles, [&](const MatmulTiledTile& tile) {
        return tile.invocations > caps.max_workgroup_invocations ||
               kernels::matmul_tiled.shared_bytes({DType::f32, DType::i32, DType::f32}, tile) > caps.max_shared_bytes;
    });
    if (tiles.empty()) tiles = {tiled(16, 16, 4)};
    return tiles;
}

// Largest first. With records a subgroup must have whole panels.
std::vector<MatmulCoopmatTile> coopmat_tiles(const Caps& caps, bool records) {
    std::vector<MatmulCoopmatTile> tiles;
    const auto shape = best_coopmat_shape(caps);
    if (!shape) return tiles;
    for (const CoopmatBlocking& blocking : device_table(caps).coopmat) {
        if (blocking.columns % shape->n != 0 || (records && blocking.columns != kPanel)) continue;
        tiles.push_back({.activation = uint32_t(Activation::none),
                         .invocations = blocking.subgroup_rows * blocking.subgroup_columns * blocking.slices *
                                        caps.coop_subgroup_size,
                         .m = shape->m,
                         .n = shape->n,
                         .k = shape->k,
                         .row_tiles = std::max(blocking.rows / shape->m, 1u),
                         .columns = blocking.columns,
                         .subgroup_rows = blocking.subgroup_rows,
                         .subgroup_columns = blocking.subgroup_columns,
                         .slices = blocking.slices,
                         .tile_k = caps.is_cpu() ? shape->k : std::max(blocking.tile_k, shape->k),
                         .records = 0,
                         .norm = 0});
    }
    keep_possible(tiles, caps);
    return tiles;
}

uint32_t default_tile(const std::vector<MatmulCoopmatTile>& tiles, uint32_t rows, uint32_t n) {
    return largest_busy(
        tiles, rows, n, coopmat_rows, [](const auto& tile) { return coopmat_columns(tile); },
        [](const auto& tile) { return tile.subgroup_rows * tile.subgroup_columns * tile.slices; });
}

// Largest first; only tiles whose matrices the driver supports.
std::vector<MatmulCoopmat2Tile> coopmat2_tiles(const Caps& caps, bool records) {
    struct Blocking {
        uint32_t invocations, rows, columns, panels, tile_k;
    };
    constexpr Blocking kBlockings[] = {{256, 128, 64, 2, 32}, {128, 64, 64, 1, 64}};
    std::vector<MatmulCoopmat2Tile> tiles;
    for (const Blocking& b : kBlockings) {
        const bool fits = std::ranges::any_of(caps.flexible_matrices, [&](const vulkan::FlexibleMatrices& grain) {
            return grain.invocations == b.invocations && b.rows % grain.m == 0 && b.columns % grain.n == 0 &&
                   b.tile_k % grain.k == 0;
        });
        if (!fits || (records && b.columns != kPanel) || b.invocations > caps.max_workgroup_invocations) continue;
        tiles.push_back({.activation = uint32_t(Activation::none),
                         .invocations = b.invocations,
                         .tile_rows = b.rows,
                         .columns = b.columns,
                         .panels = b.panels,
                         .tile_k = b.tile_k,
                         .records = 0});
    }
    return tiles;
}

uint32_t default_tile(const std::vector<MatmulCoopmat2Tile>& tiles, uint32_t rows, uint32_t n) {
    return largest_busy(
        tiles, rows, n, [](const auto& tile) { return tile.tile_rows; },
        [](const auto& tile) { return coopmat_columns(tile); }, [](const auto&) { return 8u; });
}

// Columns of a workgroup: at least a sector of 32 bytes of memory; half a cache line is better on some devices.
std::vector<MatmulSplitTile> split_tiles(const Caps& caps, const Weight& w, uint32_t row_capacity, bool records) {
    struct Choice {
        uint32_t columns, loads;  // loads: of four inputs each, in flight
    };
    // The choices with few loads are for devices with few registers.
    constexpr Choice kWide[] = {{64, 8}, {64, 16}, {32, 8}, {64, 2}, {32, 2}, {64, 1}},
                     kNarrow[] = {{16, 8}, {32, 8}, {16, 16}, {8, 8}, {32, 16}, {64, 8}, {16, 2}, {32, 2}, {16, 1}},
                     kTiny[] = {{64, 8}, {16, 16}, {8, 8}, {4, 8}};
    std::span<const Choice> choices = kNarrow;
    if (panels_of(w.n) >= kBusy) choices = kWide;
    if (caps.is_cpu()) choices = kTiny;

    const uint32_t load = load_columns(w.dtype), lanes = split_lanes(caps, w);
    const uint32_t rows = std::min(std::bit_ceil(row_capacity), 8u);
    // With more invocations each has too few registers: AMD's compiler spills with 1,024, and in norms of many rows
    // with 512, so these come last.
    constexpr uint32_t kMax = 512, kMaxOfManyRows = 256;
    std::vector<MatmulSplitTile> tiles;
    for (const auto& [columns, loads] : choices) {
        if (columns < load || (records && columns != kPanel)) continue;
        const uint32_t column_lanes = columns / load, invocations = lanes * column_lanes;
        if (invocations > std::min(caps.max_workgroup_invocations, kMax)) continue;
        const uint32_t shuffled = std::clamp(sure_subgroup(caps) / column_lanes, 1u, lanes);
        MatmulSplitTile tile{.activation = uint32_t(Activation::none),
                             .invocations = invocations,
                             .rows = rows,
                             .columns = columns,
                             .unroll = std::clamp(loads * 4 / step_inputs(w.dtype) / rows, 1u,
                                                  invocations > 256 ? 1u : 4u),
                             .shuffled = shuffled,
                             .pass_rows = rows,
                             .x_quads = 0,
                             .records = records,
                             .norm = 0};
        // Partial sums of as many rows as leave shared memory for other workgroups.
        const uint32_t most_bytes = std::min(24576u, caps.max_shared_bytes);
        while (tile.pass_rows > 1 && shared_bytes(tile, w.dtype) > most_bytes) tile.pass_rows /= 2;
        if (shared_bytes(tile, w.dtype) > caps.max_shared_bytes) continue;
        tile.records = 0;
        const auto same = [&](const MatmulSplitTile& other) {
            return other.columns == tile.columns && other.unroll == tile.unroll;
        };
        if (std::ranges::none_of(tiles, same)) tiles.push_back(tile);
    }
    // One tile without room for a norm would keep all from including it.
    const auto fits = [&](MatmulSplitTile tile) {
        tile.records = records;
        tile.norm = shared::kNormCentred;
        return fits_norm(caps, tile, w.dtype);
    };
    if (std::ranges::any_of(tiles, fits)) std::erase_if(tiles, [&](const auto& tile) { return !fits(tile); });
    if (rows > 4 && !caps.is_cpu())
        std::ranges::stable_partition(tiles,
                                      [](const MatmulSplitTile& tile) { return tile.invocations <= kMaxOfManyRows; });
    return tiles;
}

uint32_t shared_bytes(const MatmulSplitTile& tile, DType weights) {
    return kernels::matmul_split.shared_bytes({DType::f32, weights, DType::f32}, tile);
}

bool fits_norm(const Caps& caps, const MatmulSplitTile& tile, DType weights) {
    return shared_bytes(tile, weights) <= caps.max_shared_bytes;
}

uint32_t default_tile(const std::vector<MatmulSplitTile>&, uint32_t, uint32_t) { return 0; }

bool has_coopmat2(const Caps& caps) { return !coopmat2_tiles(caps, true).empty(); }
bool has_coopmat(const Caps& caps) { return !coopmat_tiles(caps, true).empty(); }

}  // namespace dragoman::ops
