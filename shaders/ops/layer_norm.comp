// SPDX-License-Identifier: Apache-2.0
// y = layer_norm(x + residual), LANES invocations per row.
#version 460
#pragma variants(T = float, float16_t)
#include "types.glsl"
#include "reduce.glsl"
#include "shared/norm.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;
layout(constant_id = 1) const uint LANES = 64;  // a power of two; INVOCATIONS / LANES rows per workgroup

layout(push_constant) uniform Push { LayerNormPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) readonly buffer Residual { T residual[]; };
layout(binding = 3) readonly buffer Gamma { float gamma[]; };
layout(binding = 4) readonly buffer Beta { float beta[]; };
layout(binding = 5) writeonly buffer Out { T y[]; };

float input_at(uint row, uint column) {
    const float value = float(x[row * pc.x_stride + column]);
    if ((pc.flags & kNormResidual) == 0) return value;
    return value + float(residual[row * pc.residual_stride + column]);
}

void main() {
    const uint lane = gl_LocalInvocationIndex % LANES;
    const uint wanted = gl_WorkGroupID.x * (INVOCATIONS / LANES) + gl_LocalInvocationIndex / LANES;
    const bool live = wanted < count;
    // Rows past the end do the last one's work, so that all invocations reach the barriers.
    const uint row = min(wanted, max(count, 1) - 1);
    const bool centred = (pc.flags & kNormBeta) != 0;

    float mean = 0.0;
    if (centred) {
        float sum = 0.0;
        for (uint c = lane; c < pc.cols; c += LANES) sum += input_at(row, c);
        mean = reduce_sum(sum, LANES) / float(pc.cols);
    }
    float squares = 0.0;
    for (uint c = lane; c < pc.cols; c += LANES) {
        const float d = input_at(row, c) - mean;
        squares = fma(d, d, squares);
    }
    const float inverse = 1.0 / sqrt(reduce_sum(squares, LANES) / float(pc.cols) + pc.epsilon);

    if (!live) return;
    for (uint c = lane; c < pc.cols; c += LANES) {
        const float shift = centred ? beta[c] : 0.0;
        y[row * pc.y_stride + c] = T(fma((input_at(row, c) - mean) * inverse, gamma[c], shift));
    }
}
