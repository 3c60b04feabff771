// SPDX-License-Identifier: Apache-2.0
// encoder_attention on cooperative matrices: a workgroup is one subgroup, which has M rows of one head. Which elements
// of a matrix an invocation holds is the driver's secret: scores go through shared memory to the softmax, and weights
// back. Weights are two halves each, so that results are as near as those of the other kernels.
#version 460
#pragma variants(T VIEW = float16_t uint)
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 32;  // the subgroup's size, a power of two
layout(constant_id = 1) const uint HEAD_DIM = 64;  // a multiple of N, of K and of 8
layout(constant_id = 2) const uint M = 16;      // one of the device's shapes
layout(constant_id = 3) const uint N = 16;
layout(constant_id = 4) const uint K = 16;
layout(constant_id = 5) const uint KEYS = 32;  // of a block; a multiple of N and of K

const uint QUERIES = M;
#include "attention_io.glsl"

const uint kParts = LANES > M ? LANES / M : 1;  // lanes of a row in the softmax
const uint kRowLanes = LANES / kParts;
const uint kLaneRows = M / kRowLanes;  // both are powers of two
const uint kLaneKeys = KEYS / kParts;  // four neighbours at a time, dealt out in turn: no word has two lanes' weights
// Padding spreads rows over the banks and keeps them 16-byte aligned.
const uint kTileStride = HEAD_DIM / 4 + 2;  // f16vec4
const uint kScoreStride = KEYS + 4;  // floats
const uint kWeightStride = kScoreStride / 2;  // four halves
const float kWeightScale = 1024.0;  // weights of small probability stay normal halves; it leaves with the sum
const uint kFlight = LANES > 8 ? 8 : 4;  // loads at a time: few lanes have many registers each already

shared f16vec4 tile[(KEYS > M ? KEYS : M) * kTileStride];  // queries, then keys and values of a block in turn
// Two floats, or four halves: a block's scores, and in each row's place its weights, cut to halves and the rest of them.
shared uvec2 scores[M * kWeightStride];
shared uvec2 factors[M * N / 2];  // of earlier sums, each in a whole row

uint lane;

// Shared memory from one invocation to another, or to a matrix.
void pass_on() { subgroupBarrier(); }

float score_at(uint i) { return uintBitsToFloat(scores[i / 2][i % 2]); }

f16vec4 halves(uvec2 words) { return f16vec4(unpackFloat2x16(words.x), unpackFloat2x16(words.y)); }

// `rows` queries, or keys or values from the first on, and zeros up to `of`.
const uint kQueries = 0, kKeys = 1, kValues = 2;

void load_tile(uint what, uint first, uint rows, uint of, uint head) {
    [[dont_unroll]] for (uint from = lane; from - lane < of * kHeadChunks; from += LANES * kFlight) {
        uvec4 chunks[kFlight];
        [[unroll]] for (uint f = 0; f < kFlight; ++f) {
            const uint row = (from + f * LANES) / kHeadChunks, chunk = (from + f * LANES) % kHeadChunks;
            const uint there = min(row, rows - 1);
            if (what == kQueries) chunks[f] = load_query(there, head, chunk);
            if (what == kKeys) chunks[f] = load_key(key_at(first + there, head), chunk);
            if (what == kValues) chunks[f] = load_value(key_at(first + there, head) + values_offset(), chunk);
            if (row >= rows) chunks[f] = uvec4(0);
        }
        [[unroll]] for (uint f = 0; f < kFlight; ++f) {
            const uint row = (from + f * LANES) / kHeadChunks, chunk = (from + f * LANES) % kHeadChunks;
            if (row >= of) continue;
            tile[row * kTileStride + chunk * 2] = halves(chunks[f].xy);
            tile[row * kTileStride + chunk * 2 + 1] = halves(chunks[f].zw);
        }
    }
}

// The rows' maxima and sums so far, in all of a row's lanes.
struct State {
    float maximum[kLaneRows], sum[kLaneRows];
};

uint row_of_lane(uint i) { return lane / kParts + i * kRowLanes; }
uint lane_key(uint j) { return (j / 4 * kParts + lane % kParts) * 4 + j % 4; }

void store_weights(uint row, uint key, vec4 weights) {
    // Cut by hand to the bits that a half has: drivers take a value that went to half and back for what it was.
    const vec4 cut = uintBitsToFloat(floatBitsToUint(weights) & 0xffffe000u);
    scores[row * kWeightStride + key / 4] = half_words(cut);
    scores[row * kWeightStride + (KEYS + key) / 4] = half_words(weights - cut);
}

// Turns the scores of `keys` keys into weights: the same additions in the same order for every row.
void weigh(inout State state, uint head, uint first, uint keys) {
    [[unroll]] for (uint i = 0; i < kLaneRows; ++i) {
        const uint r = row_of_lane(i);
        float maximum = state.maximum[i], sum = 0.0, score[kLaneKeys];
        [[unroll]] for (uint j = 0; j < kLaneKeys; ++j) {
            const uint column = lane_key(j);
            score[j] = score_at(r * kScoreStride + column) * query_scale() + bias_of(r, first + column, head);
            if (column < keys) maximum = max(maximum, score[j]);
        }
        [[unroll]] for (uint mask = 1; mask < kParts; mask *= 2)
            maximum = max(maximum, subgroupShuffleXor(maximum, mask));
        if (kParts > 1) pass_on();  // all of the row's scores are read
        [[unroll]] for (uint j = 0; j < kLaneKeys; j += 4) {
            vec4 weights;
            [[unroll]] for (uint c = 0; c < 4; ++c) {
                weights[c] = lane_key(j + c) < keys ? kWeightScale * exp(score[j + c] - maximum) : 0.0;
                sum += weights[c];
            }
            store_weights(r, lane_key(j), weights);
        }
        [[unroll]] for (uint mask = 1; mask < kParts; mask *= 2) sum += subgroupShuffleXor(sum, mask);
        const float factor = exp(state.maximum[i] - maximum);
        state.maximum[i] = maximum;
        state.sum[i] = state.sum[i] * factor + sum;
        for (uint c = lane % kParts; c < N / 2; c += kParts) factors[r * (N / 2) + c] = uvec2(floatBitsToUint(factor));
    }
}

void attend(uint queries, uint keys, uint head) {
    lane = gl_SubgroupInvocationID;
    coopmat<float16_t, gl_ScopeSubgroup, M, K, gl_MatrixUseA> query[HEAD_DIM / K];
    coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> result[HEAD_DIM / N];
    State state;
    [[unroll]] for (uint i = 0; i < kLaneRows; ++i) {
        state.maximum[i] = -1e30;
        state.sum[i] = 0.0;
    }
    pass_on();
    load_tile(kQueries, 0, queries, M, head);
    pass_on();
    [[unroll]] for (uint i = 0; i < HEAD_DIM / K; ++i)
        coopMatLoad(query[i], tile, i * K / 4, kTileStride, gl_CooperativeMatrixLayoutRowMajor);
    [[unroll]] for (uint i = 0; i < HEAD_DIM / N; ++i)
        result[i] = coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator>(0.0);

    for (uint first = 0; first < keys; first += KEYS) {
        const uint count = min(KEYS, keys - first);
        pass_on();
        load_tile(kKeys, first, count, KEYS, head);
        pass_on();
        [[unroll]] for (uint j = 0; j < KEYS / N; ++j) {
            coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> score =
                coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator>(0.0);
            [[unroll]] for (uint i = 0; i < HEAD_DIM / K; ++i) {
                coopmat<float16_t, gl_ScopeSubgroup, K, N, gl_MatrixUseB> key;
                coopMatLoad(key, tile, j * N * kTileStride + i * K / 4, kTileStride,
                            gl_CooperativeMatrixLayoutColumnMajor);
                score = coopMatMulAdd(query[i], key, score);
            }
            coopMatStore(score, scores, j * N / 2, kScoreStride / 2, gl_CooperativeMatrixLayoutRowMajor);
        }
        pass_on();
        load_tile(kValues, first, count, KEYS, head);
        weigh(state, head, first, count);
        pass_on();
        if (first > 0) {  // earlier sums, by a matrix that has every row's factor in all its columns
            coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> factor;
            coopMatLoad(factor, factors, 0, N / 2, gl_CooperativeMatrixLayoutRowMajor);
            [[unroll]] for (uint i = 0; i < HEAD_DIM / N; ++i) result[i] = result[i] * factor;
        }
        [[unroll]] for (uint k = 0; k < KEYS; k += K) {
            coopmat<float16_t, gl_ScopeSubgroup, M, K, gl_MatrixUseA> most, rest;
            coopMatLoad(most, scores, k / 4, kWeightStride, gl_CooperativeMatrixLayoutRowMajor);
            coopMatLoad(rest, scores, (KEYS + k) / 4, kWeightStride, gl_CooperativeMatrixLayoutRowMajor);
            [[unroll]] for (uint i = 0; i < HEAD_DIM / N; ++i) {
                coopmat<float16_t, gl_ScopeSubgroup, K, N, gl_MatrixUseB> value;
                coopMatLoad(value, tile, k * kTileStride + i * N / 4, kTileStride, gl_CooperativeMatrixLayoutRowMajor);
                result[i] = coopMatMulAdd(most, value, result[i]);
                result[i] = coopMatMulAdd(rest, value, result[i]);
            }
        }
    }

    // Takes as many columns at a time as there is room for.
    [[unroll]] for (uint first = 0; first < HEAD_DIM; first += KEYS) {
        pass_on();
        [[unroll]] for (uint c = first; c < min(first + KEYS, HEAD_DIM); c += N)
            coopMatStore(result[c / N], scores, (c - first) / 2, kScoreStride / 2, gl_CooperativeMatrixLayoutRowMajor);
        pass_on();
        [[unroll]] for (uint i = 0; i < kLaneRows; ++i) {
            const uint r = row_of_lane(i);
            if (r >= queries) continue;
            const float inverse = 1.0 / state.sum[i];
            for (uint c = first + lane % kParts * WIDTH; c < min(first + KEYS, HEAD_DIM); c += kParts * WIDTH) {
                vec4 quads[kChunkQuads];
                [[unroll]] for (uint q = 0; q < kChunkQuads; ++q) {
                    const uint at = r * kScoreStride + c - first + 4 * q;
                    quads[q] = inverse * vec4(score_at(at), score_at(at + 1), score_at(at + 2), score_at(at + 3));
                }
                store_result(r, head, c / WIDTH, chunk_of(quads));
            }
        }
    }
}

#include "attention_keys.glsl"
