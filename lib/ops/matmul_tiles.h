// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "ops/device_table.h"
#include "ops/kernels.h"
#include "ops/matmul.h"

namespace dragoman::ops {

// The device's shape with the most products per instruction.
std::optional<vulkan::CoopMatrixShape> best_coopmat_shape(const vulkan::Caps& caps);

// The tiles that each kernel can run with on a device (split: and for these weights). All give the same bits. Constants
// that follow from the arguments (activation, x_quads, records, norm) are left out.
std::vector<kernels::MatmulTiledTile> tiled_tiles(const vulkan::Caps& caps, uint32_t row_capacity);
// Tiles of matmul_tiled with int8 weights.
std::vector<kernels::MatmulTiledTile> int8_tiles(const vulkan::Caps& caps, uint32_t row_capacity);
std::vector<kernels::MatmulCoopmatTile> coopmat_tiles(const vulkan::Caps& caps, bool records);
std::vector<kernels::MatmulCoopmat2Tile> coopmat2_tiles(const vulkan::Caps& caps, bool records);
// With records the list has only tiles of whole panels, and none where these need too many invocations.
std::vector<kernels::MatmulSplitTile> split_tiles(const vulkan::Caps& caps, const Weight& w, uint32_t row_capacity,
                                                  bool records);

// Shared memory of the complete tile, for weights of this type.
uint32_t shared_bytes(const kernels::MatmulSplitTile& tile, DType weights);
// Whether the complete tile has the shared memory to include a norm.
bool fits_norm(const vulkan::Caps& caps, const kernels::MatmulSplitTile& tile, DType weights);

// Rows and columns that one workgroup computes.
inline uint32_t coopmat_rows(const kernels::MatmulCoopmatTile& tile) {
    return tile.subgroup_rows * tile.row_tiles * tile.m;
}
inline uint32_t coopmat_columns(const kernels::MatmulCoopmatTile& tile) { return tile.subgroup_columns * tile.columns; }

inline uint32_t coopmat_columns(const kernels::MatmulCoopmat2Tile& tile) { return tile.panels * tile.columns; }

// Whether products with these weights have so few outputs that rows must be divided to keep a large device busy.
bool has_few_outputs(const Weight& w);

// Index of the tile that the tables name for this many rows and outputs.
uint32_t default_tile(const std::vector<kernels::MatmulTiledTile>& tiles, uint32_t rows, uint32_t n);
uint32_t default_tile(const std::vector<kernels::MatmulCoopmatTile>& tiles, uint32_t rows, uint32_t n);
uint32_t default_tile(const std::vector<kernels::MatmulCoopmat2Tile>& tiles, uint32_t rows, uint32_t n);
uint32_t default_tile(const std::vector<kernels::MatmulSplitTile>& tiles, uint32_t rows, uint32_t n);

}  // namespace dragoman::ops
