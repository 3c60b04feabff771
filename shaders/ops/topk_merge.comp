// SPDX-License-Identifier: Apache-2.0
// Second half of topk, one row per workgroup.
#version 460
#extension GL_EXT_control_flow_attributes : require
#include "shared/topk.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // a power of two, at most 128
layout(constant_id = 1) const uint LIST = 4;

layout(push_constant) uniform Push { TopkPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
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
