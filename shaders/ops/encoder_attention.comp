// SPDX-License-Identifier: Apache-2.0
// softmax(scale * q k^T + bias) v over ragged sentences: one head of QUERIES rows per workgroup, which share the loads
// of keys and values. Rows of several sentences are taken sentence by sentence, so that blocks of keys begin at the
// sentence and a row's sums do not depend on the rows around it.
#version 460
#pragma variants(T = float, float16_t)
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "shared/attention.h"
#include "online_softmax.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;
layout(constant_id = 1) const uint QUERIES = 8;        // a power of two that divides LANES, at most kMaxQueries
layout(constant_id = 2) const uint KEYS_PER_LANE = 1;  // at once; their loads share one load of the query
layout(constant_id = 3) const uint HEAD_DIM = 64;

layout(push_constant) uniform Push { EncoderAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Qkv { T qkv[]; };
layout(binding = 2) readonly buffer RowSentence { uint row_sentence[]; };
layout(binding = 3) readonly buffer SentenceBegin { uint sentence_begin[]; };
layout(binding = 4) readonly buffer RelativeBias { float relative_bias[]; };
layout(binding = 5) writeonly buffer Y { T y[]; };

const uint PARTS = LANES / QUERIES;
const uint DIMS = (HEAD_DIM + LANES - 1) / LANES;  // output columns per lane
shared float query_tile[HEAD_DIM * QUERIES];       // [column][query]

void load_queries(uint row, uint queries, uint head) {
    for (uint i = gl_LocalInvocationIndex; i < HEAD_DIM * QUERIES; i += LANES) {
        const uint source = row + min(i % QUERIES, queries - 1);
        query_tile[i] = pc.scale * float(qkv[source * pc.qkv_stride + head * HEAD_DIM + i / QUERIES]);
    }
}

void score_block(uint row, uint begin, uint keys, uint head) {
    const uint head_column = (pc.heads + head) * HEAD_DIM;
    for (uint first = gl_LocalInvocationIndex; first < keys; first += LANES * KEYS_PER_LANE) {
        uint key_at[KEYS_PER_LANE];
        float score[QUERIES * KEYS_PER_LANE];
        [[unroll]] for (uint n = 0; n < KEYS_PER_LANE; ++n)
            key_at[n] = (begin + min(first + n * LANES, keys - 1)) * pc.qkv_stride + head_column;
        [[unroll]] for (uint i = 0; i < QUERIES * KEYS_PER_LANE; ++i) score[i] = 0.0;
        for (uint d = 0; d < HEAD_DIM; ++d) {
            float k[KEYS_PER_LANE];
            [[unroll]] for (uint n = 0; n < KEYS_PER_LANE; ++n) k[n] = float(qkv[key_at[n] + d]);
            [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
                const float query = query_tile[d * QUERIES + q];
                [[unroll]] for (uint n = 0; n < KEYS_PER_LANE; ++n)
                    score[q * KEYS_PER_LANE + n] = fma(query, k[n], score[q * KEYS_PER_LANE + n]);
            }
        }
        [[unroll]] for (uint n = 0; n < KEYS_PER_LANE; ++n) {
            const uint key = first + n * LANES;
            if (key >= keys) break;
            [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
                float bias = 0.0;
                if (pc.has_bias != 0) {
                    const int reach = int(pc.bias_reach), distance = int(begin + key) - int(row + q);
                    bias = relative_bias[head * (2 * reach + 1) + clamp(distance, -reach, reach) + reach];
                }
                block_scores[q * kScoreStride + key] = score[q * KEYS_PER_LANE + n] + bias;
            }
        }
    }
}

void attend(uint row, uint queries, uint begin, uint end, uint head) {
    const uint lane = gl_LocalInvocationIndex;
    load_queries(row, queries, head);

    OnlineSoftmax state = online_softmax_start();
    uint column[DIMS];
    float sum[QUERIES * DIMS];
    [[unroll]] for (uint i = 0; i < DIMS; ++i) column[i] = min(lane + i * LANES, HEAD_DIM - 1);
    [[unroll]] for (uint i = 0; i < QUERIES * DIMS; ++i) sum[i] = 0.0;

    for (uint block = begin; block < end; block += kKeyBlock) {
        const uint keys = min(kKeyBlock, end - block);
        barrier();
        score_block(row, block, keys, head);
        barrier();
        online_softmax_block(state, keys, PARTS);
        [[unroll]] for (uint i = 0; i < QUERIES * DIMS; ++i) sum[i] *= block_factor[i / DIMS];
        for (uint key = 0; key < keys; ++key) {
            const uint value_at = (block + key) * pc.qkv_stride + (2 * pc.heads + head) * HEAD_DIM;
            float weight[QUERIES];
            [[unroll]] for (uint q = 0; q < QUERIES; ++q) weight[q] = block_scores[q * kScoreStride + key];
            [[unroll]] for (uint i = 0; i < DIMS; ++i) {
                const float v = float(qkv[value_at + column[i]]);
                [[unroll]] for (uint q = 0; q < QUERIES; ++q) sum[q * DIMS + i] = fma(weight[q], v, sum[q * DIMS + i]);
            }
        }
    }

    online_softmax_finish(state, PARTS);
    [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
        if (q >= queries) break;
        [[unroll]] for (uint i = 0; i < DIMS; ++i) {
            if (lane + i * LANES >= HEAD_DIM) break;
            y[(row + q) * pc.y_stride + head * HEAD_DIM + column[i]] = T(sum[q * DIMS + i] * block_factor[q]);
        }
    }
}

void main() {
    const uint end = min((gl_WorkGroupID.x + 1) * QUERIES, count);
    for (uint row = gl_WorkGroupID.x * QUERIES; row < end;) {
        const uint sentence = row_sentence[row];
        const uint last = sentence_begin[sentence + 1];
        const uint queries = min(end, last) - row;
        attend(row, queries, sentence_begin[sentence], last, gl_WorkGroupID.y);
        row += queries;
    }
}
