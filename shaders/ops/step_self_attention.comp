// SPDX-License-Identifier: Apache-2.0
// One step of decoder self-attention: one live row per workgroup, heads_per_group heads one after the other. The row's
// own key and value come from qkv and start the sums; the cache entry written here is read by later steps only.
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
const uint VALUE_LANES = LANES / VALUE_GROUPS;
const uint LANE_QUADS = (HEAD_QUADS + VALUE_LANES - 1) / VALUE_LANES;  // output quads per lane; 1 with groups
shared vec4 query[HEAD_QUADS];
shared uint block_at[kKeyBlock];  // where the head begins in the cache entry of each key of the block
shared vec4 group_sums[LANES];

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

void find_entries(uint cache_row, uint at_step, uint begin, uint block_keys, uint head) {
    for (uint i = gl_LocalInvocationIndex; i < block_keys; i += LANES) {
        uint row = cache_row;
        if (pc.beam > 1) {
            const uint table_row = (at_step & 1) * pc.cache_rows + cache_row;
            row = cache_row / pc.beam * pc.beam + ancestry[table_row * pc.max_steps + begin + i];
        }
        block_at[i] = entry_at(row, begin + i, head);
    }
}

void score_block(uint at_step, uint begin, uint block_keys, uint head) {
    for (uint key = gl_LocalInvocationIndex; key < block_keys; key += LANES) {
        const uint at = block_at[key];
        float score = bias_at(head, at_step, begin + key);
        for (uint quad = 0; quad < HEAD_QUADS; ++quad) score = dot_quad(query[quad], load_key(at, quad), score);
        block_scores[key] = score;
    }
}

void attend(uint row, uint cache_row, uint at_step, uint head) {
    const uint lane = gl_LocalInvocationIndex, group = lane / VALUE_LANES, value_lane = lane % VALUE_LANES;
    const uint own = row * pc.qkv_stride + head * HEAD_DIM, own_entry = entry_at(cache_row, at_step, head);
    vec4 sum[LANE_QUADS];
    float own_score = 0.0;
    [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) {
        vec4 q = vec4(0.0);
        sum[i] = vec4(0.0);
        const uint quad = value_lane + i * VALUE_LANES;
        if (group == 0 && quad < HEAD_QUADS) {
            [[unroll]] for (uint c = 0; c < 4; ++c) {
                const uint d = 4 * quad + c;
                if (d < HEAD_DIM) {
                    const float k = float(qkv[own + pc.heads * HEAD_DIM + d]);
                    q[c] = pc.scale * float(qkv[own + d]);
                    own_score = fma(q[c], k, own_score);
                    sum[i][c] = float(qkv[own + 2 * pc.heads * HEAD_DIM + d]);
                    keys[own_entry + d] = T(k);
                    values[own_entry + d] = T(sum[i][c]);
                }
            }
            query[quad] = q;
        }
    }
    OnlineSoftmax state;
    state.maximum = reduce_sum(own_score, LANES) + bias_at(head, at_step, at_step);
    state.sum = lane == 0 ? 1.0 : 0.0;

    for (uint block = 0; block < at_step; block += kKeyBlock) {
        const uint block_keys = min(kKeyBlock, at_step - block);
        barrier();
        find_entries(cache_row, at_step, block, block_keys, head);
        barrier();
        score_block(at_step, block, block_keys, head);
        barrier();
        online_softmax_block(state, block_keys, LANES);
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) sum[i] *= block_factor[0];
        for (uint key = group; key < block_keys; key += VALUE_GROUPS) {
            const vec4 weight = vec4(block_scores[key]);
            const uint value_at = block_at[key];
            [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
                sum[i] = fma(weight, load_value(value_at, min(value_lane + i * VALUE_LANES, HEAD_QUADS - 1)), sum[i]);
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
}

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint cache_row = live_rows[row], at_step = position[cache_row];
    find_slot(cache_row);
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head) attend(row, cache_row, at_step, head);
}
