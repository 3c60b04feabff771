// SPDX-License-Identifier: Apache-2.0
// Attention of Bahdanau et al. 2015 over a slot's encoder rows: scores v tanh(key + query), one live row per workgroup.
#version 460
#pragma variants(T = float, float16_t)
#include "types.glsl"
#include "activation.glsl"
#include "reduce.glsl"
#include "shared/attention.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;
layout(constant_id = 1) const uint TEAM = 1;  // lanes that share a key; both are powers of two

layout(push_constant) uniform Push { AdditiveAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Q { T q[]; };
layout(binding = 2) readonly buffer Keys { T keys[]; };
layout(binding = 3) readonly buffer Values { T values[]; };
layout(binding = 4) readonly buffer Vector { float v[]; };
layout(binding = 5) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 6) readonly buffer SourceBegin { uint source_begin[]; };
layout(binding = 7) readonly buffer SourceLength { uint source_length[]; };
layout(binding = 8) readonly buffer Position { uint position[]; };
layout(binding = 9) buffer Weights { float weights[]; };
layout(binding = 10) buffer Y { T y[]; };

const uint kBlock = 256;  // keys at a time, a multiple of the lanes
shared float scores[kBlock];

void score_block(uint row, uint begin, uint keys_here) {
    const uint lane = gl_LocalInvocationIndex;
    for (uint first = 0; first < keys_here; first += LANES / TEAM) {
        const uint key = first + lane / TEAM;
        float part = 0.0;
        if (key < keys_here) {
            const uint at = (begin + key) * pc.keys_stride, q_at = row * pc.q_stride;
            for (uint c = lane % TEAM; c < pc.cols; c += TEAM)
                part = fma(v[c], tanh_stable(float(keys[at + c]) + float(q[q_at + c])), part);
        }
        const float score = reduce_sum(part, TEAM);
        if (lane % TEAM == 0 && key < keys_here) scores[key] = score;
    }
    barrier();
}

void main() {
    const uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationIndex;
    if (row >= count) return;
    const uint cache_row = live_rows[row], slot = cache_row / pc.beam;
    const uint begin = source_begin[slot], length = source_length[slot];
    uint target = 0;
    if (pc.has_weights != 0) target = (cache_row * pc.max_steps + position[cache_row]) * pc.weights_stride;

    float maximum = -1e30, sum = 0.0;
    for (uint block = 0; block < length; block += kBlock) {
        const uint keys_here = min(kBlock, length - block);
        score_block(row, begin + block, keys_here);
        float largest = maximum;
        for (uint key = lane; key < keys_here; key += LANES) largest = max(largest, scores[key]);
        largest = reduce_max(largest, LANES);

        float part = 0.0;
        for (uint key = lane; key < keys_here; key += LANES) {
            if (pc.has_weights != 0) weights[target + block + key] = scores[key];
            scores[key] = exp(scores[key] - largest);
            part += scores[key];
        }
        const float before = sum * exp(maximum - largest);
        sum = before + reduce_sum(part, LANES);
        maximum = largest;
        // The sum so far is a mean already, so f16 does not overflow.
        for (uint c = lane; c < pc.cols; c += LANES) {
            float mean = block > 0 ? before * float(y[row * pc.y_stride + c]) : 0.0;
            for (uint key = 0; key < keys_here; ++key)
                mean = fma(scores[key], float(values[(begin + block + key) * pc.values_stride + c]), mean);
            y[row * pc.y_stride + c] = T(mean / sum);
        }
        barrier();
    }
    if (length == 0)
        for (uint c = lane; c < pc.cols; c += LANES) y[row * pc.y_stride + c] = T(0.0);
    if (pc.has_weights != 0)
        for (uint key = lane; key < length; key += LANES)
            weights[target + key] = exp(weights[target + key] - maximum) / sum;
}
