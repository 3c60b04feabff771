// SPDX-License-Identifier: Apache-2.0
// y = 2 x, in f32 and in f16.
#version 460
#pragma variants(T = float, float16_t)
#include "types.glsl"

layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uint count; } pc;
layout(binding = 0) readonly buffer X { T x[]; };
layout(binding = 1) writeonly buffer Y { T y[]; };

void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < pc.count) y[i] = x[i] + x[i];
}
