// SPDX-License-Identifier: Apache-2.0
// y = the state after the step before, one live row per workgroup.
#version 460
#pragma variants(T = float, float16_t)
#include "recurrence.glsl"

layout(binding = 5) writeonly buffer Out { T y[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const RecurrentRow at = recurrent_row(row);
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS)
        y[row * pc.y_stride + c] = T(state_before(at, c));
}
