// SPDX-License-Identifier: Apache-2.0
// The mean of a sentence's rows, one sentence per workgroup.
#version 460
#pragma variants(T = float, float16_t)
#include "types.glsl"
#include "shared/recurrence.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;

layout(push_constant) uniform Push { SentenceRowsPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer SentenceBegin { uint sentence_begin[]; };
layout(binding = 2) readonly buffer X { T x[]; };
layout(binding = 3) writeonly buffer Y { T y[]; };

void main() {
    const uint sentence = gl_WorkGroupID.x;
    if (sentence >= count) return;
    const uint begin = sentence_begin[sentence], end = sentence_begin[sentence + 1];
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS) {
        float sum = 0.0;
        for (uint row = begin; row < end; ++row) sum += float(x[row * pc.x_stride + c]);
        y[sentence * pc.y_stride + c] = T(sum / float(max(end - begin, 1)));
    }
}
