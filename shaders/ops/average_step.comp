// SPDX-License-Identifier: Apache-2.0
// One step of a running mean of the inputs so far, one live row per workgroup.
#version 460
#pragma variants(T = float, float16_t)
#include "recurrence.glsl"

layout(binding = 5) readonly buffer X { T x[]; };
layout(binding = 6) writeonly buffer Out { T y[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const RecurrentRow at = recurrent_row(row);
    const float before = float(at.at_step), inputs = before + 1.0;
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS) {
        precise float state = fma(before, state_before(at, c), float(x[row * pc.x_stride + c])) / inputs;
        states[at.after + c] = state;
        y[row * pc.y_stride + c] = T(state);
    }
}
