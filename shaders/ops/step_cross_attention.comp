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
#include "quad.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;        // a power of two
layout(constant_id = 1) const uint HEAD_DIM = 64;
layout(constant_id = 2) const uint QUADS = 1;         // heads and rows begin at multiples of 4: loads of four columns
layout(constant_id = 3) const uint VALUE_GROUPS = 4;  // divides LANES; each group sums every VALUE_GROUPS-th value

layout(push_constant) uniform Push { StepCrossAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Q { T q[]; };
layout(binding = 2) readonly buffer Memory { T memory[]; };
layout(binding = 2) readonly buffer MemoryQuads { QUAD memory_quads[]; };
layout(binding = 3) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 4) readonly buffer SourceBegin { uint source_begin[]; };
layout(binding = 5) readonly buffer SourceLength { uint source_length[]; };
layout(binding = 6) readonly buffer Position { uint position[]; };
layout(binding = 7) buffer Weights { float weights[]; };
layout(binding = 8) writeonly buffer Y { T y[]; };

const uint HEAD_QUADS = (HEAD_DIM + 3) / 4;
const uint VALUE_LANES = LANES / VALUE_GROUPS;
const uint LANE_QUADS = (HEAD_QUADS + VALUE_LANES - 1) / VALUE_LANES;  // output quads per lane; 1 with groups
shared vec4 query[HEAD_QUADS];
shared vec4 group_sums[LANES];

// Columns 4 quad .. + 3 of the head that begins at element `at`; beyond the head's end its last column again.
vec4 load_quad(uint at, uint quad) {
    if (QUADS != 0) return unpack_quad(memory_quads[at / 4 + quad]);
    const uint d = 4 * quad, last = at + HEAD_DIM - 1;
    return vec4(float(memory[min(at + d, last)]), float(memory[min(at + d + 1, last)]),
                float(memory[min(at + d + 2, last)]), float(memory[min(at + d + 3, last)]));
}

// Keys lane, lane + LANES, ... are this lane's, here and in add_weights.
void score_block(uint begin, uint keys, uint head) {
    for (uint key = gl_LocalInvocationIndex; key < keys; key += LANES) {
        const uint at = (begin + key) * pc.memory_stride + head * HEAD_DIM;
        float score = 0.0;
        for (uint quad = 0; quad < HEAD_QUADS; ++quad) score = dot_quad(query[quad], load_quad(at, quad), score);
        block_scores[key] = score;
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
            const float before = head == pc.weights_begin ? 0.0 : weights[target + block + key];
            weights[target + block + key] = before + share;
        }
    }
}

void attend(uint row, uint cache_row, uint begin, uint length, uint head) {
    const uint lane = gl_LocalInvocationIndex, group = lane / VALUE_LANES, value_lane = lane % VALUE_LANES;
    barrier();
    for (uint d = lane; d < HEAD_QUADS * 4; d += LANES)
        query[d / 4][d % 4] = d < HEAD_DIM ? pc.scale * float(q[row * pc.q_stride + head * HEAD_DIM + d]) : 0.0;

    OnlineSoftmax state = online_softmax_start();
    vec4 sum[LANE_QUADS];
    [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) sum[i] = vec4(0.0);
    for (uint block = 0; block < length; block += kKeyBlock) {
        const uint keys = min(kKeyBlock, length - block);
        barrier();
        score_block(begin + block, keys, head);
        barrier();
        online_softmax_block(state, keys, LANES);
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) sum[i] *= block_factor[0];
        for (uint key = group; key < keys; key += VALUE_GROUPS) {
            const vec4 weight = vec4(block_scores[key]);
            const uint value_at = (begin + block + key) * pc.memory_stride + (pc.heads + head) * HEAD_DIM;
            [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
                sum[i] = fma(weight, load_quad(value_at, min(value_lane + i * VALUE_LANES, HEAD_QUADS - 1)), sum[i]);
        }
    }

    online_softmax_finish(state, LANES);
    if (VALUE_GROUPS > 1) {
        group_sums[lane] = sum[0];
        barrier();
        for (uint other = 1; other < VALUE_GROUPS; ++other) sum[0] += group_sums[(lane + other * VALUE_LANES) % LANES];
    }
    if (group == 0) {
        [[unroll]] for (uint i = 0; i < LANE_QUADS * 4; ++i) {
            const uint d = 4 * (value_lane + i / 4 * VALUE_LANES) + i % 4;
            if (d < HEAD_DIM) y[row * pc.y_stride + head * HEAD_DIM + d] = T(sum[i / 4][i % 4] * block_factor[0]);
        }
    }
    if (head - pc.weights_begin < pc.weights_heads) add_weights(cache_row, begin, length, head, state.maximum, block_factor[0]);
}

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint cache_row = live_rows[row], slot = cache_row / pc.beam;
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head)
        attend(row, cache_row, source_begin[slot], source_length[slot], head);
}
