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

void start(uint queries, uint head) {
    [[unroll]] for (uint r = 0; r < QUERIES; ++r) {
        [[unroll]] for (uint i = 0; i < kLaneChunks; ++i) {
            const vec4 x = query_scale() * quad_of(load_query(min(r, queries - 1), head, lane_chunk(i)), 0);
            query[r * kLaneChunks + i] = inside_head(x, gl_LocalInvocationIndex + i * LANES, 0);
            result[r * kLaneChunks + i] = vec4(0.0);
        }
        maximum[r] = -1e30;
        sum[r] = 0.0;
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

void add_key(uint key, uint head) {
    const uint at = key_at(key, head);
    vec4 k[kLaneChunks], v[kLaneChunks];
    [[unroll]] for (uint i = 0; i < kLaneChunks; ++i) {
        k[i] = quad_of(load_key(at, lane_chunk(i)), 0);
        v[i] = quad_of(load_value(at + values_offset(), lane_chunk(i)), 0);
    }
    [[unroll]] for (uint r = 0; r < QUERIES; ++r) {
        const vec2 factors = join_score(r, score_of(r, k) + bias_of(r, key, head));
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
    for (uint key = 0; key < keys; ++key) add_key(key, head);
    [[unroll]] for (uint r = 0; r < QUERIES; ++r) {
#if KEEPS_WEIGHTS  // where there may be no keys
        sum[r] = sum[r] > 0.0 ? 1.0 / sum[r] : 0.0;
#endif
        [[unroll]] for (uint i = 0; i < kLaneChunks; ++i) {
#if KEEPS_WEIGHTS
            const vec4 quad[1] = {result[r * kLaneChunks + i] * sum[r]};
#else
            const vec4 quad[1] = {result[r * kLaneChunks + i] / sum[r]};
#endif
            if (r < queries && owns_chunk(i)) store_result(r, head, lane_chunk(i), chunk_of(quad));
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
        [[unroll]] for (uint r = 0; r < QUERIES; ++r) {
            const float weight = exp(score_of(r, k) - maximum[r]) * sum[r];
            if (gl_LocalInvocationIndex == 0 && r < queries) keep_weight(r, key, head, weight);
        }
    }
}
#endif

#include "attention_keys.glsl"
