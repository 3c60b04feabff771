// SPDX-License-Identifier: Apache-2.0
// encoder_attention on cooperative matrices: a workgroup is one subgroup, which has M rows of one head. Which elements
// of a matrix an invocation holds is the driver's secret: scores go through shared memory to the softmax, and weights
// back. Weights are two halves each, so that results are as near as those of the other kernels.
#version 460
#pragma variants(T = float16_t)
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "types.glsl"
#include "shared/attention.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 32;  // the subgroup's size, a power of two
layout(constant_id = 1) const uint HEAD_DIM = 64;  // a multiple of N, of K and of 8
layout(constant_id = 2) const uint M = 16;      // one of the device's shapes
layout(constant_id = 3) const uint N = 16;
layout(constant_id = 4) const uint K = 16;
layout(constant_id = 5) const uint KEYS = 32;  // of a block; a multiple of N and of K

layout(push_constant) uniform Push { EncoderAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer QkvOctets { uvec4 qkv_octets[]; };  // eight columns
layout(binding = 2) readonly buffer RowSentence { uint row_sentence[]; };
layout(binding = 3) readonly buffer SentenceBegin { uint sentence_begin[]; };
layout(binding = 4) readonly buffer RelativeBias { float relative_bias[]; };
layout(binding = 5) writeonly buffer Y { T y[]; };

const uint kParts = LANES > M ? LANES / M : 1;  // lanes of a row in the softmax
const uint kRowLanes = LANES / kParts;
const uint kLaneRows = M / kRowLanes;  // both are powers of two
const uint kLaneKeys = KEYS / kParts;        // pairs of keys, dealt out in turn
const uint kHeadOctets = HEAD_DIM / 8;
// Padding spreads rows over the banks and keeps them 16-byte aligned.
const uint kTileStride = HEAD_DIM / 4 + 2;  // f16vec4
const uint kWeightStride = KEYS / 4 + 2;    // four halves
const uint kScoreStride = KEYS + 4;         // floats
const uint kRest = M * kWeightStride;       // where the rest of the weights begins
const uint kScores = M * kScoreStride / 2;
const float kWeightScale = 1024.0;  // weights of small probability stay normal halves; it leaves with the sum

shared f16vec4 tile[(KEYS > M ? KEYS : M) * kTileStride];  // queries, then keys and values of a block in turn
// Four halves, or two floats: a block's scores, then the rows' factors, then the weights cut to halves and the rest of
// them.
shared uvec2 scores[2 * kRest > kScores ? 2 * kRest : kScores];

uint lane;

// Shared memory from one invocation to another, or to a matrix.
void pass_on() { subgroupBarrier(); }

float score_at(uint i) { return uintBitsToFloat(scores[i / 2][i % 2]); }

f16vec4 half_quad(uvec2 words) { return f16vec4(unpackFloat2x16(words.x), unpackFloat2x16(words.y)); }

// `rows` of a head's rows, its first at element `at`, and zeros up to `of`.
void load_tile(uint at, uint rows, uint of) {
    [[unroll]] for (uint i = lane; i - lane < of * kHeadOctets; i += LANES) {
        const uint row = i / kHeadOctets, octet = i % kHeadOctets;
        if (of * kHeadOctets % LANES != 0 && row >= of) continue;
        const uvec4 eight = row < rows ? qkv_octets[(at + row * pc.qkv_stride) / 8 + octet] : uvec4(0);
        tile[row * kTileStride + octet * 2] = half_quad(eight.xy);
        tile[row * kTileStride + octet * 2 + 1] = half_quad(eight.zw);
    }
}

float bias_at(uint head, uint query, uint key) {
    if (pc.has_bias == 0) return 0.0;
    const int reach = int(pc.bias_reach);
    return relative_bias[head * (2 * reach + 1) + clamp(int(key) - int(query), -reach, reach) + reach];
}

// The rows' maxima and sums so far, in all of a row's lanes.
struct State {
    float maximum[kLaneRows], sum[kLaneRows], factor[kLaneRows];
    float weight[kLaneRows * kLaneKeys];  // of this lane's keys in the block: neighbours, two by two
};

uint lane_key(uint j) { return (j / 2 * kParts + lane % kParts) * 2 + j % 2; }

// Turns the scores of `keys` keys into weights: the same additions in the same order for every row.
void weigh(inout State state, uint head, uint row, uint key, uint keys) {
    [[unroll]] for (uint i = 0; i < kLaneRows; ++i) {
        const uint r = lane / kParts + i * kRowLanes;
        float maximum = state.maximum[i], sum = 0.0, score[kLaneKeys];
        [[unroll]] for (uint j = 0; j < kLaneKeys; ++j) {
            const uint column = lane_key(j);
            score[j] = score_at(r * kScoreStride + column) * pc.scale + bias_at(head, row + r, key + column);
            if (column < keys) maximum = max(maximum, score[j]);
        }
        [[unroll]] for (uint mask = 1; mask < kParts; mask *= 2)
            maximum = max(maximum, subgroupShuffleXor(maximum, mask));
        [[unroll]] for (uint j = 0; j < kLaneKeys; ++j) {
            const float weight = lane_key(j) < keys ? kWeightScale * exp(score[j] - maximum) : 0.0;
            state.weight[i * kLaneKeys + j] = weight;
            sum += weight;
        }
        [[unroll]] for (uint mask = 1; mask < kParts; mask *= 2) sum += subgroupShuffleXor(sum, mask);
        state.factor[i] = exp(state.maximum[i] - maximum);
        state.maximum[i] = maximum;
        state.sum[i] = state.sum[i] * state.factor[i] + sum;
    }
}

void store_weights(State state) {
    [[unroll]] for (uint i = 0; i < kLaneRows; ++i) {
        [[unroll]] for (uint j = 0; j < kLaneKeys; j += 2) {
            const vec2 pair = vec2(state.weight[i * kLaneKeys + j], state.weight[i * kLaneKeys + j + 1]);
            // Cut by hand to the bits that a half has: drivers take a value that went to half and back for what it was.
            const vec2 cut = uintBitsToFloat(floatBitsToUint(pair) & 0xffffe000u);
            const uint at = (lane / kParts + i * kRowLanes) * kWeightStride + lane_key(j) / 4;
            const uint word = lane_key(j) / 2 % 2;
            scores[at][word] = packFloat2x16(f16vec2(cut));
            scores[kRest + at][word] = packFloat2x16(f16vec2(pair - cut));
        }
    }
}

void attend(uint row, uint queries, uint begin, uint end, uint head) {
    coopmat<float16_t, gl_ScopeSubgroup, M, K, gl_MatrixUseA> query[HEAD_DIM / K];
    coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> result[HEAD_DIM / N];
    State state;
    [[unroll]] for (uint i = 0; i < kLaneRows; ++i) {
        state.maximum[i] = -1e30;
        state.sum[i] = 0.0;
    }
    pass_on();
    load_tile(row * pc.qkv_stride + head * HEAD_DIM, queries, M);
    pass_on();
    [[unroll]] for (uint i = 0; i < HEAD_DIM / K; ++i)
        coopMatLoad(query[i], tile, i * K / 4, kTileStride, gl_CooperativeMatrixLayoutRowMajor);
    [[unroll]] for (uint i = 0; i < HEAD_DIM / N; ++i)
        result[i] = coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator>(0.0);

    for (uint block = begin; block < end; block += KEYS) {
        const uint keys = min(KEYS, end - block);
        const uint at = block * pc.qkv_stride + (pc.heads + head) * HEAD_DIM;
        pass_on();
        load_tile(at, keys, KEYS);
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
        load_tile(at + pc.heads * HEAD_DIM, keys, KEYS);
        weigh(state, head, row, block, keys);
        pass_on();
        if (block > begin) {  // earlier sums, by a matrix that has every row's factor in all its columns
            [[unroll]] for (uint i = 0; i < kLaneRows; ++i) {
                const uint r = lane / kParts + i * kRowLanes;
                for (uint c = lane % kParts; c < N / 2; c += kParts)
                    scores[r * (N / 2) + c] = uvec2(floatBitsToUint(state.factor[i]));
            }
            pass_on();
            coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> factor;
            coopMatLoad(factor, scores, 0, N / 2, gl_CooperativeMatrixLayoutRowMajor);
            [[unroll]] for (uint i = 0; i < HEAD_DIM / N; ++i) result[i] = result[i] * factor;
            pass_on();
        }
        store_weights(state);
        pass_on();
        [[unroll]] for (uint k = 0; k < KEYS; k += K) {
            coopmat<float16_t, gl_ScopeSubgroup, M, K, gl_MatrixUseA> most, rest;
            coopMatLoad(most, scores, k / 4, kWeightStride, gl_CooperativeMatrixLayoutRowMajor);
            coopMatLoad(rest, scores, kRest + k / 4, kWeightStride, gl_CooperativeMatrixLayoutRowMajor);
            [[unroll]] for (uint i = 0; i < HEAD_DIM / N; ++i) {
                coopmat<float16_t, gl_ScopeSubgroup, K, N, gl_MatrixUseB> value;
                coopMatLoad(value, tile, k * kTileStride + i * N / 4, kTileStride, gl_CooperativeMatrixLayoutRowMajor);
                result[i] = coopMatMulAdd(most, value, result[i]);
                result[i] = coopMatMulAdd(rest, value, result[i]);
            }
        }
    }

    // As many columns at a time as there is room for.
    [[unroll]] for (uint first = 0; first < HEAD_DIM; first += KEYS) {
        pass_on();
        [[unroll]] for (uint c = first; c < min(first + KEYS, HEAD_DIM); c += N)
            coopMatStore(result[c / N], scores, (c - first) / 2, kScoreStride / 2,
                         gl_CooperativeMatrixLayoutRowMajor);
        pass_on();
        [[unroll]] for (uint i = 0; i < kLaneRows; ++i) {
            const uint r = lane / kParts + i * kRowLanes;
            if (r >= queries) continue;
            const uint at = (row + r) * pc.y_stride + head * HEAD_DIM;
            for (uint c = first + lane % kParts; c < min(first + KEYS, HEAD_DIM); c += kParts)
                y[at + c] = T(score_at(r * kScoreStride + c - first) / state.sum[i]);
        }
    }
}

void main() {
    lane = gl_SubgroupInvocationID;
    const uint end = min((gl_WorkGroupID.x + 1) * M, count);
    for (uint row = gl_WorkGroupID.x * M; row < end;) {
        const uint sentence = row_sentence[row];
        const uint last = sentence_begin[sentence + 1];
        const uint queries = min(end, last) - row;
        attend(row, queries, sentence_begin[sentence], last, gl_WorkGroupID.y);
        row += queries;
    }
}
