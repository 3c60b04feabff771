// SPDX-License-Identifier: Apache-2.0
// y = gate x + (1 - gate) other, or x + other, one workgroup per row.
#version 460
#pragma variants(T = float, float16_t)
#include "types.glsl"
#include "shared/elementwise.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;

layout(push_constant) uniform Push { BlendPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Gate { T gate[]; };
layout(binding = 2) readonly buffer X { T x[]; };
layout(binding = 3) readonly buffer Other { T other[]; };
layout(binding = 4) writeonly buffer Out { T y[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS) {
        const float a = float(x[row * pc.x_stride + c]), b = float(other[row * pc.other_stride + c]);
        precise float value = a + b;
        if (pc.gated != 0) value = fma(float(gate[row * pc.gate_stride + c]), a - b, b);
        y[row * pc.y_stride + c] = T(value);
    }
}
