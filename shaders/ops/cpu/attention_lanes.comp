// SPDX-License-Identifier: Apache-2.0
// Attention on CPU devices. A workgroup is one subgroup, whose lanes share the columns of a head; up to QUERIES rows
// share the loads of keys and values, which come one after the other. Without barriers and shared memory, which are
// what costs there. Kernels with texel buffers have wider loads.
#version 460
#pragma kernel(encoder_attention_subgroup)
#pragma variants(T VIEW = float float, float uint, float16_t float16_t, float16_t uint)
#pragma kernel(encoder_attention_texel)
#pragma variants(T VIEW = float uint)
#pragma kernel(step_self_attention_subgroup)
#pragma variants(T VIEW = float float, float uint, float16_t float16_t, float16_t uint)
#pragma kernel(step_self_attention_texel)
#pragma variants(T VIEW = float uint)
#pragma kernel(step_cross_attention_subgroup)
#pragma variants(T VIEW = float float, float uint, float16_t float16_t, float16_t uint)
#pragma kernel(step_cross_attention_texel)
#pragma variants(T VIEW = float uint)
#define TEXELS (KERNEL_encoder_attention_texel || KERNEL_step_self_attention_texel || KERNEL_step_cross_attention_texel)
#define OWN_KEY (KERNEL_step_self_attention_subgroup || KERNEL_step_self_attention_texel)
#define KEEPS_WEIGHTS (KERNEL_step_cross_attention_subgroup || KERNEL_step_cross_attention_texel)
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 8;  // the subgroup's size
layout(constant_id = 1) const uint HEAD_DIM = 64;
layout(constant_id = 2) const uint QUERIES = 4;
#define HALVES_IN_QUADS 1
#include "attention_io.glsl"

const bool LOADS_WAIT_AT_BRANCHES = false;
const uint kLaneChunks = (kHeadChunks + LANES - 1) / LANES;

vec4 query[QUERIES * kLaneChunks], result[QUERIES * kLaneChunks];
float maximum[QUERIES], sum[QUERIES];

// Chunk i of this lane. Lanes without one load the last, and do not count.
uint lane_chunk(uint i) { return min(gl_LocalInvocationIndex + i * LANES, kHeadChunks - 1); }
bool owns_chunk(uint i) { return gl_LocalInvocationIndex + i * LANES < kHeadChunks; }

// Over all lanes, in ascending order. lavapipe's subgroupAdd is a loop with branches, and several times slower.
float add_lanes(float x) {
    float all = subgroupShuffle(x, 0);
    [[unroll]] for (uint lane = 1; lane < LANES; ++lane) all += subgroupShuffle(x, lane);
    return all;
}

float score_of(uint r, vec4 key[kLaneChunks]) {
    float part = 0.0;
    [[unroll]] for (uint i = 0; i < kLaneChunks; ++i) part = dot_quad(query[r * kLaneChunks + i], key[i], part);
    return add_lanes(part);
}

// The factors for earlier sums and for a new value, when a score joins those of a query: one of exp(maximum - new
// maximum) and exp(score - new maximum) is 1.
vec2 join_score(uint r, float score) {
    const float other = exp(-abs(score - maximum[r]));
    const bool ahead = score > maximum[r];
    maximum[r] = max(maximum[r], score);
    return ahead ? vec2(other, 1.0) : vec2(1.0, other);
}

// Loads and stores of rows are loops that stay loops, and rows are selected in them: unrolled, they take most of the time
// to compile the kernel.
#if OWN_KEY  // there is one row
#define FOR_ROWS [[unroll]] for
#else
#define FOR_ROWS [[dont_unroll]] for
#endif
void start(uint queries, uint head) {
    [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
        [[unroll]] for (uint i = 0; i < kLaneChunks; ++i)
            query[q * kLaneChunks + i] = result[q * kLaneChunks + i] = vec4(0.0);
        maximum[q] = -1e30;
        sum[q] = 0.0;
    }
    FOR_ROWS (uint r = 0; r < queries; ++r) {
        [[unroll]] for (uint i = 0; i < kLaneChunks; ++i) {
            const vec4 loaded = query_scale() * quad_of(load_query(r, head, lane_chunk(i)), 0);
            const vec4 x = inside_head(loaded, gl_LocalInvocationIndex + i * LANES, 0);
            [[unroll]] for (uint q = 0; q < QUERIES; ++q)
                query[q * kLaneChunks + i] = q == r ? x : query[q * kLaneChunks + i];
        }
    }
}

#if OWN_KEY
void start_with_own(uint own, uint head) {
    vec4 key[kLaneChunks];
    [[unroll]] for (uint i = 0; i < kLaneChunks; ++i) {
        const CHUNK k = load_own_key(head, lane_chunk(i)), v = load_own_value(head, lane_chunk(i));
        key[i] = quad_of(k, 0);
        result[i] = quad_of(v, 0);
        if (owns_chunk(i)) store_own(head, lane_chunk(i), k, v);
    }
    maximum[0] = score_of(0, key) + bias_of(0, own, head);
    sum[0] = 1.0;
}
#endif

#if !OWN_KEY && !KEEPS_WEIGHTS
float biases[QUERIES];  // of this key

// Without biases, the loop's body runs once.
void load_biases(uint queries, uint key, uint head) {
    [[unroll]] for (uint q = 0; q < QUERIES; ++q) biases[q] = 0.0;
    const uint biased = has_bias() ? queries : 0;
    [[dont_unroll]] for (uint r = 0; r < biased; ++r) {
        const float bias = bias_of(r, key, head);
        [[unroll]] for (uint q = 0; q < QUERIES; ++q) biases[q] = q == r ? bias : biases[q];
    }
}
#endif

void add_key(uint queries, uint key, uint head) {
    const uint at = key_at(key, head);
    vec4 k[kLaneChunks], v[kLaneChunks];
    [[unroll]] for (uint i = 0; i < kLaneChunks; ++i) {
        k[i] = quad_of(load_key(at, lane_chunk(i)), 0);
        v[i] = quad_of(load_value(at + values_offset(), lane_chunk(i)), 0);
    }
#if OWN_KEY || KEEPS_WEIGHTS
#define BIAS_OF(r) bias_of(r, key, head)
#else
    load_biases(queries, key, head);
#define BIAS_OF(r) biases[r]
#endif
    [[unroll]] for (uint r = 0; r < QUERIES; ++r) {
        const vec2 factors = join_score(r, score_of(r, k) + BIAS_OF(r));
        sum[r] = fma(sum[r], factors.x, factors.y);
        [[unroll]] for (uint i = 0; i < kLaneChunks; ++i)
            result[r * kLaneChunks + i] = fma(vec4(factors.y), v[i], factors.x * result[r * kLaneChunks + i]);
    }
}

// One head of `queries` rows.
void attend(uint queries, uint keys, uint head) {
    start(queries, head);
#if OWN_KEY
    start_with_own(keys, head);
#endif
    for (uint key = 0; key < keys; ++key) add_key(queries, key, head);
#if KEEPS_WEIGHTS  // where there may be no keys
    [[unroll]] for (uint q = 0; q < QUERIES; ++q) sum[q] = sum[q] > 0.0 ? 1.0 / sum[q] : 0.0;
#endif
    FOR_ROWS (uint r = 0; r < queries; ++r) {
        float total = sum[0];
        [[unroll]] for (uint q = 1; q < QUERIES; ++q) total = q == r ? sum[q] : total;
        [[unroll]] for (uint i = 0; i < kLaneChunks; ++i) {
            vec4 x = result[i];
            [[unroll]] for (uint q = 1; q < QUERIES; ++q) x = q == r ? result[q * kLaneChunks + i] : x;
#if KEEPS_WEIGHTS
            const vec4 quad[1] = {x * total};
#else
            const vec4 quad[1] = {x / total};
#endif
            if (owns_chunk(i)) store_result(r, head, lane_chunk(i), chunk_of(quad));
        }
    }
}

#if KEEPS_WEIGHTS
// After attend(): scores once more, now that the maximum and the sum are known.
void keep_weights(uint queries, uint keys, uint head) {
    for (uint key = 0; key < keys; ++key) {
        const uint at = key_at(key, head);
        vec4 k[kLaneChunks];
        [[unroll]] for (uint i = 0; i < kLaneChunks; ++i) k[i] = quad_of(load_key(at, lane_chunk(i)), 0);
        // Lane r stores what all lanes know of row r.
        [[dont_unroll]] for (uint first = 0; first < QUERIES; first += LANES) {
            const uint own = first + gl_LocalInvocationIndex;
            float weight = 0.0;
            [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
                const float of_row = exp(score_of(q, k) - maximum[q]) * sum[q];
                weight = q == own ? of_row : weight;
            }
            if (own < queries) keep_weight(own, key, head, weight);
        }
    }
}
#endif

#include "attention_keys.glsl"
