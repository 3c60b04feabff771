// SPDX-License-Identifier: Apache-2.0
// First half of topk: the record of one tile of columns per invocation, from values in memory. The matmul of an output
// layer can write records itself.
#version 460
#extension GL_EXT_control_flow_attributes : require
#include "tile_record.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;
layout(constant_id = 1) const uint QUADS = 1;  // rows begin at multiples of 4: four columns are one load

layout(push_constant) uniform Push { TopkPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer XQuads { vec4 x_quads[]; };
layout(binding = 2) writeonly buffer Records { uint records[]; };

// Columns `column` .. + 3 of a row; those from `end` on are disabled.
vec4 load_quad(uint row_at, uint column, uint end) {
    const vec4 nothing = vec4(kNothing);
    if (column >= end) return nothing;
    const uint last = row_at + end - 1, at = row_at + column;
    const vec4 quad = QUADS != 0 ? x_quads[at / 4]
                                 : vec4(x[at], x[min(at + 1, last)], x[min(at + 2, last)], x[min(at + 3, last)]);
    return mix(nothing, quad, lessThan(uvec4(column) + uvec4(0, 1, 2, 3), uvec4(end)));
}

void main() {
    const uint row = gl_WorkGroupID.x, tile = gl_WorkGroupID.y * LANES + gl_LocalInvocationIndex;
    if (row >= count || tile >= pc.tiles) return;
    const uint row_at = row * pc.stride, begin = tile * TOPK_TILE, end = min(begin + TOPK_TILE, pc.cols);

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
    records[record_index(row, RECORD_MAXIMUM, tile, pc.tiles)] = floatBitsToUint(maximum);
    records[record_index(row, RECORD_SUM, tile, pc.tiles)] = floatBitsToUint(tree_sum(octets));
    records[record_index(row, RECORD_COLUMN, tile, pc.tiles)] = first;
}
