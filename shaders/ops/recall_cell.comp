// SPDX-License-Identifier: Apache-2.0
// The state after the step before, or that with which the sentence starts, one live row per workgroup.
#version 460
#pragma variants(T = float, float16_t)
#include "recurrence.glsl"

layout(binding = 5) readonly buffer Start { float start[]; };  // [tokens, x_stride]: hidden states
layout(binding = 6) readonly buffer SourceBegin { uint source_begin[]; };
layout(binding = 7) writeonly buffer Hidden { float hidden[]; };
layout(binding = 8) writeonly buffer Out { T y[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const RecurrentRow at = recurrent_row(row);
    const uint start_at = source_begin[live_rows[row] / pc.beam] * pc.x_stride;
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS) {
        // Memory cells start as the hidden state does.
        const float value = at.at_step == 0 ? start[start_at + c % pc.x_stride] : state_before(at, c);
        hidden[row * pc.cols + c] = value;
        if (c < pc.x_stride) y[row * pc.y_stride + c] = T(value);
    }
}
