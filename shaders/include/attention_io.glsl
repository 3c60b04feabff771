// SPDX-License-Identifier: Apache-2.0
// What the attention kernels share: tensors in chunks, and what they ask of those whose keys they take.
//
// Tensors of T as chunks, WIDTH neighbouring elements of a row in one load. A buffer has one view: chunks where the
// heads and rows of all tensors begin with whole ones (VIEW = uint), else elements. TEXELS: inputs are texel buffers.
// HALVES_IN_QUADS: chunks of four halves instead of eight. Before: HEAD_DIM.
#ifndef DRAGOMAN_ATTENTION_IO_GLSL
#define DRAGOMAN_ATTENTION_IO_GLSL
#extension GL_EXT_control_flow_attributes : require
#if TEXELS
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#endif
#include "shared/attention.h"
#include "types.glsl"

#ifndef VIEW
#define VIEW T
#endif

#if T_IS_F16 && !HALVES_IN_QUADS
#define CHUNK uvec4
const uint kChunkQuads = 2;
#elif T_IS_F16
#define CHUNK uvec2
const uint kChunkQuads = 1;
#else
#define CHUNK uvec4
const uint kChunkQuads = 1;
#endif
const uint WIDTH = 4 * kChunkQuads;
const uint kHeadChunks = (HEAD_DIM + WIDTH - 1) / WIDTH;

#if T_IS_F16
vec4 half_quad(uvec2 words) { return vec4(unpackHalf2x16(words.x), unpackHalf2x16(words.y)); }
// Not packHalf2x16(), which may round as it likes.
uvec2 half_words(vec4 quad) { return uvec2(packFloat2x16(f16vec2(quad.xy)), packFloat2x16(f16vec2(quad.zw))); }
#endif

// Quad i of a chunk.
vec4 quad_of(CHUNK chunk, uint i) {
#if !T_IS_F16
    return uintBitsToFloat(chunk);
#elif HALVES_IN_QUADS
    return half_quad(chunk);
#else
    return half_quad(i == 0 ? chunk.xy : chunk.zw);
#endif
}

CHUNK chunk_of(vec4 quads[kChunkQuads]) {
#if !T_IS_F16
    return floatBitsToUint(quads[0]);
#elif HALVES_IN_QUADS
    return half_words(quads[0]);
#else
    return uvec4(half_words(quads[0]), half_words(quads[1]));
#endif
}

// `at`: the element where a head begins. LOAD takes the head's last element for those beyond it.
#if TEXELS
#define INPUT(slot, Block, name) layout(binding = slot) uniform utextureBuffer name
#define LOAD(name, at, chunk) texelFetch(name, int((at) / WIDTH + (chunk)))
#define ELEMENTS u64vec2  // stores are 64 bits wide at most
#define STORE(name, at, chunk, x) name[(at) / WIDTH + (chunk)] = u64vec2(pack64((x).xy), pack64((x).zw))
#else
#define INPUT(slot, Block, name) \
    layout(binding = slot) readonly buffer Block { ELEMENTS name[]; }
#if VIEW_IS_U32
#define ELEMENTS CHUNK
#define LOAD(name, at, chunk) name[(at) / WIDTH + (chunk)]
#define STORE(name, at, chunk, x) name[(at) / WIDTH + (chunk)] = (x)
#else
#define ELEMENTS T
#define ELEMENT(name, at, i) name[(at) + min(i, HEAD_DIM - 1)]
#if T_IS_F16
#define PAIR(name, at, i) packFloat2x16(f16vec2(ELEMENT(name, at, i), ELEMENT(name, at, (i) + 1)))
#define LOW(name, at, i) PAIR(name, at, i), PAIR(name, at, (i) + 2)
#if HALVES_IN_QUADS
#define LOAD(name, at, chunk) uvec2(LOW(name, at, (chunk) * WIDTH))
#else
#define LOAD(name, at, chunk) uvec4(LOW(name, at, (chunk) * WIDTH), LOW(name, at, (chunk) * WIDTH + 4))
#endif
#else
#define LOAD(name, at, chunk)                                                                        \
    floatBitsToUint(vec4(ELEMENT(name, at, (chunk) * WIDTH), ELEMENT(name, at, (chunk) * WIDTH + 1), \
                         ELEMENT(name, at, (chunk) * WIDTH + 2), ELEMENT(name, at, (chunk) * WIDTH + 3)))
#endif
#define STORE(name, at, chunk, x)               \
    [[unroll]] for (uint e = 0; e < WIDTH; ++e) \
        if (WIDTH * (chunk) + e < HEAD_DIM) name[(at) + WIDTH * (chunk) + e] = T(quad_of(x, e / 4)[e % 4])
#endif
#endif
#define OUTPUT(slot, Block, name) \
    layout(binding = slot) writeonly buffer Block { ELEMENTS name[]; }

// Quad i of a chunk with zeros from the head's end on.
vec4 inside_head(vec4 x, uint chunk, uint i) {
    return mix(vec4(0.0), x, lessThan(uvec4(WIDTH * chunk + 4 * i) + uvec4(0, 1, 2, 3), uvec4(HEAD_DIM)));
}

// attention_keys.glsl answers for sentences, sources and caches as keys. `r` is the number of a row among those that are
// attended together.

float query_scale();
CHUNK load_query(uint r, uint head, uint chunk);
uint key_at(uint key, uint head);  // the element where the head begins
uint values_offset();  // from there to its value
CHUNK load_key(uint at, uint chunk);
CHUNK load_value(uint at, uint chunk);
float bias_of(uint r, uint key, uint head);
bool has_bias();  // of the encoder
void store_result(uint r, uint head, uint chunk, CHUNK x);

#if OWN_KEY  // a key and a value beside those: the row's own, which are not yet where the others are
CHUNK load_own_key(uint head, uint chunk);
CHUNK load_own_value(uint head, uint chunk);
void store_own(uint head, uint chunk, CHUNK key, CHUNK value);
#endif

#if KEEPS_WEIGHTS
void keep_weight(uint r, uint key, uint head, float weight);
#endif

uint bias_place(uint head, uint query, uint key, int reach) {
    return head * (2 * reach + 1) + clamp(int(key) - int(query), -reach, reach) + reach;
}

#endif
