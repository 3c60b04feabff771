// SPDX-License-Identifier: Apache-2.0
// y = y * factor + x: the order of two runs shows in the result.
#version 460

layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint STEP = 1;
layout(push_constant) uniform Push { uint count, factor; } pc;
layout(binding = 0) readonly buffer X { uint x[]; };
layout(binding = 1) buffer Y { uint y[]; };

void main() {
    const uint first = gl_GlobalInvocationID.x * STEP;
    for (uint i = first; i < min(first + STEP, pc.count); ++i) y[i] = y[i] * pc.factor + x[i];
}
