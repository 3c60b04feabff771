// SPDX-License-Identifier: Apache-2.0
// maxima[row_groups[row] / group_rows] = max |x| over the group's rows, one row per workgroup. The maxima begin at 0.
#version 460
#pragma variants(T = float, float16_t)
#include "types.glsl"
#include "reduce.glsl"
#include "shared/matmul.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // a power of two

layout(push_constant) uniform Push { RowMaximaPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) readonly buffer RowGroups { uint row_groups[]; };
layout(binding = 3) buffer Maxima { uint maxima[]; };  // floats that are not negative are ordered as their bits are

void main() {
    const uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationIndex;
    if (row >= count) return;
    float largest = 0.0;
    for (uint c = lane; c < pc.cols; c += LANES) largest = max(largest, abs(float(x[row * pc.stride + c])));
    largest = reduce_max(largest, LANES);
    if (lane == 0) atomicMax(maxima[row_groups[row] / pc.group_rows], floatBitsToUint(largest));
}
