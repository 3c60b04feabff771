// SPDX-License-Identifier: Apache-2.0
// encoder_attention for CPU devices with texel buffers (matmul_texel.comp): QUERIES rows share the loads of keys and
// values.
#version 460
#pragma variants(T = float)
#include "types.glsl"
#include "attention_texel.glsl"
#include "shared/attention.h"

layout(constant_id = 2) const uint QUERIES = 8;

layout(push_constant) uniform Push { EncoderAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) uniform utextureBuffer qkv;
layout(binding = 2) readonly buffer RowSentence { uint row_sentence[]; };
layout(binding = 3) readonly buffer SentenceBegin { uint sentence_begin[]; };
layout(binding = 4) readonly buffer RelativeBias { float relative_bias[]; };
layout(binding = 5) writeonly buffer Y { u64vec2 y[]; };

float bias_at(uint head, uint query, uint key) {
    if (pc.has_bias == 0) return 0.0;
    const int reach = int(pc.bias_reach);
    return relative_bias[head * (2 * reach + 1) + clamp(int(key) - int(query), -reach, reach) + reach];
}

void attend(uint row, uint queries, uint begin, uint end, uint head) {
    vec4 query[QUERIES * LANE_QUADS], result[QUERIES * LANE_QUADS];
    float maximum[QUERIES], sum[QUERIES];
    [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
        const uint at = (row + min(q, queries - 1)) * pc.qkv_stride + head * HEAD_DIM;
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) {
            query[q * LANE_QUADS + i] = owns_quad(i) ? pc.scale * FETCH(qkv, at, lane_quad(i)) : vec4(0.0);
            result[q * LANE_QUADS + i] = vec4(0.0);
        }
        maximum[q] = -1e30;
        sum[q] = 0.0;
    }

    for (uint key = begin; key < end; ++key) {
        const uint at = key * pc.qkv_stride + (pc.heads + head) * HEAD_DIM;
        vec4 k[LANE_QUADS], v[LANE_QUADS];
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) {
            k[i] = FETCH(qkv, at, lane_quad(i));
            v[i] = FETCH(qkv, at + pc.heads * HEAD_DIM, lane_quad(i));
        }
        [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
            float part = 0.0;
            [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) part = dot_quad(query[q * LANE_QUADS + i], k[i], part);
            const vec2 factors = join_score(add_lanes(part) + bias_at(head, row + q, key), maximum[q]);
            sum[q] = fma(sum[q], factors.x, factors.y);
            [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
                result[q * LANE_QUADS + i] = fma(vec4(factors.y), v[i], factors.x * result[q * LANE_QUADS + i]);
        }
    }

    [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
            if (q < queries && owns_quad(i))
                y[((row + q) * pc.y_stride + head * HEAD_DIM) / 4 + lane_quad(i)] =
                    pack_quad(result[q * LANE_QUADS + i] / sum[q]);
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
