// SPDX-License-Identifier: Apache-2.0
// One step of cross-attention over the encoder keys and values of a slot: live rows of one slot that lie side by side,
// hypotheses of a sentence, share a workgroup and its loads; heads_per_group heads come one after the other. With
// weights one workgroup takes all heads, so that their mean has one order of summation and every weight one owner.
#version 460
#pragma variants(T = float, float16_t)
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "shared/attention.h"

layout(constant_id = 5) const uint QUERIES = 4;  // a slot's rows begin workgroups at every QUERIES-th
#include "step_attention.glsl"

layout(push_constant) uniform Push { StepCrossAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Q { T q[]; };
layout(binding = 1) readonly buffer QQuads { QUAD q_quads[]; };
layout(binding = 2) readonly buffer Memory { T memory[]; };
layout(binding = 2) readonly buffer MemoryQuads { QUAD memory_quads[]; };
layout(binding = 3) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 4) readonly buffer SourceBegin { uint source_begin[]; };
layout(binding = 5) readonly buffer SourceLength { uint source_length[]; };
layout(binding = 6) readonly buffer Position { uint position[]; };
layout(binding = 7) buffer Weights { float weights[]; };
layout(binding = 8) writeonly buffer Y { T y[]; };
layout(binding = 8) writeonly buffer YQuads { STORED_QUAD y_quads[]; };

shared vec2 merged_sums[QUERIES];  // maximum, 1 / sum

uint begin, length;  // of the source

uint key_at(uint key, uint head) {
    return (begin + min(key, max(length, 1) - 1)) * pc.memory_stride + head * HEAD_DIM;
}

void load_keys(out QUAD keys[LOADS], uint block, uint head) {
    const uint at = key_at(block + key_of_lane(), head);
    [[unroll]] for (uint i = 0; i < LOADS; ++i) keys[i] = LOAD_QUAD(memory, memory_quads, at, key_quad(i));
}

void load_values(out QUAD values[LOADS], uint block, uint head) {
    [[unroll]] for (uint i = 0; i < LOADS; ++i)
        values[i] = LOAD_QUAD(memory, memory_quads, key_at(block + value_key(i), pc.heads + head), value_quad());
}

// After the sums: scores once more, now that the maximum and the sum over all blocks are known.
void add_weights(uint row, uint queries, uint head) {
    for (uint block = 0; block < length; block += kKeys) {
        QUAD keys[LOADS];
        load_keys(keys, block, head);
        barrier();
        write_parts(keys, 0.0, queries);
        barrier();
        for (uint i = gl_LocalInvocationIndex; i < queries * kKeys; i += LANES) {
            const uint r = i / kKeys, key = i % kKeys;
            if (block + key >= length) continue;
            const uint cache_row = live_rows[row + r];
            const uint at = (cache_row * pc.max_steps + position[cache_row]) * pc.weights_stride + block + key;
            const float share = exp(score_of(r, key) - merged_sums[r].x) * merged_sums[r].y / float(pc.weights_heads);
            weights[at] = (head == pc.weights_begin ? 0.0 : weights[at]) + share;
        }
    }
}

// Of rows `row` ... `row + queries - 1`.
void attend(uint row, uint queries, uint head) {
    QUAD keys[LOADS], values[LOADS];
    load_keys(keys, 0, head);
    load_values(values, 0, head);
    [[unroll]] for (uint i = 0; i < kQueryLoads; ++i) {
        const uint place = i * LANES + gl_LocalInvocationIndex, quad = place % HEAD_LANES;
        const uint at = (row + min(place / HEAD_LANES, queries - 1)) * pc.q_stride + head * HEAD_DIM;
        const vec4 x = unpack_quad(LOAD_QUAD(q, q_quads, at, min(quad, kHeadQuads - 1)));
        query[place] = inside_head(pc.scale * x, quad);
    }
    barrier();

    Attended state[QUERIES];
    [[unroll]] for (uint r = 0; r < QUERIES; ++r) state[r] = Attended(kLowest, 0.0, vec4(0.0));
    for (uint block = 0; block < length; block += kKeys) {
        write_parts(keys, 0.0, queries);
        barrier();
        [[unroll]] for (uint r = 0; r < QUERIES; ++r)
            if (r < queries) add_values(state[r], r, values, length - block);
        if (block + kKeys < length) {
            load_keys(keys, block + kKeys, head);
            load_values(values, block + kKeys, head);
            barrier();
        }
    }

    for (uint first = 0; first < queries; first += kMerged) {
        if (first > 0) barrier();
        [[unroll]] for (uint r = 0; r < QUERIES; ++r)
            if (r - first < kMerged) write_group(state[r], r - first);  // wraps below first
        barrier();
        for (uint i = group_of_lane(); i < min(kMerged, queries - first); i += kGroups) {
            const Attended all = merge_groups(i);
            const float inverse = all.sum > 0.0 ? 1.0 / all.sum : 0.0;
            const uint at = (row + first + i) * pc.y_stride + head * HEAD_DIM, quad = quad_of_lane();
            if (quad < kHeadQuads) STORE_QUAD(y, y_quads, at, quad, all.result * inverse);
            if (quad == 0) merged_sums[first + i] = vec2(all.maximum, inverse);
        }
    }
    if (head - pc.weights_begin < pc.weights_heads) add_weights(row, queries, head);
}

// Rows of one number share a workgroup if they are neighbours.
uint team_of(uint row) {
    const uint cache_row = live_rows[row];
    return cache_row / pc.beam * pc.beam + cache_row % pc.beam / QUERIES;
}

void main() {
    const uint row = gl_WorkGroupID.x, rows = count, slot = live_rows[row] / pc.beam;
    if (row >= rows) return;
    length = source_length[slot];
    begin = min(length, 1) * source_begin[slot];  // the first block is loaded even where there is none
    uint queries = 1;
    if (QUERIES > 1) {
        const uint team = team_of(row);
        if (row > 0 && team_of(row - 1) == team) return;
        uint joins = 1;
        [[unroll]] for (uint i = 1; i < QUERIES; ++i) {  // no branches: one load does not wait for another
            joins &= uint(row + i < rows) & uint(team_of(min(row + i, rows - 1)) == team);
            queries += joins;
        }
    }
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head) attend(row, queries, head);
}
