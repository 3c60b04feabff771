// SPDX-License-Identifier: Apache-2.0
// step_self_attention for CPU devices with texel buffers (matmul_texel.comp). The caches are bound twice: entries of
// this step are stored, those of earlier ones fetched.
#version 460
#pragma variants(T = float)
#include "types.glsl"
#include "attention_texel.glsl"
#include "shared/attention.h"

layout(push_constant) uniform Push { StepSelfAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) uniform utextureBuffer qkv;
layout(binding = 2) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 3) readonly buffer Position { uint position[]; };
layout(binding = 4) readonly buffer Ancestry { uint ancestry[]; };
layout(binding = 5) readonly buffer RelativeBias { float relative_bias[]; };
layout(binding = 6) writeonly buffer Keys { u64vec2 new_keys[]; };
layout(binding = 7) writeonly buffer Values { u64vec2 new_values[]; };
layout(binding = 8) readonly buffer Ranges { uint ranges[]; };
layout(binding = 9) writeonly buffer Y { u64vec2 y[]; };
layout(binding = 10) uniform utextureBuffer keys;
layout(binding = 11) uniform utextureBuffer values;

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
    const uint own = row * pc.qkv_stride + head * HEAD_DIM, own_entry = entry_at(cache_row, at_step, head);
    vec4 query[LANE_QUADS], result[LANE_QUADS];
    float own_score = 0.0;
    [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) {
        const uint quad = lane_quad(i);
        query[i] = owns_quad(i) ? pc.scale * FETCH(qkv, own, quad) : vec4(0.0);
        result[i] = FETCH(qkv, own + 2 * pc.heads * HEAD_DIM, quad);
        const vec4 k = FETCH(qkv, own + pc.heads * HEAD_DIM, quad);
        own_score = dot_quad(query[i], k, own_score);
        if (owns_quad(i)) {
            new_keys[own_entry / 4 + quad] = pack_quad(k);
            new_values[own_entry / 4 + quad] = pack_quad(result[i]);
        }
    }
    float maximum = add_lanes(own_score) + bias_at(head, at_step, at_step), sum = 1.0;

    for (uint key = 0; key < at_step; ++key) {
        const uint at = entry_at(ancestor(cache_row, at_step, key), key, head);
        float part = 0.0;
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) part = dot_quad(query[i], FETCH(keys, at, lane_quad(i)), part);
        const vec2 factors = join_score(add_lanes(part) + bias_at(head, at_step, key), maximum);
        sum = fma(sum, factors.x, factors.y);
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
            result[i] = fma(vec4(factors.y), FETCH(values, at, lane_quad(i)), factors.x * result[i]);
    }

    [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
        if (owns_quad(i)) y[(row * pc.y_stride + head * HEAD_DIM) / 4 + lane_quad(i)] = pack_quad(result[i] / sum);
}

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint cache_row = live_rows[row], at_step = position[cache_row];
    find_slot(cache_row);
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head) attend(row, cache_row, at_step, head);
}
