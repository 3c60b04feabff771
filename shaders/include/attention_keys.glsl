// SPDX-License-Identifier: Apache-2.0
// Whose keys the attention kernels take: bindings, loads, and what a workgroup has of it.
#ifndef DRAGOMAN_ATTENTION_KEYS_GLSL
#define DRAGOMAN_ATTENTION_KEYS_GLSL

#if OWN_KEY
// One step of decoder self-attention: each live row attends to the cache entries of its hypothesis, which it finds through
// the ancestry. The row's own key and value come from qkv; the entries written here are read by later steps only.
// heads_per_group heads come one after the other.

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

// The row that holds the hypothesis' entry. On GPUs there is no branch, which would delay other loads: with one beam
// the value read is not used, just as before the first entry.
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

void store_result(uint r, uint head, uint chunk, CHUNK x) { STORE(y, row * pc.y_stride + head * HEAD_DIM, chunk, x); }

void main() {
    row = gl_WorkGroupID.x;
    cache_row = live_rows[row];
    if (row >= count) return;
    at_step = position[cache_row];
    find_slot();
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head) attend(1, at_step, head);
}

#elif KEEPS_WEIGHTS || OWN_QUERY
// One step of cross-attention: each live row attends to the encoder's keys and values of its slot. Neighbouring rows of one
// slot, hypotheses of a sentence, share a workgroup and its loads; heads_per_group heads come one after the other. With
// weights one workgroup takes all heads, so that their mean has one order of summation and every weight one owner.

layout(push_constant) uniform Push { StepCrossAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
INPUT(1, Q, q);  // with OWN_QUERY the inputs of its product
INPUT(2, Memory, memory);
layout(binding = 3) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 4) readonly buffer SourceBegin { uint source_begin[]; };
#if OWN_QUERY  // the lengths are in the buffer of the begins
#define SOURCE_LENGTH(slot) source_begin[pc.length_at + (slot)]
#else
layout(binding = 5) readonly buffer SourceLength { uint source_length[]; };
layout(binding = 6) readonly buffer Position { uint position[]; };
layout(binding = 7) buffer Weights { float weights[]; };
#define SOURCE_LENGTH(slot) source_length[slot]
#endif
OUTPUT(8, Y, y);

uint first_row, begin;  // of those that are attended together, of their source

float query_scale() { return pc.scale; }
uint values_offset() { return pc.heads * HEAD_DIM; }
uint key_at(uint key, uint head) { return (begin + key) * pc.memory_stride + head * HEAD_DIM; }
CHUNK load_query(uint r, uint head, uint chunk) {
    return LOAD(q, (first_row + r) * pc.q_stride + head * HEAD_DIM, chunk);
}
CHUNK load_key(uint at, uint chunk) { return LOAD(memory, at, chunk); }
CHUNK load_value(uint at, uint chunk) { return LOAD(memory, at, chunk); }
float bias_of(uint r, uint key, uint head) { return 0.0; }

void store_result(uint r, uint head, uint chunk, CHUNK x) {
    STORE(y, (first_row + r) * pc.y_stride + head * HEAD_DIM, chunk, x);
}

#if KEEPS_WEIGHTS
void keep_weight(uint r, uint key, uint head, float weight) {
    const uint cache_row = live_rows[first_row + r];
    const uint at = (cache_row * pc.max_steps + position[cache_row]) * pc.weights_stride + key;
    weights[at] = (head == pc.weights_begin ? 0.0 : weights[at]) + weight / float(pc.weights_heads);
}
#endif

#if OWN_QUERY
#include "query_product.glsl"
#endif

void attend_heads(uint queries, uint slot) {
    const uint length = SOURCE_LENGTH(slot);
    begin = min(length, 1) * source_begin[slot];  // the first keys are loaded even where there are none
    const uint first = gl_WorkGroupID.y * pc.heads_per_group, end = min(first + pc.heads_per_group, pc.heads);
    for (uint head = first; head < end; ++head) {
        attend(queries, length, head);
#if KEEPS_WEIGHTS
        if (head - pc.weights_begin < pc.weights_heads) keep_weights(queries, length, head);
#endif
    }
#if OWN_QUERY
    store_normalised(queries);
#endif
}

#if WORKGROUP_PER_ROW
// Rows of one number share a workgroup if they are neighbours.
uint team_of(uint row) {
    const uint cache_row = live_rows[row];
    return cache_row / pc.beam * pc.beam + cache_row % pc.beam / QUERIES;
}

// One workgroup for each row; the first of a team takes all of it.
void main() {
    first_row = gl_WorkGroupID.x;
    const uint rows = count, slot = live_rows[first_row] / pc.beam;
    if (first_row >= rows) return;
    uint queries = 1;
    if (QUERIES > 1) {
        const uint team = team_of(first_row);
        if (first_row > 0 && team_of(first_row - 1) == team) return;
        uint joins = 1;
        [[unroll]] for (uint i = 1; i < QUERIES; ++i) {  // no branches: one load does not wait for another
            joins &= uint(first_row + i < rows) & uint(team_of(min(first_row + i, rows - 1)) == team);
            queries += joins;
        }
    }
    attend_heads(queries, slot);
}
#else
// One workgroup for QUERIES rows.
void main() {
    const uint end = min((gl_WorkGroupID.x + 1) * QUERIES, count);
    for (first_row = gl_WorkGroupID.x * QUERIES; first_row < end;) {
        const uint slot = live_rows[first_row] / pc.beam;
        uint queries = 1;
        while (first_row + queries < end && live_rows[first_row + queries] / pc.beam == slot) ++queries;
        attend_heads(queries, slot);
        first_row += queries;
    }
}
#endif

#else
// Encoder attention: each row attends to its own sentence. QUERIES rows share a workgroup; those of several sentences are
// taken sentence by sentence, so that a row's sums do not depend on the rows around it.

layout(push_constant) uniform Push { EncoderAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
INPUT(1, Qkv, qkv);
layout(binding = 2) readonly buffer RowSentence { uint row_sentence[]; };
layout(binding = 3) readonly buffer SentenceBegin { uint sentence_begin[]; };
layout(binding = 4) readonly buffer RelativeBias { float relative_bias[]; };
OUTPUT(5, Y, y);

uint first_row, begin;  // of those that are attended together, of their sentence

float query_scale() { return pc.scale; }
uint values_offset() { return pc.heads * HEAD_DIM; }
uint key_at(uint key, uint head) { return (begin + key) * pc.qkv_stride + (pc.heads + head) * HEAD_DIM; }
CHUNK load_query(uint r, uint head, uint chunk) {
    return LOAD(qkv, (first_row + r) * pc.qkv_stride + head * HEAD_DIM, chunk);
}
CHUNK load_key(uint at, uint chunk) { return LOAD(qkv, at, chunk); }
CHUNK load_value(uint at, uint chunk) { return LOAD(qkv, at, chunk); }

bool has_bias() { return pc.has_bias != 0; }
float bias_of(uint r, uint key, uint head) {
    if (!has_bias()) return 0.0;
    return relative_bias[bias_place(head, first_row + r, begin + key, int(pc.bias_reach))];
}

void store_result(uint r, uint head, uint chunk, CHUNK x) {
    STORE(y, (first_row + r) * pc.y_stride + head * HEAD_DIM, chunk, x);
}

void main() {
    const uint end = min((gl_WorkGroupID.x + 1) * QUERIES, count);
    for (first_row = gl_WorkGroupID.x * QUERIES; first_row < end;) {
        const uint sentence = row_sentence[first_row], last = sentence_begin[sentence + 1];
        const uint queries = min(end, last) - first_row;
        begin = sentence_begin[sentence];
        attend(queries, last - begin, gl_WorkGroupID.y);
        first_row += queries;
    }
}

#endif

#endif
