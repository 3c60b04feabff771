// SPDX-License-Identifier: Apache-2.0
// Puts the logits of permitted outputs into their places among all columns, with the records of these (lib/ops/outputs.h).
// One tile of columns per invocation: a list of a few hundred outputs leaves most tiles out.
#version 460
#pragma kernel(spread_columns)
#extension GL_EXT_control_flow_attributes : require
#define RECORDS_OF_COLUMNS 1
#include "shared/elementwise.h"
#include "shared/topk.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;

layout(push_constant) uniform Push { SpreadColumnsPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) readonly buffer Places { uint places[]; };
layout(binding = 3) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 4) readonly buffer Permitted { uint permitted[]; };  // [slot][words], a bit per column
layout(binding = 5) buffer Y { float y[]; };
layout(binding = 6) writeonly buffer Records { uint records[]; };
#include "tile_record.glsl"

vec4 load_quad(uint row_at, uint column, uint end) {
    vec4 quad = vec4(kNothing);
    [[unroll]] for (uint i = 0; i < 4; ++i)
        if (column + i < end) quad[i] = y[row_at + column + i];
    return quad;
}

// A bit for each of 32 columns.
uint permitted_columns(uint row, uint word) {
    const uint words = (pc.y_cols + 31) / 32;
    if (word >= words) return 0;
    const uint bits = pc.beam == 0 ? ~0u : permitted[live_rows[row] / pc.beam * words + word], past = (word + 1) * 32;
    return past > pc.y_cols ? bits & ~0u >> (past - pc.y_cols) : bits;
}

const int kFew = 16;  // permitted columns of a tile; with more of them, record_tile() is as fast
const uint kLevels = 6;

// The sum of record_tile() over permitted columns alone: exponentials of the others are 0, which a tree of sums does not
// feel. `left_half[level]` waits for the other half of the two that meet there.
float sum_few(uint first_at, uint halves[2], float maximum) {
    precise float left_half[kLevels];
    [[unroll]] for (uint level = 0; level < kLevels; ++level) left_half[level] = 0.0;
    precise float sum = 0.0;
    uint last = 0;
    for (uint i = 0; i < 2; ++i)
        for (uint left = halves[i]; left != 0; left &= left - 1) {
            const uint place = i * 32 + findLSB(left);
            const int meeting = findMSB(place ^ last);
            [[unroll]] for (int level = 0; level < kLevels; ++level) {
                if (level < meeting && (last >> level & 1) != 0) sum += left_half[level];
                left_half[level] = level == meeting ? sum : level < meeting ? 0.0 : left_half[level];
            }
            sum = exponential(y[first_at + place], maximum);
            last = place;
        }
    [[unroll]] for (uint level = 0; level < kLevels; ++level)
        if ((last >> level & 1) != 0) sum += left_half[level];
    return sum;
}

void main() {
    const uint row = gl_WorkGroupID.x, tile = gl_WorkGroupID.y * LANES + gl_LocalInvocationIndex;
    const uint begin = tile * TOPK_TILE, end = min(begin + TOPK_TILE, pc.y_cols), y_at = row * pc.y_stride;
    if (row >= count || begin >= pc.y_cols) return;
    const uint halves[2] = uint[2](permitted_columns(row, begin / 32), permitted_columns(row, begin / 32 + 1));
    const int found = bitCount(halves[0]) + bitCount(halves[1]);
    if (found > 0 || pc.whole != 0)
        for (uint c = begin; c < end; ++c) y[y_at + c] = kNothing;
    float maximum = kNothing;
    uint first = kNoColumn;
    for (uint i = 0; i < 2; ++i)
        for (uint left = halves[i]; left != 0; left &= left - 1) {
            const uint c = begin + i * 32 + findLSB(left), place = places[c];
            if (place >= pc.x_cols) continue;
            const float value = x[row * pc.x_stride + place];
            const bool ahead = is_enabled(value) && value > maximum;
            maximum = ahead ? value : maximum;
            first = ahead ? c : first;
            y[y_at + c] = value;
        }
    if (found > kFew) {
        record_tile(row, y_at, tile, pc.y_cols);
        return;
    }
    const uint tiles = (pc.y_cols + TOPK_TILE - 1) / TOPK_TILE;
    records[record_index(row, RECORD_MAXIMUM, tile, tiles)] = floatBitsToUint(maximum);
    records[record_index(row, RECORD_SUM, tile, tiles)] = floatBitsToUint(sum_few(y_at + begin, halves, maximum));
    records[record_index(row, RECORD_COLUMN, tile, tiles)] = first;
}
