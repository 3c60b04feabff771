// SPDX-License-Identifier: Apache-2.0
// y[i] = x[map[i]], one workgroup per row.
#version 460
#pragma variants(T = float, float16_t)
#include "types.glsl"
#include "shared/elementwise.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;

layout(push_constant) uniform Push { GatherRowsPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) readonly buffer Map { uint map[]; };
layout(binding = 3) writeonly buffer Out { T y[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint source = min(map[row], pc.x_rows - 1);
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS)
        y[row * pc.y_stride + c] = x[source * pc.x_stride + c];
}
