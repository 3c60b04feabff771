// SPDX-License-Identifier: Apache-2.0
// One step of decoder self-attention: one live row per workgroup, heads_per_group heads one after the other. The row's
// own key and value come from qkv and start the sums; the cache entry written here is read by later steps only.
#version 460
#pragma variants(T = float, float16_t)
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "shared/attention.h"

const uint QUERIES = 1;
#include "step_attention.glsl"

layout(push_constant) uniform Push { StepSelfAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Qkv { T qkv[]; };
layout(binding = 1) readonly buffer QkvQuads { QUAD qkv_quads[]; };
layout(binding = 2) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 3) readonly buffer Position { uint position[]; };
layout(binding = 4) readonly buffer Ancestry { uint ancestry[]; };
layout(binding = 5) readonly buffer RelativeBias { float relative_bias[]; };
layout(binding = 6) buffer Keys { T keys[]; };
layout(binding = 6) readonly buffer KeyQuads { QUAD key_quads[]; };
layout(binding = 6) writeonly buffer NewKeys { STORED_QUAD new_keys[]; };
layout(binding = 7) buffer Values { T values[]; };
layout(binding = 7) readonly buffer ValueQuads { QUAD value_quads[]; };
layout(binding = 7) writeonly buffer NewValues { STORED_QUAD new_values[]; };
layout(binding = 8) readonly buffer Ranges { uint ranges[]; };
layout(binding = 9) writeonly buffer Y { T y[]; };
layout(binding = 9) writeonly buffer YQuads { STORED_QUAD y_quads[]; };

shared float own_parts[LANES];  // of the own key's score; as in `query` the first are read

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

// Where the head begins in the cache entries of a block that this lane will load; past the last step that one again.
struct Entries {
    uint key, values[LOADS];
};

void find_entries(out Entries entries, uint cache_row, uint at_step, uint block, uint head) {
    uint steps[LOADS + 1], rows[LOADS + 1];
    [[unroll]] for (uint i = 0; i <= LOADS; ++i) {
        steps[i] = min(block + (i < LOADS ? value_key(i) : key_of_lane()), max(at_step, 1) - 1);
        rows[i] = cache_row;
    }
    if (pc.beam > 1 && at_step > 0) {
        const uint table = ((at_step & 1) * pc.cache_rows + cache_row) * pc.max_steps;
        [[unroll]] for (uint i = 0; i <= LOADS; ++i) rows[i] = ancestry[table + steps[i]];
        [[unroll]] for (uint i = 0; i <= LOADS; ++i) rows[i] += slot_row;
    }
    [[unroll]] for (uint i = 0; i < LOADS; ++i) entries.values[i] = entry_at(rows[i], steps[i], head);
    entries.key = entry_at(rows[LOADS], steps[LOADS], head);
}

void load_block(Entries entries, out QUAD block_keys[LOADS], out QUAD block_values[LOADS]) {
    [[unroll]] for (uint i = 0; i < LOADS; ++i)
        block_keys[i] = LOAD_QUAD(keys, key_quads, entries.key, key_quad(i));
    [[unroll]] for (uint i = 0; i < LOADS; ++i)
        block_values[i] = LOAD_QUAD(values, value_quads, entries.values[i], value_quad());
}

void attend(uint row, uint cache_row, uint at_step, uint head) {
    const uint own = row * pc.qkv_stride + head * HEAD_DIM, width = pc.heads * HEAD_DIM, quad = quad_of_lane();
    Entries entries;
    QUAD block_keys[LOADS], block_values[LOADS];
    find_entries(entries, cache_row, at_step, 0, head);
    load_block(entries, block_keys, block_values);
    float bias = bias_at(head, at_step, key_of_lane());
    const float own_bias = bias_at(head, at_step, at_step);
    // The same in all groups: a branch would have the other loads wait.
    const vec4 own_query = inside_head(pc.scale * unpack_quad(LOAD_QUAD(qkv, qkv_quads, own, value_quad())), quad);
    const vec4 own_key = unpack_quad(LOAD_QUAD(qkv, qkv_quads, own + width, value_quad()));
    const vec4 own_value = unpack_quad(LOAD_QUAD(qkv, qkv_quads, own + 2 * width, value_quad()));
    query[gl_LocalInvocationIndex] = own_query;
    own_parts[gl_LocalInvocationIndex] = dot_quad(own_query, own_key, 0.0);
    barrier();

    float own_score = own_bias;
    [[unroll]] for (uint i = 0; i < kHeadQuads; ++i) own_score += own_parts[i];
    const bool first = group_of_lane() == 0;
    Attended state = Attended(first ? own_score : kLowest, first ? 1.0 : 0.0, first ? own_value : vec4(0.0));
    for (uint block = 0; block < at_step; block += kKeys) {
        const bool more = block + kKeys < at_step;
        if (more) find_entries(entries, cache_row, at_step, block + kKeys, head);
        write_parts(block_keys, bias, 1);
        barrier();
        add_values(state, 0, block_values, at_step - block);
        if (more) {
            load_block(entries, block_keys, block_values);
            bias = bias_at(head, at_step, block + kKeys + key_of_lane());
            barrier();
        }
    }

    write_group(state, 0);
    barrier();
    if (first && quad < kHeadQuads) {
        const uint entry = entry_at(cache_row, at_step, head);
        STORE_QUAD(keys, new_keys, entry, quad, own_key);
        STORE_QUAD(values, new_values, entry, quad, own_value);
        const Attended all = merge_groups(0);
        STORE_QUAD(y, y_quads, row * pc.y_stride + head * HEAD_DIM, quad, all.result / all.sum);
    }
}

void main() {
    const uint row = gl_WorkGroupID.x;
    const uint cache_row = live_rows[row];
    if (row >= count) return;
    const uint at_step = position[cache_row];
    find_slot(cache_row);
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head) {
        if (head > first) barrier();
        attend(row, cache_row, at_step, head);
    }
}
