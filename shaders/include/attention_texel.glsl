// SPDX-License-Identifier: Apache-2.0
// What the attention kernels with texel buffers share. A workgroup is one subgroup; its lanes share the quads (four
// neighbouring columns) of a head. Heads and rows begin with whole quads.
#ifndef DRAGOMAN_ATTENTION_TEXEL_GLSL
#define DRAGOMAN_ATTENTION_TEXEL_GLSL
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "quad.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 8;  // the subgroup's size
layout(constant_id = 1) const uint HEAD_DIM = 64;

const uint HEAD_QUADS = HEAD_DIM / 4;
const uint LANE_QUADS = (HEAD_QUADS + LANES - 1) / LANES;

// Quad i of this lane. Lanes without one load the last, and do not count.
uint lane_quad(uint i) { return min(gl_LocalInvocationIndex + i * LANES, HEAD_QUADS - 1); }
bool owns_quad(uint i) { return gl_LocalInvocationIndex + i * LANES < HEAD_QUADS; }

#define FETCH(texels, at, quad) uintBitsToFloat(texelFetch(texels, int((at) / 4 + (quad))))

// Over all lanes, in ascending order. lavapipe's subgroupAdd is a loop with branches, and several times slower.
float add_lanes(float x) {
    float sum = subgroupShuffle(x, 0);
    [[unroll]] for (uint lane = 1; lane < LANES; ++lane) sum += subgroupShuffle(x, lane);
    return sum;
}

// What earlier sums and a new value are multiplied with, when a score joins those whose maximum is `maximum`: of
// exp(maximum - new maximum) and exp(score - new maximum) one is 1.
vec2 join_score(float score, inout float maximum) {
    const float other = exp(-abs(score - maximum));
    const bool ahead = score > maximum;
    maximum = max(maximum, score);
    return ahead ? vec2(other, 1.0) : vec2(1.0, other);
}

// For stores, which are 64 bits wide at most.
u64vec2 pack_quad(vec4 quad) {
    return u64vec2(pack64(floatBitsToUint(quad.xy)), pack64(floatBitsToUint(quad.zw)));
}

#endif
