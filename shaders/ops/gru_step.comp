// SPDX-License-Identifier: Apache-2.0
// One step of a gated recurrent unit, one live row per workgroup. The products of both matrices are there already.
#version 460
#pragma variants(T = float, float16_t)
#include "recurrence.glsl"
#include "activation.glsl"

layout(binding = 5) readonly buffer Input { T x[]; };          // [rows, 3 cols]: reset, update, candidate
layout(binding = 6) readonly buffer StateProduct { T u[]; };   // the same of the state before
layout(binding = 7) writeonly buffer Out { T y[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const RecurrentRow at = recurrent_row(row);
    const uint x_at = row * pc.x_stride, u_at = row * pc.x2_stride;
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS) {
        const uint update_at = pc.cols + c, candidate_at = 2 * pc.cols + c;
        const float reset = sigmoid(float(x[x_at + c]) + float(u[u_at + c]));
        const float update = sigmoid(float(x[x_at + update_at]) + float(u[u_at + update_at]));
        precise float candidate =
            tanh_stable(fma(reset, float(u[u_at + candidate_at]), float(x[x_at + candidate_at])));
        precise float state = fma(update, state_before(at, c) - candidate, candidate);
        states[at.after + c] = state;
        y[row * pc.y_stride + c] = T(state);
    }
}
