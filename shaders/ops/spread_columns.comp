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

// Of what `values` has, with columns in ascending order. The sum of two has the same bits as in record_tile().
void record_pair(uint row, uint tile, vec2 values, uvec2 columns) {
    const bvec2 enabled = bvec2(is_enabled(values.x), is_enabled(values.y));
    const bool second = enabled.y && (!enabled.x || values.y > values.x);
    const float maximum = second ? values.y : enabled.x ? values.x : kNothing;
    precise const float sum = exponential(values.x, maximum) + exponential(values.y, maximum);
    const uint tiles = (pc.y_cols + TOPK_TILE - 1) / TOPK_TILE;
    records[record_index(row, RECORD_MAXIMUM, tile, tiles)] = floatBitsToUint(maximum);
    records[record_index(row, RECORD_SUM, tile, tiles)] = floatBitsToUint(sum);
    records[record_index(row, RECORD_COLUMN, tile, tiles)] = second ? columns.y : enabled.x ? columns.x : kNoColumn;
}

void main() {
    const uint row = gl_WorkGroupID.x, tile = gl_WorkGroupID.y * LANES + gl_LocalInvocationIndex;
    const uint begin = tile * TOPK_TILE, end = min(begin + TOPK_TILE, pc.y_cols), y_at = row * pc.y_stride;
    if (row >= count || begin >= pc.y_cols) return;
    const uint halves[2] = uint[2](permitted_columns(row, begin / 32), permitted_columns(row, begin / 32 + 1));
    const int found = bitCount(halves[0]) + bitCount(halves[1]);
    if (found > 0 || pc.whole != 0)
        for (uint c = begin; c < end; ++c) y[y_at + c] = kNothing;
    vec2 values = vec2(kNothing);
    uvec2 columns = uvec2(kNoColumn);
    for (uint i = 0; i < 2; ++i)
        for (uint left = halves[i]; left != 0; left &= left - 1) {
            const uint c = begin + i * 32 + findLSB(left), place = places[c];
            if (place >= pc.x_cols) continue;
            values = vec2(values.y, x[row * pc.x_stride + place]);
            columns = uvec2(columns.y, c);
            y[y_at + c] = values.y;
        }
    if (found > 2) record_tile(row, y_at, tile, pc.y_cols);
    else record_pair(row, tile, values, columns);
}
