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
layout(binding = 1) readonly buffer X { vec4 x_quads[]; };
layout(binding = 2) writeonly buffer Records { uint records[]; };

float x(uint at) { return x_quads[at / 4][at % 4]; }

// Columns `column` .. + 3 of a row; those from `end` on are disabled.
vec4 load_quad(uint row_at, uint column, uint end) {
    const vec4 nothing = vec4(kNothing);
    if (column >= end) return nothing;
    const uint last = row_at + end - 1, at = row_at + column;
    const vec4 quad = QUADS != 0 ? x_quads[at / 4]
                                 : vec4(x(at), x(min(at + 1, last)), x(min(at + 2, last)), x(min(at + 3, last)));
    return mix(nothing, quad, lessThan(uvec4(column) + uvec4(0, 1, 2, 3), uvec4(end)));
}

#include "column_record.glsl"

void main() {
    const uint row = gl_WorkGroupID.x, tile = gl_WorkGroupID.y * LANES + gl_LocalInvocationIndex;
    if (row >= count || tile >= pc.tiles) return;
    record_tile(row, row * pc.stride, tile, pc.cols);
}
