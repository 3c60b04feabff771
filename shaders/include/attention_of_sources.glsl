// SPDX-License-Identifier: Apache-2.0
// One step of cross-attention: each live row attends to the encoder's keys and values of its slot. Neighbouring rows of one
// slot, hypotheses of a sentence, share a workgroup and its loads; heads_per_group heads come one after the other. With
// weights one workgroup takes all heads, so that their mean has one order of summation and every weight one owner.
#ifndef DRAGOMAN_ATTENTION_OF_SOURCES_GLSL
#define DRAGOMAN_ATTENTION_OF_SOURCES_GLSL

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

#endif
