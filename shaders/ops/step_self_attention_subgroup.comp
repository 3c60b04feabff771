// SPDX-License-Identifier: Apache-2.0
// step_self_attention for CPU devices: a workgroup is one subgroup, whose lanes share the columns of a head. Without
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

layout(push_constant) uniform Push { StepSelfAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Qkv { T qkv[]; };
layout(binding = 2) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 3) readonly buffer Position { uint position[]; };
layout(binding = 4) readonly buffer Ancestry { uint ancestry[]; };
layout(binding = 5) readonly buffer RelativeBias { float relative_bias[]; };
layout(binding = 6) buffer Keys { T keys[]; };
layout(binding = 6) readonly buffer KeyQuads { QUAD key_quads[]; };
layout(binding = 7) buffer Values { T values[]; };
layout(binding = 7) readonly buffer ValueQuads { QUAD value_quads[]; };
layout(binding = 8) readonly buffer Ranges { uint ranges[]; };
layout(binding = 9) writeonly buffer Y { T y[]; };

const uint HEAD_QUADS = (HEAD_DIM + 3) / 4;
const uint LANE_QUADS = (HEAD_QUADS + LANES - 1) / LANES;

// Columns 4 quad .. + 3 of the head that begins at element `at`; beyond the head's end its last column again.
vec4 load_key(uint at, uint quad) {
    if (QUADS != 0) return unpack_quad(key_quads[at / 4 + quad]);
    const uint d = 4 * quad, last = at + HEAD_DIM - 1;
    return vec4(float(keys[min(at + d, last)]), float(keys[min(at + d + 1, last)]), float(keys[min(at + d + 2, last)]),
                float(keys[min(at + d + 3, last)]));
}

vec4 load_value(uint at, uint quad) {
    if (QUADS != 0) return unpack_quad(value_quads[at / 4 + quad]);
    const uint d = 4 * quad, last = at + HEAD_DIM - 1;
    return vec4(float(values[min(at + d, last)]), float(values[min(at + d + 1, last)]),
                float(values[min(at + d + 2, last)]), float(values[min(at + d + 3, last)]));
}

float bias_at(uint head, uint at_step, uint key) {
    if (pc.has_bias == 0) return 0.0;
    const int reach = int(pc.bias_reach);
    return relative_bias[head * (2 * reach + 1) + clamp(int(key) - int(at_step), -reach, reach) + reach];
}

// Of this row's slot: its first cache row, where its entries begin, steps per row.
uint slot_row, slot_begin, slot_steps;

void find_slot(uint cache_row) {
    const uint slot = cache_row / pc.beam;
    slot_row = slot * pc.beam;
    slot_begin = pc.has_ranges != 0 ? ranges[2 * slot] : slot_row * pc.max_steps;
    slot_steps = pc.has_ranges != 0 ? ranges[2 * slot + 1] : pc.max_steps;
}

uint entry_at(uint cache_row, uint at_step, uint head) {
    return (slot_begin + (cache_row - slot_row) * slot_steps + at_step) * pc.cache_stride + head * HEAD_DIM;
}

uint ancestor(uint cache_row, uint at_step, uint key) {
    if (pc.beam == 1) return cache_row;
    const uint table_row = (at_step & 1) * pc.cache_rows + cache_row;
    return cache_row / pc.beam * pc.beam + ancestry[table_row * pc.max_steps + key];
}

void attend(uint row, uint cache_row, uint at_step, uint head) {
    const uint lane = gl_LocalInvocationIndex;
    const uint own = row * pc.qkv_stride + head * HEAD_DIM, own_entry = entry_at(cache_row, at_step, head);
    vec4 query[LANE_QUADS], result[LANE_QUADS];
    float own_score = 0.0;
    [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) {
        query[i] = vec4(0.0);
        result[i] = vec4(0.0);
        [[unroll]] for (uint c = 0; c < 4; ++c) {
            const uint d = 4 * (lane + i * LANES) + c;
            if (d < HEAD_DIM) {
                const float k = float(qkv[own + pc.heads * HEAD_DIM + d]);
                query[i][c] = pc.scale * float(qkv[own + d]);
                result[i][c] = float(qkv[own + 2 * pc.heads * HEAD_DIM + d]);
                own_score = fma(query[i][c], k, own_score);
                keys[own_entry + d] = T(k);
                values[own_entry + d] = T(result[i][c]);
            }
        }
    }
    float maximum = subgroupAdd(own_score) + bias_at(head, at_step, at_step), sum = 1.0;

    for (uint key = 0; key < at_step; ++key) {
        const uint at = entry_at(ancestor(cache_row, at_step, key), key, head);
        float part = 0.0;
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
            part = dot_quad(query[i], load_key(at, min(lane + i * LANES, HEAD_QUADS - 1)), part);
        const float score = subgroupAdd(part) + bias_at(head, at_step, key), before = maximum;
        maximum = max(before, score);
        const float factor = exp(before - maximum), weight = exp(score - maximum);
        sum = fma(sum, factor, weight);
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
            result[i] = fma(vec4(weight), load_value(at, min(lane + i * LANES, HEAD_QUADS - 1)), factor * result[i]);
    }

    [[unroll]] for (uint i = 0; i < LANE_QUADS * 4; ++i) {
        const uint d = 4 * (lane + i / 4 * LANES) + i % 4;
        if (d < HEAD_DIM) y[row * pc.y_stride + head * HEAD_DIM + d] = T(result[i / 4][i % 4] / sum);
    }
}

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint cache_row = live_rows[row], at_step = position[cache_row];
    find_slot(cache_row);
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head) attend(row, cache_row, at_step, head);
}
