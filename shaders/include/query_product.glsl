// SPDX-License-Identifier: Apache-2.0
// The product that gives the queries of a head, with the norm of its inputs: instead of load_queries() of
// attention.comp, by whose lanes it shares the work out. A group of lanes has the columns of the head and every
// kGroups-th WIDTH inputs, in ascending order; the groups' sums are added in ascending order, too.
#ifndef DRAGOMAN_QUERY_PRODUCT_GLSL
#define DRAGOMAN_QUERY_PRODUCT_GLSL

#define REDUCE_INVOCATIONS LANES
#include "panel.glsl"
#include "reduce.glsl"
#include "shared/matmul.h"

layout(constant_id = 5) const uint UNROLL = 2;  // steps of WIDTH inputs whose loads are in flight
layout(constant_id = 6) const uint NORM = 0;    // of the inputs: none, kNormScaled or kNormCentred

// WIDTH neighbouring columns of one input.
#if !W_IS_F16
#define COLUMNS vec4
#elif T_IS_F16
#define COLUMNS uvec4
#else
#define COLUMNS uvec2
#endif
#if T_IS_F16
#define ROUNDED f16vec4
#else
#define ROUNDED vec4
#endif

layout(binding = 5) readonly buffer Product { COLUMNS w[]; };
layout(binding = 6) readonly buffer Bias { vec4 bias[]; };
layout(binding = 7) readonly buffer NormGamma { vec4 norm_gamma[]; };
layout(binding = 9) readonly buffer NormBeta { vec4 norm_beta[]; };
OUTPUT(10, NormOut, norm_y);  // not q: other workgroups still read it

const uint kWeights = UNROLL * WIDTH;         // in flight
const uint kSums = QUERIES * kChunkQuads;
const uint kRowLanes = LANES / QUERIES;  // over the inputs of a row, for its mean and variance
shared vec2 statistics[QUERIES];         // mean, 1 / deviation

CHUNK load_input(uint r, uint chunk) { return LOAD(q, (first_row + r) * pc.q_stride, chunk); }

vec4 weights_of(COLUMNS columns, uint i) {
#if !W_IS_F16
    return columns;
#elif T_IS_F16
    return unpack_quad(i == 0 ? columns.xy : columns.zw);
#else
    return unpack_quad(columns);
#endif
}

float sum_of(vec4 x) {
    precise const float sum = (x.x + x.y) + (x.z + x.w);
    return sum;
}

// Finds the rows' statistics; called by all lanes together.
void find_statistics(uint queries) {
    const uint r = gl_LocalInvocationIndex / kRowLanes, lane = gl_LocalInvocationIndex % kRowLanes;
    const uint row = min(r, queries - 1), chunks = pc.inputs / WIDTH;
    const float share = 1.0 / float(pc.inputs);
    float mean = 0.0;
    if (NORM == kNormCentred) {
        vec4 sums = vec4(0.0);
        for (uint c = lane; c < chunks; c += kRowLanes)
            [[unroll]] for (uint i = 0; i < kChunkQuads; ++i) sums += quad_of(load_input(row, c), i);
        mean = reduce_sum(sum_of(sums), kRowLanes) * share;
    }
    vec4 squares = vec4(0.0);
    for (uint c = lane; c < chunks; c += kRowLanes) {
        [[unroll]] for (uint i = 0; i < kChunkQuads; ++i) {
            precise const vec4 centred = quad_of(load_input(row, c), i) - mean;
            squares = fma(centred, centred, squares);
        }
    }
    const float variance = reduce_sum(sum_of(squares), kRowLanes) * share;
    if (lane == 0) statistics[r] = vec2(mean, 1.0 / sqrt(variance + pc.epsilon));
    barrier();
}

// Quad `at` of row r, normalised and rounded to the type of the inputs, as if it had been read from memory; NVIDIA's
// compiler leaves the rounding out where the quad is not stored.
vec4 normalised(vec4 x, uint r, uint at) {
    if (NORM == 0) return x;
    precise const vec4 scaled = (x - statistics[r].x) * statistics[r].y;
    return vec4(ROUNDED(fma(scaled, norm_gamma[at], NORM == kNormCentred ? norm_beta[at] : vec4(0.0))));
}

// For the residuals that read them later: the workgroups of a row share them out.
void store_normalised(uint queries) {
    if (NORM == 0) return;
    const uint chunks = pc.inputs / WIDTH, share = (chunks + gl_NumWorkGroups.y - 1) / gl_NumWorkGroups.y;
    for (uint i = gl_LocalInvocationIndex; i < share * queries; i += LANES) {
        const uint r = i / share, chunk = gl_WorkGroupID.y * share + i % share;
        if (chunk >= chunks) continue;
        const CHUNK x = load_input(r, chunk);
        vec4 quads[kChunkQuads];
        [[unroll]] for (uint e = 0; e < kChunkQuads; ++e)
            quads[e] = normalised(quad_of(x, e), r, chunk * kChunkQuads + e);
        STORE(norm_y, (first_row + r) * pc.norm_y_stride, chunk, chunk_of(quads));
    }
}

// The weights of UNROLL steps, whose inputs begin at k; past the last step that one again.
void load_weights(out COLUMNS ws[kWeights], uint at, uint k) {
    [[unroll]] for (uint i = 0; i < kWeights; ++i) {
        const uint step = min(k + i / WIDTH * kGroups * WIDTH, pc.inputs - WIDTH);
        ws[i] = w[at + (step + i % WIDTH) * (kPanel / WIDTH)];
    }
}

// Inputs that are not there count as zeros.
void add_inputs(inout vec4 sums[kSums], COLUMNS ws[kWeights], uint queries, uint k) {
    CHUNK xs[UNROLL * QUERIES];
    [[unroll]] for (uint i = 0; i < UNROLL * QUERIES; ++i) {
        const uint step = min(k + i / QUERIES * kGroups * WIDTH, pc.inputs - WIDTH);
        xs[i] = load_input(min(i % QUERIES, queries - 1), step / WIDTH);
    }
    [[unroll]] for (uint i = 0; i < UNROLL * QUERIES * kChunkQuads; ++i) {
        const uint of = i / kChunkQuads, quad = i % kChunkQuads, r = of % QUERIES, u = of / QUERIES;
        const uint step = k + u * kGroups * WIDTH, at = min(step, pc.inputs - WIDTH) / 4 + quad;
        const vec4 there = normalised(quad_of(xs[of], quad), min(r, queries - 1), at);
        const vec4 x = step < pc.inputs ? there : vec4(0.0);
        [[unroll]] for (uint e = 0; e < 4 * kChunkQuads; ++e) {
            const uint j = e % kChunkQuads, c = e / kChunkQuads, sum = r * kChunkQuads + j;
            sums[sum] = fma(vec4(x[c]), weights_of(ws[u * WIDTH + quad * 4 + c], j), sums[sum]);
        }
    }
}

// The groups' sums together, and the bias.
void merge_sums(vec4 sums[kSums], uint queries, uint head) {
    for (uint first = 0; first < queries; first += kMerged) {
        barrier();  // others may still read
        [[unroll]] for (uint i = 0; i < kSums; ++i) {
            const uint m = i / kChunkQuads - first;  // wraps below first
            if (m < kMerged) group_results[(i % kChunkQuads * kMerged + m) * LANES + gl_LocalInvocationIndex] = sums[i];
        }
        barrier();
        const uint places = min(kMerged, queries - first) * kChunkQuads * HEAD_LANES;
        for (uint place = gl_LocalInvocationIndex; place < places; place += LANES) {
            const uint chunk = place % HEAD_LANES, j = place / HEAD_LANES % kChunkQuads;
            const uint m = place / HEAD_LANES / kChunkQuads;
            const uint column = head * HEAD_DIM + min(chunk, kHeadChunks - 1) * WIDTH + j * 4;
            vec4 sum = vec4(0.0);
            [[unroll]] for (uint g = 0; g < kGroups; ++g)
                sum += group_results[(j * kMerged + m) * LANES + g * HEAD_LANES + chunk];
            if (pc.has_bias != 0) sum += bias[column / 4];
            query[j * kQueryChunks + (first + m) * HEAD_LANES + chunk] = inside_head(query_scale() * sum, chunk, j);
        }
    }
}

void load_queries(uint queries, uint head) {
    const uint column = head * HEAD_DIM + value_chunk() * WIDTH;
    const uint at = (column / kPanel * kPanel * pc.inputs + column % kPanel) / WIDTH;
    uint k = group_of_lane() * WIDTH;
    COLUMNS ws[kWeights];
    load_weights(ws, at, k);  // on their way while the statistics are made
    if (NORM != 0) find_statistics(queries);
    vec4 sums[kSums];
    [[unroll]] for (uint i = 0; i < kSums; ++i) sums[i] = vec4(0.0);
    while (k < pc.inputs) {
        add_inputs(sums, ws, queries, k);
        k += UNROLL * kGroups * WIDTH;
        if (k < pc.inputs) load_weights(ws, at, k);
    }
    merge_sums(sums, queries, head);
}

#endif
