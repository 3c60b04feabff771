// SPDX-License-Identifier: Apache-2.0
// y[s] = the mean of rows begin[s] to begin[s + 1] of x, or the first of them; one workgroup per y row. No rows: 0.
#version 460
#pragma variants(T Y = float float, float16_t float, float16_t float16_t)
#include "types.glsl"
#ifndef Y
#define Y T
#endif
#include "shared/pool.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;

layout(push_constant) uniform Push { PoolPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { T x[]; };
layout(binding = 2) readonly buffer Begin { uint begin[]; };
layout(binding = 3) writeonly buffer Out { Y y[]; };

void main() {
    const uint sentence = gl_WorkGroupID.x;
    if (sentence >= count) return;
    const uint first = begin[sentence], rows = begin[sentence + 1] - first;
    const uint taken = pc.first != 0 ? min(rows, 1) : rows;
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS) {
        float sum = 0.0;
        for (uint r = 0; r < taken; ++r) sum += float(x[(first + r) * pc.x_stride + c]);
        y[sentence * pc.y_stride + c] = Y(sum / float(max(taken, 1)));
    }
}
