// SPDX-License-Identifier: Apache-2.0
// One step of a simpler simple recurrent unit, one live row per workgroup.
#version 460
#pragma variants(T = float, float16_t)
#include "recurrence.glsl"
#include "activation.glsl"

layout(binding = 5) readonly buffer Candidate { T candidate[]; };
layout(binding = 6) readonly buffer Forget { T forget[]; };
layout(binding = 7) writeonly buffer Out { T y[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const RecurrentRow at = recurrent_row(row);
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS) {
        const float z = float(candidate[row * pc.x_stride + c]);
        const float keep = sigmoid(float(forget[row * pc.x2_stride + pc.x2_column + c]));
        precise float state = fma(keep, state_before(at, c) - z, z);
        states[at.after + c] = state;
        y[row * pc.y_stride + c] = T(max(state, 0.0));
    }
}
