// SPDX-License-Identifier: Apache-2.0
// Adds the weighted log-probabilities (or probabilities) of one model of an ensemble to those of the others. One
// workgroup per row and kAddLogProbsColumns.
#version 460
#include "numbers.glsl"
#include "shared/ensemble.h"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push { AddLogProbsPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) readonly buffer LogSum { float log_sum[]; };
layout(binding = 3) buffer Y { float y[]; };

float sum_of_logs(float before, float value) {
    precise float weighted = pc.weight * value;
    precise float sum = before + weighted;
    return pc.first != 0 ? weighted : is_enabled(before) ? sum : kDisabled;
}

float log_of_sum(float before, float value) {
    const float weighted = pc.weight + value;
    if (pc.first != 0 || !is_enabled(before)) return weighted;
    const float larger = max(before, weighted), smaller = min(before, weighted);
    return larger + log(1.0 + exp(smaller - larger));
}

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint begin = gl_WorkGroupID.y * kAddLogProbsColumns, end = min(begin + kAddLogProbsColumns, pc.cols);
    const float total = log_sum[row];
    for (uint c = begin + gl_LocalInvocationIndex; c < end; c += 64) {
        const uint at = row * pc.y_stride + c;
        const float logit = x[row * pc.x_stride + c], before = pc.first != 0 ? kDisabled : y[at];
        const bool enabled = is_enabled(logit);
        if (pc.probabilities != 0) y[at] = enabled ? log_of_sum(before, logit - total) : max(before, kDisabled);
        else y[at] = enabled ? sum_of_logs(before, logit - total) : kDisabled;
    }
}
