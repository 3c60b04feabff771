// SPDX-License-Identifier: Apache-2.0
// y = activation(x), one workgroup per row.
#version 460
#pragma variants(T Y = float float, float float16_t, float16_t float, float16_t float16_t)
#include "types.glsl"
#include "activation.glsl"
#ifndef Y
#define Y T
#endif

layout(local_size_x_id = 1) in;
layout(constant_id = 0) const uint ACTIVATION = 7;
layout(constant_id = 1) const uint INVOCATIONS = 64;

layout(push_constant) uniform Push { ActivatePush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) writeonly buffer Out { Y y[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS)
        y[row * pc.y_stride + c] = Y(activate(float(x[row * pc.x_stride + c]), ACTIVATION));
}
