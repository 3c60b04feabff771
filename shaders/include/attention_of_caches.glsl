// SPDX-License-Identifier: Apache-2.0
// One step of decoder self-attention: each live row attends to the cache entries of its hypothesis, which it finds through
// the ancestry. The row's own key and value come from qkv; the entries written here are read by later steps only.
// heads_per_group heads come one after the other.
#ifndef DRAGOMAN_ATTENTION_OF_CACHES_GLSL
#define DRAGOMAN_ATTENTION_OF_CACHES_GLSL

layout(push_constant) uniform Push { StepSelfAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
INPUT(1, Qkv, qkv);
layout(binding = 2) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 3) readonly buffer Position { uint position[]; };
layout(binding = 4) readonly buffer Ancestry { uint ancestry[]; };
layout(binding = 5) readonly buffer RelativeBias { float relative_bias[]; };
#if TEXELS  // entries are fetched in other bindings than they are stored in
OUTPUT(6, NewKeys, new_keys);
OUTPUT(7, NewValues, new_values);
INPUT(10, Keys, keys);
INPUT(11, Values, values);
#else
layout(binding = 6) buffer Keys { ELEMENTS keys[]; };
layout(binding = 7) buffer Values { ELEMENTS values[]; };
#define new_keys keys
#define new_values values
#endif
layout(binding = 8) readonly buffer Ranges { uint ranges[]; };
OUTPUT(9, Y, y);

uint row, cache_row, at_step;
uint slot_row, slot_begin, slot_steps;  // its slot's first cache row, where its entries begin, steps per row

void find_slot() {
    const uint slot = cache_row / pc.beam;
    slot_row = slot * pc.beam;
    slot_begin = pc.has_ranges != 0 ? ranges[2 * slot] : slot_row * pc.max_steps;
    slot_steps = pc.has_ranges != 0 ? ranges[2 * slot + 1] : pc.max_steps;
}

// Of the row that holds the hypothesis' entry. On GPUs no branch, which would have other loads wait: with one beam
// whatever is read does not count, as before there is an entry.
uint ancestor(uint key) {
    const bool searched = pc.beam > 1 && at_step > 0;
    if (LOADS_WAIT_AT_BRANCHES) {
        const uint beam = ancestry[searched ? ((at_step & 1) * pc.cache_rows + cache_row) * pc.max_steps + key : 0];
        return searched ? slot_row + beam : cache_row;
    }
    if (!searched) return cache_row;
    return slot_row + ancestry[((at_step & 1) * pc.cache_rows + cache_row) * pc.max_steps + key];
}

uint entry_at(uint of_row, uint step, uint head) {
    return (slot_begin + (of_row - slot_row) * slot_steps + step) * pc.cache_stride + head * HEAD_DIM;
}

uint own_at(uint part, uint head) { return row * pc.qkv_stride + (part * pc.heads + head) * HEAD_DIM; }

float query_scale() { return pc.scale; }
uint values_offset() { return 0; }
uint key_at(uint key, uint head) { return entry_at(ancestor(key), key, head); }
CHUNK load_query(uint r, uint head, uint chunk) { return LOAD(qkv, own_at(0, head), chunk); }
CHUNK load_own_key(uint head, uint chunk) { return LOAD(qkv, own_at(1, head), chunk); }
CHUNK load_own_value(uint head, uint chunk) { return LOAD(qkv, own_at(2, head), chunk); }
CHUNK load_key(uint at, uint chunk) { return LOAD(keys, at, chunk); }
CHUNK load_value(uint at, uint chunk) { return LOAD(values, at, chunk); }

float bias_of(uint r, uint key, uint head) {
    if (pc.has_bias == 0) return 0.0;
    return relative_bias[bias_place(head, at_step, key, int(pc.bias_reach))];
}

void store_own(uint head, uint chunk, CHUNK key, CHUNK value) {
    const uint at = entry_at(cache_row, at_step, head);
    STORE(new_keys, at, chunk, key);
    STORE(new_values, at, chunk, value);
}

void store_result(uint r, uint head, uint chunk, CHUNK x) {
    STORE(y, row * pc.y_stride + head * HEAD_DIM, chunk, x);
}

void main() {
    row = gl_WorkGroupID.x;
    cache_row = live_rows[row];
    if (row >= count) return;
    at_step = position[cache_row];
    find_slot();
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head) attend(1, at_step, head);
}

#endif
