// SPDX-License-Identifier: Apache-2.0
// softmax or log-softmax of scale * x, one row per workgroup. x <= kDisabled and NaN take no part.
#version 460
#pragma variants(T = float, float16_t)
#include "types.glsl"
#include "reduce.glsl"
#include "shared/softmax.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // a power of two

layout(push_constant) uniform Push { SoftmaxPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) writeonly buffer Y { T y[]; };

const float kDisabled = -1e30;

void main() {
    const uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationIndex;
    if (row >= count) return;

    float maximum = kDisabled;
    for (uint c = lane; c < pc.cols; c += LANES) {
        const float value = float(x[row * pc.x_stride + c]);
        if (value > kDisabled) maximum = max(maximum, pc.scale * value);
    }
    maximum = reduce_max(maximum, LANES);

    float sum = 0.0;
    for (uint c = lane; c < pc.cols; c += LANES) {
        const float value = float(x[row * pc.x_stride + c]);
        if (value > kDisabled) sum += exp(pc.scale * value - maximum);
    }
    sum = reduce_sum(sum, LANES);

    // A row without enabled columns never uses these.
    const float inverse = sum > 0.0 ? 1.0 / sum : 0.0;
    const float log_sum = sum > 0.0 ? maximum + log(sum) : 0.0;
    for (uint c = lane; c < pc.cols; c += LANES) {
        const float value = float(x[row * pc.x_stride + c]);
        const bool enabled = value > kDisabled;
        float result;
        if (pc.logarithm != 0) result = enabled ? pc.scale * value - log_sum : kDisabled;
        else result = enabled ? exp(pc.scale * value - maximum) * inverse : 0.0;
        y[row * pc.y_stride + c] = T(result);
    }
}
