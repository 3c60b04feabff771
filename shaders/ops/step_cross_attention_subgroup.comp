// SPDX-License-Identifier: Apache-2.0
// step_cross_attention for CPU devices: a workgroup is one subgroup, whose lanes share the columns of a head. Without
// barriers and shared memory, which are what costs there.
#version 460
#pragma variants(T = float, float16_t)
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "types.glsl"
#include "quad.glsl"
#include "shared/attention.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 8;  // the subgroup's size
layout(constant_id = 1) const uint HEAD_DIM = 64;
layout(constant_id = 2) const uint QUADS = 1;  // heads and rows begin at multiples of 4: loads of four columns

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
const uint LANE_QUADS = (HEAD_QUADS + LANES - 1) / LANES;

// Columns 4 quad .. + 3 of the head that begins at element `at`; beyond the head's end its last column again.
vec4 load_quad(uint at, uint quad) {
    if (QUADS != 0) return unpack_quad(memory_quads[at / 4 + quad]);
    const uint d = 4 * quad, last = at + HEAD_DIM - 1;
    return vec4(float(memory[min(at + d, last)]), float(memory[min(at + d + 1, last)]),
                float(memory[min(at + d + 2, last)]), float(memory[min(at + d + 3, last)]));
}

float score_key(vec4 query[LANE_QUADS], uint key_row, uint head) {
    const uint at = key_row * pc.memory_stride + head * HEAD_DIM;
    float part = 0.0;
    [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
        part = dot_quad(query[i], load_quad(at, min(gl_LocalInvocationIndex + i * LANES, HEAD_QUADS - 1)), part);
    return subgroupAdd(part);
}

void attend(uint row, uint cache_row, uint begin, uint length, uint head) {
    const uint lane = gl_LocalInvocationIndex;
    vec4 query[LANE_QUADS], result[LANE_QUADS];
    [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) {
        query[i] = vec4(0.0);
        result[i] = vec4(0.0);
        [[unroll]] for (uint c = 0; c < 4; ++c) {
            const uint d = 4 * (lane + i * LANES) + c;
            if (d < HEAD_DIM) query[i][c] = pc.scale * float(q[row * pc.q_stride + head * HEAD_DIM + d]);
        }
    }

    float maximum = -1e30, sum = 0.0;
    for (uint key = 0; key < length; ++key) {
        const float score = score_key(query, begin + key, head), before = maximum;
        maximum = max(before, score);
        const float factor = exp(before - maximum), weight = exp(score - maximum);
        sum = fma(sum, factor, weight);
        const uint at = (begin + key) * pc.memory_stride + (pc.heads + head) * HEAD_DIM;
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
            result[i] = fma(vec4(weight), load_quad(at, min(lane + i * LANES, HEAD_QUADS - 1)), factor * result[i]);
    }

    const float inverse = sum > 0.0 ? 1.0 / sum : 0.0;
    [[unroll]] for (uint i = 0; i < LANE_QUADS * 4; ++i) {
        const uint d = 4 * (lane + i / 4 * LANES) + i % 4;
        if (d < HEAD_DIM) y[row * pc.y_stride + head * HEAD_DIM + d] = T(result[i / 4][i % 4] * inverse);
    }

    // Scores once more, now that the maximum and the sum are known.
    if (head - pc.weights_begin >= pc.weights_heads) return;
    const uint target = (cache_row * pc.max_steps + position[cache_row]) * pc.weights_stride;
    for (uint key = 0; key < length; ++key) {
        const float share = exp(score_key(query, begin + key, head) - maximum) * inverse / float(pc.weights_heads);
        if (lane == 0) weights[target + key] = (head == pc.weights_begin ? 0.0 : weights[target + key]) + share;
    }
}

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint cache_row = live_rows[row], slot = cache_row / pc.beam;
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head)
        attend(row, cache_row, source_begin[slot], source_length[slot], head);
}
