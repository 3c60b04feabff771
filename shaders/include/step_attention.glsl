// SPDX-License-Identifier: Apache-2.0
// What the GPU kernels of one decoder step share. A workgroup takes one head of up to QUERIES rows that read the same
// keys, in blocks of kKeys: kParts neighbouring lanes share a key's dot product, whose parts meet in shared memory, and
// HEAD_LANES neighbours, a group, have the columns of every kGroups-th value. A block's loads are in flight at once.
// Each group keeps an online softmax (Milakov and Gimelshein, 2018) of its own keys, so that a block costs one barrier,
// and another before the next; the groups are merged at the end. The order of sums depends on the tile alone. No
// subgroup operations: scores have to cross subgroups anyway, and not every device has them.
// Before: QUERIES, T. With QUADS, heads and rows of all tensors begin at multiples of 4 elements.
#ifndef DRAGOMAN_STEP_ATTENTION_GLSL
#define DRAGOMAN_STEP_ATTENTION_GLSL
#include "quad.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 128;      // a power of two, at least HEAD_LANES
layout(constant_id = 1) const uint HEAD_DIM = 64;
layout(constant_id = 2) const uint QUADS = 1;        // loads and stores of four columns
layout(constant_id = 3) const uint HEAD_LANES = 16;  // quads (four columns) of a head, rounded up to a power of two
layout(constant_id = 4) const uint LOADS = 4;        // of keys and of values in flight; divides HEAD_LANES

const uint kHeadQuads = (HEAD_DIM + 3) / 4;
const uint kParts = HEAD_LANES / LOADS;
const uint kKeys = LANES / kParts;
const uint kGroups = LANES / HEAD_LANES;
const uint kQueryLoads = (QUERIES * HEAD_LANES + LANES - 1) / LANES;
const uint kMergeLanes = LANES < 256 ? 256 : LANES;  // what shared memory is spent on merging
const uint kMerged = QUERIES * LANES < kMergeLanes ? QUERIES : kMergeLanes / LANES;  // queries at once

shared vec4 query[kQueryLoads * LANES];  // [query][quad], times scale, zeros beyond the head; then what nobody reads
shared float score_parts[QUERIES * LANES];
shared vec4 group_results[kMerged * LANES];
shared vec2 group_sums[kMerged * kGroups];  // maximum, sum of weights

const float kLowest = -1e30;

// Of a lane's own part in scores, and of its group's in values.
uint key_of_lane() { return gl_LocalInvocationIndex / kParts; }
uint part_of_lane() { return gl_LocalInvocationIndex % kParts; }
uint group_of_lane() { return gl_LocalInvocationIndex / HEAD_LANES; }
uint quad_of_lane() { return gl_LocalInvocationIndex % HEAD_LANES; }
uint key_quad(uint i) { return min(part_of_lane() + i * kParts, kHeadQuads - 1); }
uint value_quad() { return min(quad_of_lane(), kHeadQuads - 1); }
uint value_key(uint i) { return group_of_lane() + i * kGroups; }

// Stored quads: packHalf2x16() may round as it likes, so that it is only for what was half before.
#if T_IS_F16
#define STORED_QUAD f16vec4
QUAD pack_quad(vec4 x) { return uvec2(packHalf2x16(x.xy), packHalf2x16(x.zw)); }
#else
#define STORED_QUAD vec4
QUAD pack_quad(vec4 x) { return x; }
#endif

// Columns 4 quad .. + 3 of the head that begins at element `at`; beyond the head's end its last column again.
#define LOAD_QUAD(elements, quads, at, quad) \
    (QUADS != 0 ? quads[(at) / 4 + (quad)] \
                : pack_quad(vec4(elements[(at) + min(4 * (quad), HEAD_DIM - 1)], \
                                 elements[(at) + min(4 * (quad) + 1, HEAD_DIM - 1)], \
                                 elements[(at) + min(4 * (quad) + 2, HEAD_DIM - 1)], \
                                 elements[(at) + min(4 * (quad) + 3, HEAD_DIM - 1)])))

#define STORE_QUAD(elements, quads, at, quad, x) \
    if (QUADS != 0) quads[(at) / 4 + (quad)] = STORED_QUAD(x); \
    else [[unroll]] for (uint c = 0; c < 4; ++c) \
        if (4 * (quad) + c < HEAD_DIM) elements[(at) + 4 * (quad) + c] = T((x)[c])

// Zeros from the head's end on.
vec4 inside_head(vec4 x, uint quad) {
    return mix(vec4(0.0), x, lessThan(uvec4(4 * quad) + uvec4(0, 1, 2, 3), uvec4(HEAD_DIM)));
}

// A part of the score of this lane's key for each query; `first` joins part 0.
void write_parts(QUAD keys[LOADS], float first, uint queries) {
    for (uint r = 0; r < queries; ++r) {
        float part = part_of_lane() == 0 ? first : 0.0;
        [[unroll]] for (uint i = 0; i < LOADS; ++i)
            part = dot_quad(query[r * HEAD_LANES + part_of_lane() + i * kParts], unpack_quad(keys[i]), part);
        score_parts[r * LANES + gl_LocalInvocationIndex] = part;
    }
}

float score_of(uint r, uint key) {
    float score = score_parts[r * LANES + key * kParts];
    [[unroll]] for (uint p = 1; p < kParts; ++p) score += score_parts[r * LANES + key * kParts + p];
    return score;
}

// Of a group.
struct Attended {
    float maximum, sum;
    vec4 result;  // the lane's columns
};

// The block's first `count` keys are there. What is beyond them is read and left out, without branches, which would
// keep one read waiting for another.
void add_values(inout Attended state, uint r, QUAD values[LOADS], uint count) {
    float scores[LOADS], maximum = state.maximum;
    [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        const float score = score_of(r, value_key(i));
        scores[i] = value_key(i) < count ? score : kLowest;
        maximum = max(maximum, scores[i]);
    }
    const float factor = exp(state.maximum - maximum);
    state.maximum = maximum;
    state.sum *= factor;
    state.result *= factor;
    [[unroll]] for (uint i = 0; i < LOADS; ++i) {
        float weight = exp(scores[i] - maximum);
        weight = value_key(i) < count ? weight : 0.0;
        state.sum += weight;
        state.result = fma(vec4(weight), unpack_quad(values[i]), state.result);
    }
}

// For the merge: place `q` of those merged at once.
void write_group(Attended state, uint q) {
    group_results[q * LANES + gl_LocalInvocationIndex] = state.result;
    if (quad_of_lane() == 0) group_sums[q * kGroups + group_of_lane()] = vec2(state.maximum, state.sum);
}

Attended merge_groups(uint q) {
    Attended all = Attended(kLowest, 0.0, vec4(0.0));
    for (uint g = 0; g < kGroups; ++g) all.maximum = max(all.maximum, group_sums[q * kGroups + g].x);
    for (uint g = 0; g < kGroups; ++g) {
        const vec2 group = group_sums[q * kGroups + g];
        const float weight = exp(group.x - all.maximum);
        all.sum = fma(weight, group.y, all.sum);
        all.result = fma(vec4(weight), group_results[q * LANES + g * HEAD_LANES + quad_of_lane()], all.result);
    }
    return all;  // the result not yet divided by the sum
}

#endif
