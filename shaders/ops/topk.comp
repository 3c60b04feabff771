// SPDX-License-Identifier: Apache-2.0
// The k best columns of rows, in two halves.
#version 460
#pragma kernel(topk_partial)  // the record of one tile of columns per invocation, if the product did not write it
#pragma kernel(topk_merge)    // one row per workgroup
#extension GL_EXT_control_flow_attributes : require
#define RECORDS_OF_COLUMNS KERNEL_topk_partial
#include "shared/topk.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // to merge: a power of two, at most 128

layout(push_constant) uniform Push { TopkPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };

#if KERNEL_topk_partial
layout(constant_id = 1) const uint QUADS = 1;  // rows begin at multiples of 4: four columns are one load

layout(binding = 1) readonly buffer X { vec4 x_quads[]; };
layout(binding = 2) writeonly buffer Records { uint records[]; };
#include "tile_record.glsl"

float x(uint at) { return x_quads[at / 4][at % 4]; }

vec4 load_quad(uint row_at, uint column, uint end) {
    const vec4 nothing = vec4(kNothing);
    if (column >= end) return nothing;
    const uint last = row_at + end - 1, at = row_at + column;
    const vec4 quad = QUADS != 0 ? x_quads[at / 4]
                                 : vec4(x(at), x(min(at + 1, last)), x(min(at + 2, last)), x(min(at + 3, last)));
    return mix(nothing, quad, lessThan(uvec4(column) + uvec4(0, 1, 2, 3), uvec4(end)));
}

void main() {
    const uint row = gl_WorkGroupID.x, tile = gl_WorkGroupID.y * LANES + gl_LocalInvocationIndex;
    if (row >= count || tile >= pc.tiles) return;
    record_tile(row, row * pc.stride, tile, pc.cols);
}
#else
layout(constant_id = 1) const uint LIST = 4;
#define IN_STEP_ID 2

layout(binding = 1) readonly buffer X { float x[]; };  // not read for k = 1
layout(binding = 2) readonly buffer Records { uint records[]; };
layout(binding = 3) writeonly buffer Values { uint values[]; };
layout(binding = 4) writeonly buffer Columns { uint columns[]; };
layout(binding = 5) writeonly buffer LogSum { float log_sum[]; };

#define INVOCATIONS LANES
#include "topk_merge.glsl"

const uint kMinusInfinity = 0xff800000u;  // as bits: GLSL has no such literal

void store_candidate(uint row, uint rank, Candidate found) {
    values[row * pc.k + rank] = found.column == kNoColumn ? kMinusInfinity : floatBitsToUint(found.value);
    columns[row * pc.k + rank] = found.column;
}

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const float total = row_log_sum(pc, row);
    if (gl_LocalInvocationIndex == 0) log_sum[row] = total;
    merge_records(pc, row);
}
#endif
