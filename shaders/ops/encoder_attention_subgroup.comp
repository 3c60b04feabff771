// SPDX-License-Identifier: Apache-2.0
// encoder_attention for CPU devices: a workgroup is one subgroup, whose lanes share the columns of a head; QUERIES rows
// share the loads of keys and values. Without barriers and shared memory, which are what costs there.
#version 460
#pragma variants(T = float, float16_t)
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#include "types.glsl"
#include "quad.glsl"
#include "shared/attention.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 8;  // the subgroup's size
layout(constant_id = 1) const uint HEAD_DIM = 64;
layout(constant_id = 2) const uint QUADS = 1;  // heads and rows begin at multiples of 4: loads of four columns
layout(constant_id = 3) const uint QUERIES = 8;

layout(push_constant) uniform Push { EncoderAttentionPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Qkv { T qkv[]; };
layout(binding = 1) readonly buffer QkvQuads { QUAD qkv_quads[]; };
layout(binding = 2) readonly buffer RowSentence { uint row_sentence[]; };
layout(binding = 3) readonly buffer SentenceBegin { uint sentence_begin[]; };
layout(binding = 4) readonly buffer RelativeBias { float relative_bias[]; };
layout(binding = 5) writeonly buffer Y { T y[]; };

const uint HEAD_QUADS = (HEAD_DIM + 3) / 4;
const uint LANE_QUADS = (HEAD_QUADS + LANES - 1) / LANES;

// Columns 4 quad .. + 3 of the head that begins at element `at`; beyond the head's end its last column again.
vec4 load_quad(uint at, uint quad) {
    if (QUADS != 0) return unpack_quad(qkv_quads[at / 4 + quad]);
    const uint d = 4 * quad, last = at + HEAD_DIM - 1;
    return vec4(float(qkv[min(at + d, last)]), float(qkv[min(at + d + 1, last)]), float(qkv[min(at + d + 2, last)]),
                float(qkv[min(at + d + 3, last)]));
}

float bias_at(uint head, uint query, uint key) {
    if (pc.has_bias == 0) return 0.0;
    const int reach = int(pc.bias_reach);
    return relative_bias[head * (2 * reach + 1) + clamp(int(key) - int(query), -reach, reach) + reach];
}

void attend(uint row, uint queries, uint begin, uint end, uint head) {
    const uint lane = gl_LocalInvocationIndex;
    uint quad[LANE_QUADS];
    vec4 query[QUERIES * LANE_QUADS], result[QUERIES * LANE_QUADS];
    float maximum[QUERIES], sum[QUERIES];
    [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) quad[i] = min(lane + i * LANES, HEAD_QUADS - 1);
    [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
        const uint at = (row + min(q, queries - 1)) * pc.qkv_stride + head * HEAD_DIM;
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) {
            // Columns that nobody owns must not count twice.
            const uvec4 column = 4 * (lane + i * LANES) + uvec4(0, 1, 2, 3);
            query[q * LANE_QUADS + i] =
                mix(vec4(0.0), pc.scale * load_quad(at, quad[i]), lessThan(column, uvec4(HEAD_DIM)));
            result[q * LANE_QUADS + i] = vec4(0.0);
        }
        maximum[q] = -1e30;
        sum[q] = 0.0;
    }

    for (uint key = begin; key < end; ++key) {
        const uint at = key * pc.qkv_stride + (pc.heads + head) * HEAD_DIM;
        vec4 k[LANE_QUADS], v[LANE_QUADS];
        [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) {
            k[i] = load_quad(at, quad[i]);
            v[i] = load_quad(at + pc.heads * HEAD_DIM, quad[i]);
        }
        [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
            float part = 0.0;
            [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i) part = dot_quad(query[q * LANE_QUADS + i], k[i], part);
            const float score = subgroupAdd(part) + bias_at(head, row + q, key), before = maximum[q];
            maximum[q] = max(before, score);
            const float factor = exp(before - maximum[q]), weight = exp(score - maximum[q]);
            sum[q] = fma(sum[q], factor, weight);
            [[unroll]] for (uint i = 0; i < LANE_QUADS; ++i)
                result[q * LANE_QUADS + i] = fma(vec4(weight), v[i], factor * result[q * LANE_QUADS + i]);
        }
    }

    [[unroll]] for (uint q = 0; q < QUERIES; ++q) {
        [[unroll]] for (uint i = 0; i < LANE_QUADS * 4; ++i) {
            const uint d = 4 * (lane + i / 4 * LANES) + i % 4;
            if (q < queries && d < HEAD_DIM)
                y[(row + q) * pc.y_stride + head * HEAD_DIM + d] = T(result[q * LANE_QUADS + i / 4][i % 4] / sum[q]);
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
