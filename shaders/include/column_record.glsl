// SPDX-License-Identifier: Apache-2.0
// The record (shared/topk.h) of a tile of columns in memory, by one invocation. Declare a buffer of uints `records` and
// load_quad(row_at, column, end): columns `column` .. + 3 of a row, kNothing from `end` on.
#ifndef DRAGOMAN_COLUMN_RECORD_GLSL
#define DRAGOMAN_COLUMN_RECORD_GLSL

#include "tile_record.glsl"

void record_tile(uint row, uint row_at, uint tile, uint cols) {
    const uint begin = tile * TOPK_TILE, end = min(begin + TOPK_TILE, cols);
    float maximum = kNothing;
    uint first = kNoColumn;
    for (uint column = begin; column < end; column += 4) {
        const vec4 quad = load_quad(row_at, column, end);
        [[unroll]] for (uint i = 0; i < 4; ++i) {
            const bool ahead = quad[i] > kDisabled && quad[i] > maximum;
            maximum = ahead ? quad[i] : maximum;
            first = ahead ? column + i : first;
        }
    }
    float octets[TOPK_TILE / 8];
    [[unroll]] for (uint o = 0; o < TOPK_TILE / 8; ++o) {
        const vec4 low = load_quad(row_at, begin + 8 * o, end), high = load_quad(row_at, begin + 8 * o + 4, end);
        float exponentials[8];
        [[unroll]] for (uint i = 0; i < 4; ++i) {
            exponentials[i] = exponential(low[i], maximum);
            exponentials[4 + i] = exponential(high[i], maximum);
        }
        octets[o] = tree_sum(exponentials);
    }
    const uint tiles = (cols + TOPK_TILE - 1) / TOPK_TILE;
    records[record_index(row, RECORD_MAXIMUM, tile, tiles)] = floatBitsToUint(maximum);
    records[record_index(row, RECORD_SUM, tile, tiles)] = floatBitsToUint(tree_sum(octets));
    records[record_index(row, RECORD_COLUMN, tile, tiles)] = first;
}

#endif
