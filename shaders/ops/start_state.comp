// SPDX-License-Identifier: Apache-2.0
// tanh of each sentence's row, in the place of the sentence's first token; one sentence per workgroup.
#version 460
#pragma variants(T = float, float16_t)
#include "types.glsl"
#include "activation.glsl"
#include "shared/recurrence.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;

layout(push_constant) uniform Push { SentenceRowsPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer SentenceBegin { uint sentence_begin[]; };
layout(binding = 2) readonly buffer X { T x[]; };
layout(binding = 3) writeonly buffer Y { float y[]; };

void main() {
    const uint sentence = gl_WorkGroupID.x;
    if (sentence >= count) return;
    const uint at = sentence_begin[sentence] * pc.y_stride;
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS)
        y[at + c] = tanh_stable(float(x[sentence * pc.x_stride + c]));
}
