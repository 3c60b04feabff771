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
#include "quad.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;
layout(constant_id = 1) const uint HEAD_DIM = 64;
layout(constant_id = 2) const uint QUADS = 1;         // heads and rows begin at multiples of 4: loads of four columns
layout(constant_id = 3) const uint VALUE_GROUPS = 4;  // divides LANES; each group sums every VALUE_GROUPS-th value
layout(constant_id = 4) const uint QUERIES = 8;       // a power of two that divides LANES, at most kMaxQueries

layout(push_constant) uniform Push { EncoderAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Qkv { T qkv[]; };
layout(binding = 1) readonly buffer QkvQuads { QUAD qkv_quads[]; };
layout(binding = 2) readonly buffer RowSentence { uint row_sentence[]; };
layout(binding = 3) readonly buffer SentenceBegin { uint sentence_begin[]; };
layout(binding = 4) readonly buffer RelativeBias { float relative_bias[]; };
layout(binding = 5) writeonly buffer Y { T y[]; };

const uint PARTS = LANES / QUERIES;  // lanes per query in the softmax
const uint HEAD_QUADS = (HEAD_DIM + 3) / 4;
const uint VALUE_LANES = LANES / VALUE_GROUPS;
const uint LANE_QUADS = (HEAD_QUADS + VALUE_LANES - 1) / VALUE_LANES;  // output quads per lane; 1 with groups
shared vec4 query_tile[HEAD_QUADS * QUERIES];                          // [quad][query]
shared vec4 group_sums[LANES];

// Columns 4 quad .. + 3 of the head that begins at element `at`; beyond the head's end its last column again.
vec4 load_quad(uint at, uint quad) {
    if (QUADS != 0) return unpack_quad(qkv_quads[at / 4 + quad]);
    const uint d = 4 * quad, last = at + HEAD_DIM - 1;
    return vec4(float(qkv[min(at + d, last)]), float(qkv[min(at + d + 1, last)]), float(qkv[min(at + d + 2, last)]),
                float(qkv[min(at + d + 3, last)]));
}

void load_queries(uint row, uint queries, uint head) {
    for (uint i = gl_LocalInvocationIndex; i < HEAD_QUADS * QUERIES; i += LANES) {
        const uint at = (row + min(i % QUERIES, queries - 1)) * pc.qkv_stride + head * HEAD_DIM;
        vec4 q = pc.scale * load_quad(at, i / QUERIES);
        [[unroll]] for (uint c = 0; c < 4; ++c)
            if (i / QUERIES * 4 + c >= HEAD_DIM) q[c] = 0.0;
        query_tile[i] = q;
    }
}

float bias_at(uint head, uint query, uint key) {
    if (pc.has_bias == 0) return 0.0;
    const int reach = int(pc.bias_reach);
    return relative_bias[head * (2 * reach + 1) + clamp(int(key) - int(query), -reach, reach) + reach];
}

void score_block(uint row, uint begin, uint keys, uint head) {
    for (uint key = gl_LocalInvocationIndex; key < keys; key += LANES) {
        const uint at = (begin + key) * pc.qkv_stride + (pc.heads + head) * HEAD_DIM;
        float score[QUERIES];
        [[unroll]] for (uint q = 0; q < QUERIES; ++q) score[q] = 0.0;
        // Unrolled, all the queries' quads are loaded at once, and spill on AMD.
        [[dont_unroll]] for (uint quad = 0; quad < HEAD_QUADS; ++quad) {
            const vec4 k = load_quad(at, quad);
            [[unroll]] for (uint q = 0; q < QUERIES; ++q)
                score[q] = dot_quad(query_tile[quad * QUERIES + q], k, score[q]);
        }
        [[unroll]] for (uint q = 0; q < QUERIES; ++q)
            block_scores[q * kScoreStride + key] = score[q] + bias_at(head, row + q, begin + key);
    }
}

void attend(uint row, uint queries, uint begin, uint end, uint head) {
    const uint lane = gl_LocalInvocationIndex, group = lane / VALUE_LANES, value_lane = lane % VALUE_LANES;
    load_queries(row, queries, head);

    OnlineSoftmax state = online_softmax_start();
    vec4 sum[QUERIES * LANE_QUADS];
    [[unroll]] for (uint i = 0; i < QUERIES * LANE_QUADS; ++i) sum[i] = vec4(0.0);

    for (uint block = begin; block < end; block += kKeyBlock) {
        const uint keys = min(kKeyBlock, end - block);
        barrier();
        score_block(row, block, keys, head);
        barrier();
        online_softmax_block(state, keys, PARTS);
        [[unroll]] for (uint i = 0; i < QUERIES * LANE_QUADS; ++i) sum[i] *= block_factor[i / LANE_QUADS];
        for (uint key = group; key < keys; key += VALUE_GROUPS) {
            const uint value_at = (block + key) * pc.qkv_stride + (2 * pc.heads + head) * HEAD_DIM;
            vec4 v[LANE_QUADS];
            [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
                v[i] = load_quad(value_at, min(value_lane + i * VALUE_LANES, HEAD_QUADS - 1));
            [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
                const vec4 weight = vec4(block_scores[q * kScoreStride + key]);
                [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
                    sum[q * LANE_QUADS + i] = fma(weight, v[i], sum[q * LANE_QUADS + i]);
            }
        }
    }

    online_softmax_finish(state, PARTS);
    [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
        if (VALUE_GROUPS > 1) {
            barrier();
            group_sums[lane] = sum[q];
            barrier();
            for (uint other = 1; other < VALUE_GROUPS; ++other)
                sum[q] += group_sums[(lane + other * VALUE_LANES) % LANES];
        }
        if (group == 0 && q < queries) {
            [[unroll]] for (uint i = 0; i < LANE_QUADS * 4; ++i) {
                const uint d = 4 * (value_lane + i / 4 * VALUE_LANES) + i % 4;
                const float result = sum[q * LANE_QUADS + i / 4][i % 4] * block_factor[q];
                if (d < HEAD_DIM) y[(row + q) * pc.y_stride + head * HEAD_DIM + d] = T(result);
            }
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
