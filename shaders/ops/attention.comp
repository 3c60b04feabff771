// SPDX-License-Identifier: Apache-2.0
// Attention on GPUs, of the encoder and of a decoder step. A workgroup takes one head of up to QUERIES rows that read
// the same keys, in blocks of kKeys: kParts neighbouring lanes share a key's dot product, whose parts meet in shared
// memory, and HEAD_LANES neighbours, a group, have the columns of every kGroups-th value. A block's loads are in flight
// at once. Each group keeps an online softmax (Milakov and Gimelshein, 2018) of its own keys, so that a block costs one
// barrier, and another before the next; the groups are merged at the end. The order of sums depends on the tile alone.
// No subgroup operations: scores have to cross subgroups anyway, and not every device has them.
#version 460
#pragma variants(T VIEW = float float, float uint, float16_t float16_t, float16_t uint)
#pragma kernel(encoder_attention)
#pragma kernel(step_self_attention)
#pragma kernel(step_cross_attention)
#pragma kernel(step_cross_attention_query)  // and the product that gives its queries
#pragma variants(T VIEW W = float uint float, float uint float16_t, float16_t uint float16_t)
#define OWN_KEY KERNEL_step_self_attention
#define OWN_QUERY KERNEL_step_cross_attention_query
#define KEEPS_WEIGHTS KERNEL_step_cross_attention

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // a power of two, at least HEAD_LANES
layout(constant_id = 1) const uint HEAD_DIM = 64;
layout(constant_id = 2) const uint HEAD_LANES = 8;  // chunks of a head, rounded up to a power of two
layout(constant_id = 3) const uint LOADS = 4;  // of keys and of values in flight; divides HEAD_LANES
layout(constant_id = 4) const uint QUERIES = 4;
#define WORKGROUP_PER_ROW 1  // in a step: rows that share one are found by the first
#include "attention_io.glsl"

const bool LOADS_WAIT_AT_BRANCHES = true;
const uint kParts = HEAD_LANES / LOADS;
const uint kKeys = LANES / kParts;
const uint kGroups = LANES / HEAD_LANES;
const uint kQueryLoads = (QUERIES * HEAD_LANES + LANES - 1) / LANES;
const uint kMergeLanes = (OWN_QUERY != 0 ? 4096 : 1024) / WIDTH;  // 16 or 4 KiB of shared memory are spent on merging
const uint kAtOnce = LANES < kMergeLanes ? kMergeLanes / LANES : 1;
const uint kMerged = QUERIES < kAtOnce ? QUERIES : kAtOnce;  // queries at once

// [query][chunk], times scale, zeros beyond the head; then what nobody reads. Quad i of all chunks before quad i + 1.
const uint kQueryChunks = kQueryLoads * LANES;
shared vec4 query[kChunkQuads * kQueryChunks];
shared float score_parts[QUERIES * LANES];
shared vec4 group_results[kChunkQuads * kMerged * LANES];
shared vec2 group_sums[kMerged * kGroups];  // maximum, sum of weights
shared vec2 merged_sums[QUERIES];  // maximum, 1 / sum
#if OWN_KEY
shared float own_parts[LANES];  // of the own key's score; as in `query` the first are read
#endif

const float kLowest = -1e30;

// These are a lane's own part in scores, and its group's in values.
uint key_of_lane() { return gl_LocalInvocationIndex / kParts; }
uint part_of_lane() { return gl_LocalInvocationIndex % kParts; }
uint group_of_lane() { return gl_LocalInvocationIndex / HEAD_LANES; }
uint chunk_of_lane() { return gl_LocalInvocationIndex % HEAD_LANES; }
uint key_chunk(uint i) { return min(part_of_lane() + i * kParts, kHeadChunks - 1); }
uint value_chunk() { return min(chunk_of_lane(), kHeadChunks - 1); }
uint value_key(uint i) { return group_of_lane() + i * kGroups; }

// Where the head begins in the keys and values of a block that this lane loads; past the last key, the last one is
// loaded again.
struct Places {
    uint key, values[LOADS];
};

void find_block(out Places places, uint block, uint keys, uint head) {
    const uint last = max(keys, 1) - 1;
    [[unroll]] for (uint i = 0; i < LOADS; ++i)
        places.values[i] = key_at(min(block + value_key(i), last), head) + values_offset();
    places.key = key_at(min(block + key_of_lane(), last), head);
}

struct Block {
    CHUNK keys[LOADS], values[LOADS];
};

void load_keys(inout Block block, Places places) {
    [[unroll]] for (uint i = 0; i < LOADS; ++i) block.keys[i] = load_key(places.key, key_chunk(i));
}

void load_values(inout Block block, Places places) {
    [[unroll]] for (uint i = 0; i < LOADS; ++i) block.values[i] = load_value(places.values[i], value_chunk());
}

#if OWN_QUERY
void load_queries(uint queries, uint head);  // query_product.glsl
#else
void load_queries(uint queries, uint head) {
    [[unroll]] for (uint i = 0; i < kQueryLoads; ++i) {
        const uint place = i * LANES + gl_LocalInvocationIndex, chunk = place % HEAD_LANES;
        const CHUNK x = load_query(min(place / HEAD_LANES, queries - 1), head, min(chunk, kHeadChunks - 1));
        [[unroll]] for (uint q = 0; q < kChunkQuads; ++q)
            query[q * kQueryChunks + place] = inside_head(query_scale() * quad_of(x, q), chunk, q);
    }
}
#endif

// A part of the score of this lane's key for each query; the bias joins part 0.
void write_parts(Block block, uint first_key, uint queries, uint head) {
    for (uint r = 0; r < queries; ++r) {
        float part = part_of_lane() == 0 ? bias_of(r, first_key + key_of_lane(), head) : 0.0;
        [[unroll]] for (uint i = 0; i < LOADS; ++i)
            [[unroll]] for (uint q = 0; q < kChunkQuads; ++q)
                part = dot_quad(query[q * kQueryChunks + r * HEAD_LANES + part_of_lane() + i * kParts],
                                quad_of(block.keys[i], q), part);
        score_parts[r * LANES + gl_LocalInvocationIndex] = part;
    }
}

float score_of(uint r, uint key) {
    float score = score_parts[r * LANES + key * kParts];
    [[unroll]] for (uint p = 1; p < kParts; ++p) score += score_parts[r * LANES + key * kParts + p];
    return score;
}

// The state of a group.
struct Attended {
    float maximum, sum;
    vec4 result[kChunkQuads];  // the lane's columns
};

Attended nothing_attended() {
    Attended state;
    state.maximum = kLowest;
    state.sum = 0.0;
    [[unroll]] for (uint q = 0; q < kChunkQuads; ++q) state.result[q] = vec4(0.0);
    return state;
}

// The block's first `count` keys are there. What is beyond them is read and left out, without branches, which would
// keep one read waiting for another.
void add_values(inout Attended state, uint r, Block block, uint count) {
    float scores[LOADS], maximum = state.maximum;
    [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        const float score = score_of(r, value_key(i));
        scores[i] = value_key(i) < count ? score : kLowest;
        maximum = max(maximum, scores[i]);
    }
    const float factor = exp(state.maximum - maximum);
    state.maximum = maximum;
    state.sum *= factor;
    [[unroll]] for (uint q = 0; q < kChunkQuads; ++q) state.result[q] *= factor;
    [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        const float weight = value_key(i) < count ? exp(scores[i] - maximum) : 0.0;
        state.sum += weight;
        [[unroll]] for (uint q = 0; q < kChunkQuads; ++q)
            state.result[q] = fma(vec4(weight), quad_of(block.values[i], q), state.result[q]);
    }
}

// For the merge: place `m` of those merged at once.
void write_group(Attended state, uint m) {
    [[unroll]] for (uint q = 0; q < kChunkQuads; ++q)
        group_results[(q * kMerged + m) * LANES + gl_LocalInvocationIndex] = state.result[q];
    if (chunk_of_lane() == 0) group_sums[m * kGroups + group_of_lane()] = vec2(state.maximum, state.sum);
}

// The result is not yet divided by the sum.
Attended merge_groups(uint m) {
    Attended all = nothing_attended();
    for (uint g = 0; g < kGroups; ++g) all.maximum = max(all.maximum, group_sums[m * kGroups + g].x);
    for (uint g = 0; g < kGroups; ++g) {
        const vec2 group = group_sums[m * kGroups + g];
        const float weight = exp(group.x - all.maximum);
        all.sum = fma(weight, group.y, all.sum);
        [[unroll]] for (uint q = 0; q < kChunkQuads; ++q) {
            const vec4 result = group_results[(q * kMerged + m) * LANES + g * HEAD_LANES + chunk_of_lane()];
            all.result[q] = fma(vec4(weight), result, all.result[q]);
        }
    }
    return all;
}

// Zeros where there were no keys.
void store_results(Attended state[QUERIES], uint queries, uint head) {
    for (uint first = 0; first < queries; first += kMerged) {
        if (first > 0) barrier();
        [[unroll]] for (uint r = 0; r < QUERIES; ++r)
            if (r - first < kMerged) write_group(state[r], r - first);  // wraps below first
        barrier();
        for (uint m = group_of_lane(); m < min(kMerged, queries - first); m += kGroups) {
            Attended all = merge_groups(m);
            const float inverse = all.sum > 0.0 ? 1.0 / all.sum : 0.0;
            [[unroll]] for (uint q = 0; q < kChunkQuads; ++q) all.result[q] *= inverse;
            if (chunk_of_lane() < kHeadChunks) store_result(first + m, head, chunk_of_lane(), chunk_of(all.result));
            if (chunk_of_lane() == 0) merged_sums[first + m] = vec2(all.maximum, inverse);
        }
    }
}

#if OWN_KEY
// The row's own key and value, which are not yet where the loader finds the others.
struct Own {
    CHUNK key, value;
};

Own load_own(uint head) { return Own(load_own_key(head, value_chunk()), load_own_value(head, value_chunk())); }

void write_own_parts(Own own) {
    float part = 0.0;
    [[unroll]] for (uint q = 0; q < kChunkQuads; ++q)
        part = dot_quad(query[q * kQueryChunks + gl_LocalInvocationIndex], quad_of(own.key, q), part);
    own_parts[gl_LocalInvocationIndex] = part;
}

void start_with_own(inout Attended state, Own own, float bias) {
    float score = bias;
    [[unroll]] for (uint i = 0; i < kHeadChunks; ++i) score += own_parts[i];
    if (group_of_lane() > 0) return;
    state.maximum = score;
    state.sum = 1.0;
    [[unroll]] for (uint q = 0; q < kChunkQuads; ++q) state.result[q] = quad_of(own.value, q);
}
#endif

// One head of `queries` rows.
void attend(uint queries, uint keys, uint head) {
    Block block;
    Places places;
    find_block(places, 0, keys, head);
    load_keys(block, places);
    load_values(block, places);
    load_queries(queries, head);
    Attended state[QUERIES];
    [[unroll]] for (uint r = 0; r < QUERIES; ++r) state[r] = nothing_attended();
#if OWN_KEY
    const Own own = load_own(head);
    write_own_parts(own);
    barrier();
    start_with_own(state[0], own, bias_of(0, keys, head));
#else
    barrier();
#endif
    for (uint first = 0; first < keys; first += kKeys) {
        const bool more = first + kKeys < keys;
        if (more) find_block(places, first + kKeys, keys, head);
        write_parts(block, first, queries, head);
        barrier();
        [[unroll]] for (uint r = 0; r < QUERIES; ++r)
            if (r < queries) add_values(state[r], r, block, keys - first);
        if (more) {
            load_keys(block, places);
            load_values(block, places);
            barrier();
        }
    }
    store_results(state, queries, head);
#if OWN_KEY
    if (group_of_lane() == 0 && chunk_of_lane() < kHeadChunks) store_own(head, chunk_of_lane(), own.key, own.value);
#endif
}

#if KEEPS_WEIGHTS
// After attend(): scores once more, now that the maximum and the sum over all blocks are known.
void keep_weights(uint queries, uint keys, uint head) {
    for (uint first = 0; first < keys; first += kKeys) {
        Block block;
        Places places;
        find_block(places, first, keys, head);
        load_keys(block, places);
        barrier();
        write_parts(block, first, queries, head);
        barrier();
        for (uint i = gl_LocalInvocationIndex; i < queries * kKeys; i += LANES) {
            const uint r = i / kKeys, key = i % kKeys;
            if (first + key >= keys) continue;
            keep_weight(r, first + key, head, exp(score_of(r, key) - merged_sums[r].x) * merged_sums[r].y);
        }
    }
}
#endif

#include "attention_keys.glsl"
