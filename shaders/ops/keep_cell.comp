// SPDX-License-Identifier: Apache-2.0
// Keeps the state after a step for the next one, one live row per workgroup.
#version 460
#include "recurrence.glsl"

layout(binding = 5) readonly buffer Hidden { float hidden[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const RecurrentRow at = recurrent_row(row);
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS)
        states[at.after + c] = hidden[row * pc.cols + c];
}
