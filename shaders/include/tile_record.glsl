// SPDX-License-Identifier: Apache-2.0
// What a record of shared/topk.h is made of. Every kernel that writes records adds up in the same tree, so that they
// have the same bits whichever wrote them.
#ifndef DRAGOMAN_TILE_RECORD_GLSL
#define DRAGOMAN_TILE_RECORD_GLSL

#include "numbers.glsl"
#include "shared/topk.h"

const float kNothing = -3.402823466e38;  // value of an empty place; its column is kNoColumn
const uint kNoColumn = 0xffffffffu;

float exponential(float value, float maximum) {
    precise const float distance = value - maximum;
    return is_enabled(value) ? exp(distance) : 0.0;
}

float tree_sum(float v[1]) { return v[0]; }

float tree_sum(float v[4]) {
    precise const float sum = (v[0] + v[1]) + (v[2] + v[3]);
    return sum;
}

float tree_sum(float v[8]) {
    precise const float sum = tree_sum(float[4](v[0], v[1], v[2], v[3])) + tree_sum(float[4](v[4], v[5], v[6], v[7]));
    return sum;
}

uint record_index(uint row, uint word, uint tile, uint tiles) { return (row * RECORD_WORDS + word) * tiles + tile; }

#if RECORDS_OF_COLUMNS  // the record of a tile of columns in memory, by one invocation, which writes `records`
// Columns `column` .. + 3 of a row, kNothing from `end` on.
vec4 load_quad(uint row_at, uint column, uint end);

// Adds up the exponentials of eight columns.
float sum_octet(uint row_at, uint column, uint end, float maximum) {
    const vec4 low = load_quad(row_at, column, end), high = load_quad(row_at, column + 4, end);
    float exponentials[8];
    [[unroll]] for (uint i = 0; i < 4; ++i) {
        exponentials[i] = exponential(low[i], maximum);
        exponentials[4 + i] = exponential(high[i], maximum);
    }
    return tree_sum(exponentials);
}

void record_tile(uint row, uint row_at, uint tile, uint cols) {
    const uint begin = tile * TOPK_TILE, end = min(begin + TOPK_TILE, cols);
    float maximum = kNothing;
    uint first = kNoColumn;
    for (uint column = begin; column < end; column += 4) {
        const vec4 quad = load_quad(row_at, column, end);
        [[unroll]] for (uint i = 0; i < 4; ++i) {
            const bool ahead = is_enabled(quad[i]) && quad[i] > maximum;
            maximum = ahead ? quad[i] : maximum;
            first = ahead ? column + i : first;
        }
    }
    // Loops, since 64 exponentials in a row take SwiftShader's compiler minutes and all of the memory. The sums are
    // those of tree_sum() over the eight octets of a TOPK_TILE.
    precise float sum = 0.0;
    [[dont_unroll]] for (uint half_at = begin; half_at < begin + 64; half_at += 32) {
        precise float part = 0.0;
        [[dont_unroll]] for (uint at = half_at; at < half_at + 32; at += 16) {
            precise const float pair = sum_octet(row_at, at, end, maximum) + sum_octet(row_at, at + 8, end, maximum);
            part = at == half_at ? pair : part + pair;
        }
        sum = half_at == begin ? part : sum + part;
    }
    const uint tiles = (cols + TOPK_TILE - 1) / TOPK_TILE;
    records[record_index(row, RECORD_MAXIMUM, tile, tiles)] = floatBitsToUint(maximum);
    records[record_index(row, RECORD_SUM, tile, tiles)] = floatBitsToUint(sum);
    records[record_index(row, RECORD_COLUMN, tile, tiles)] = first;
}
#endif

#endif
