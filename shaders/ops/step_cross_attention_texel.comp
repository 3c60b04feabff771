// SPDX-License-Identifier: Apache-2.0
// step_cross_attention for CPU devices with texel buffers (matmul_texel.comp): neighbouring rows of one slot, the
// hypotheses of a sentence, share the loads of its keys and values.
#version 460
#pragma variants(T = float)
#include "types.glsl"
#include "attention_texel.glsl"
#include "shared/attention.h"

layout(constant_id = 2) const uint QUERIES = 4;

layout(push_constant) uniform Push { StepCrossAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) uniform utextureBuffer q;
layout(binding = 2) uniform utextureBuffer memory;
layout(binding = 3) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 4) readonly buffer SourceBegin { uint source_begin[]; };
layout(binding = 5) readonly buffer SourceLength { uint source_length[]; };
layout(binding = 6) readonly buffer Position { uint position[]; };
layout(binding = 7) buffer Weights { float weights[]; };
layout(binding = 8) writeonly buffer Y { u64vec2 y[]; };

vec4 query[QUERIES * LANE_QUADS], keys[LANE_QUADS];

// Of the key that load_key() fetched.
float score(uint r) {
    float part = 0.0;
    [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) part = dot_quad(query[r * LANE_QUADS + i], keys[i], part);
    return add_lanes(part);
}

void load_key(uint key, uint head) {
    [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
        keys[i] = FETCH(memory, key * pc.memory_stride + head * HEAD_DIM, lane_quad(i));
}

// Of rows `row` ... `row + queries - 1`.
void attend(uint row, uint queries, uint begin, uint length, uint head) {
    vec4 result[QUERIES * LANE_QUADS];
    float maximum[QUERIES], sum[QUERIES];
    [[unroll]] for (uint r = 0; r < QUERIES; ++r) {
        const uint at = (row + min(r, queries - 1)) * pc.q_stride + head * HEAD_DIM;
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) {
            query[r * LANE_QUADS + i] = owns_quad(i) ? pc.scale * FETCH(q, at, lane_quad(i)) : vec4(0.0);
            result[r * LANE_QUADS + i] = vec4(0.0);
        }
        maximum[r] = -1e30;
        sum[r] = 0.0;
    }

    for (uint key = begin; key < begin + length; ++key) {
        load_key(key, head);
        vec4 values[LANE_QUADS];
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
            values[i] = FETCH(memory, key * pc.memory_stride + (pc.heads + head) * HEAD_DIM, lane_quad(i));
        [[unroll]] for (uint r = 0; r < QUERIES; ++r) {
            const vec2 factors = join_score(score(r), maximum[r]);
            sum[r] = fma(sum[r], factors.x, factors.y);
            [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
                result[r * LANE_QUADS + i] = fma(vec4(factors.y), values[i], factors.x * result[r * LANE_QUADS + i]);
        }
    }

    [[unroll]] for (uint r = 0; r < QUERIES; ++r) {
        sum[r] = sum[r] > 0.0 ? 1.0 / sum[r] : 0.0;
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
            if (r < queries && owns_quad(i))
                y[((row + r) * pc.y_stride + head * HEAD_DIM) / 4 + lane_quad(i)] =
                    pack_quad(result[r * LANE_QUADS + i] * sum[r]);
    }

    // Scores once more, now that the maximum and the sum are known.
    if (head - pc.weights_begin >= pc.weights_heads) return;
    for (uint key = 0; key < length; ++key) {
        load_key(begin + key, head);
        [[unroll]] for (uint r = 0; r < QUERIES; ++r) {
            const float share = exp(score(r) - maximum[r]) * sum[r] / float(pc.weights_heads);
            if (gl_LocalInvocationIndex == 0 && r < queries) {
                const uint cache_row = live_rows[row + r];
                const uint at = (cache_row * pc.max_steps + position[cache_row]) * pc.weights_stride + key;
                weights[at] = (head == pc.weights_begin ? 0.0 : weights[at]) + share;
            }
        }
    }
}

void main() {
    const uint first_head = gl_WorkGroupID.y * pc.heads_per_group;
    const uint end_head = min(first_head + pc.heads_per_group, pc.heads);
    const uint end = min((gl_WorkGroupID.x + 1) * QUERIES, count);
    for (uint row = gl_WorkGroupID.x * QUERIES; row < end;) {
        const uint slot = live_rows[row] / pc.beam;
        uint queries = 1;
        while (row + queries < end && live_rows[row + queries] / pc.beam == slot) ++queries;
        for (uint head = first_head; head < end_head; ++head)
            attend(row, queries, source_begin[slot], source_length[slot], head);
        row += queries;
    }
}
