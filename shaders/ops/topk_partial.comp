// SPDX-License-Identifier: Apache-2.0
// First half of topk: the best k of one tile of columns, its maximum and its sum of exponentials, one tile per
// workgroup. Each lane keeps the best LIST of its columns in registers and looks for more when they are used up.
#version 460
#include "candidate.glsl"
#include "reduce.glsl"
#include "shared/topk.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // a power of two
layout(constant_id = 1) const uint LIST = 4;

layout(push_constant) uniform Push { TopkPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) writeonly buffer Scratch { uint scratch[]; };

float value[LIST];
uint column[LIST];

// The lane's first LIST candidates after `last`. Columns ascend, so an equal value stays behind.
void fill_list(uint row_at, uint begin, uint end, Candidate last) {
    for (uint s = 0; s < LIST; ++s) {
        value[s] = kNothing;
        column[s] = kNoColumn;
    }
    for (uint c = begin + gl_LocalInvocationIndex; c < end; c += LANES) {
        float v = x[row_at + c];
        uint at = c;
        if (!(v > kDisabled) || !(v > value[LIST - 1]) || !precedes(last, Candidate(v, c))) continue;
        for (uint s = 0; s < LIST; ++s) {
            const bool ahead = v > value[s];
            const float pushed = ahead ? value[s] : v;
            const uint pushed_at = ahead ? column[s] : at;
            value[s] = ahead ? v : value[s];
            column[s] = ahead ? at : column[s];
            v = pushed;
            at = pushed_at;
        }
    }
}

void main() {
    const uint row = gl_WorkGroupID.x, tile = gl_WorkGroupID.y, lane = gl_LocalInvocationIndex;
    if (row >= count) return;
    const uint row_at = row * pc.stride, target = (row * pc.tiles + tile) * (2 + 2 * pc.k);
    const uint begin = tile * TOPK_TILE, end = min(begin + TOPK_TILE, pc.cols);

    fill_list(row_at, begin, end, Candidate(-kNothing, 0));
    float maximum = kNothing;
    uint used = 0;
    for (uint rank = 0; rank < pc.k; ++rank) {
        const Candidate best = reduce_first(Candidate(value[0], column[0]), LANES);
        if (rank == 0) maximum = best.value;
        if (lane == 0) {
            scratch[target + 2 + rank] = floatBitsToUint(best.value);
            scratch[target + 2 + pc.k + rank] = best.column;
        }
        if (column[0] == best.column && best.column != kNoColumn) {
            for (uint s = 0; s + 1 < LIST; ++s) {
                value[s] = value[s + 1];
                column[s] = column[s + 1];
            }
            value[LIST - 1] = kNothing;
            column[LIST - 1] = kNoColumn;
            if (++used % LIST == 0 && rank + 1 < pc.k) fill_list(row_at, begin, end, best);
        }
    }

    float sum = 0.0;
    for (uint c = begin + lane; c < end; c += LANES) {
        const float v = x[row_at + c];
        if (v > kDisabled) sum += exp(v - maximum);
    }
    sum = reduce_sum(sum, LANES);
    if (lane == 0) {
        scratch[target] = floatBitsToUint(maximum);
        scratch[target + 1] = floatBitsToUint(sum);
    }
}
