// SPDX-License-Identifier: Apache-2.0
// One step of cross-attention over the encoder keys and values of the row's slot: one live row per workgroup,
// heads_per_group heads one after the other. With weights one workgroup takes all heads, so that their mean has one
// order of summation and every weight one owner.
#version 460
#pragma variants(T = float, float16_t)
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "shared/attention.h"
#include "online_softmax.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;         // a power of two
layout(constant_id = 1) const uint KEYS_PER_LANE = 1;  // at once; their loads share one load of the query
layout(constant_id = 2) const uint HEAD_DIM = 64;

layout(push_constant) uniform Push { StepCrossAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Q { T q[]; };
layout(binding = 2) readonly buffer Memory { T memory[]; };
layout(binding = 3) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 4) readonly buffer SourceBegin { uint source_begin[]; };
layout(binding = 5) readonly buffer SourceLength { uint source_length[]; };
layout(binding = 6) readonly buffer Position { uint position[]; };
layout(binding = 7) buffer Weights { float weights[]; };
layout(binding = 8) writeonly buffer Y { T y[]; };

const uint DIMS = (HEAD_DIM + LANES - 1) / LANES;  // output columns per lane
shared float query[HEAD_DIM];

// Scores of keys lane, lane + LANES, ... are this lane's, here and in add_weights.
void score_block(uint begin, uint keys, uint head) {
    for (uint first = gl_LocalInvocationIndex; first < keys; first += LANES * KEYS_PER_LANE) {
        uint key_at[KEYS_PER_LANE];
        float score[KEYS_PER_LANE];
        [[unroll]] for (uint n = 0; n < KEYS_PER_LANE; ++n) {
            key_at[n] = (begin + min(first + n * LANES, keys - 1)) * pc.memory_stride + head * HEAD_DIM;
            score[n] = 0.0;
        }
        for (uint d = 0; d < HEAD_DIM; ++d) {
            const float x = query[d];
            [[unroll]] for (uint n = 0; n < KEYS_PER_LANE; ++n) score[n] = fma(x, float(memory[key_at[n] + d]), score[n]);
        }
        [[unroll]] for (uint n = 0; n < KEYS_PER_LANE; ++n)
            if (first + n * LANES < keys) block_scores[first + n * LANES] = score[n];
    }
}

// After the sums: scores once more, now that the maximum and the sum over all blocks are known.
void add_weights(uint cache_row, uint begin, uint length, uint head, float maximum, float inverse_sum) {
    const uint target = (cache_row * pc.max_steps + position[cache_row]) * pc.weights_stride;
    for (uint block = 0; block < length; block += kKeyBlock) {
        const uint keys = min(kKeyBlock, length - block);
        barrier();
        score_block(begin + block, keys, head);
        for (uint key = gl_LocalInvocationIndex; key < keys; key += LANES) {
            const float share = exp(block_scores[key] - maximum) * inverse_sum / float(pc.weights_heads);
            const float before = head == 0 ? 0.0 : weights[target + block + key];
            weights[target + block + key] = before + share;
        }
    }
}

void attend(uint row, uint cache_row, uint begin, uint length, uint head) {
    const uint lane = gl_LocalInvocationIndex;
    uint column[DIMS];
    float sum[DIMS];
    barrier();
    [[unroll]] for (uint i = 0; i < DIMS; ++i) {
        column[i] = min(lane + i * LANES, HEAD_DIM - 1);
        sum[i] = 0.0;
        query[column[i]] = pc.scale * float(q[row * pc.q_stride + head * HEAD_DIM + column[i]]);
    }

    OnlineSoftmax state = online_softmax_start();
    for (uint block = 0; block < length; block += kKeyBlock) {
        const uint keys = min(kKeyBlock, length - block);
        barrier();
        score_block(begin + block, keys, head);
        barrier();
        online_softmax_block(state, keys, LANES);
        [[unroll]] for (uint i = 0; i < DIMS; ++i) sum[i] *= block_factor[0];
        for (uint key = 0; key < keys; ++key) {
            const float weight = block_scores[key];
            const uint value_at = (begin + block + key) * pc.memory_stride + (pc.heads + head) * HEAD_DIM;
            [[unroll]] for (uint i = 0; i < DIMS; ++i) sum[i] = fma(weight, float(memory[value_at + column[i]]), sum[i]);
        }
    }

    online_softmax_finish(state, LANES);
    [[unroll]] for (uint i = 0; i < DIMS; ++i) {
        if (lane + i * LANES >= HEAD_DIM) break;
        y[row * pc.y_stride + head * HEAD_DIM + column[i]] = T(sum[i] * block_factor[0]);
    }
    if (head < pc.weights_heads) add_weights(cache_row, begin, length, head, state.maximum, block_factor[0]);
}

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint cache_row = live_rows[row], slot = cache_row / pc.beam;
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head)
        attend(row, cache_row, source_begin[slot], source_length[slot], head);
}
