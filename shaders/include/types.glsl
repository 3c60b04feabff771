// SPDX-License-Identifier: Apache-2.0
// Element types. The build defines T, W ... for each variant that a file's `#pragma variants` line lists; the
// defaults below make the file legal GLSL without it. Convert with float(x) on load and T(x) on store.
#ifndef DRAGOMAN_TYPES_GLSL
#define DRAGOMAN_TYPES_GLSL

#ifndef USES_F16
#define USES_F16 0
#endif
#ifndef USES_I8
#define USES_I8 0
#endif

#if USES_F16
#extension GL_EXT_shader_16bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#endif
#if USES_I8
#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#endif

#ifndef T  // activations
#define T float
#define T_IS_F16 0
#endif
#ifndef W  // weights
#define W T
#define W_IS_F16 T_IS_F16
#endif

// Four neighbouring elements of a T buffer in one load: declare the buffer as QUAD name[]. It is the buffer's only
// view, since some drivers cannot bind two types at one place: single elements are parts of quads.
// Halves come as packed words: software drivers unpack pairs faster than they load halves.
#if T_IS_F16
#define QUAD uvec2
#define QUAD_ELEMENT(quads, at) unpackHalf2x16(quads[(at) / 4][(at) % 4 / 2])[(at) % 2]
#else
#define QUAD vec4
#define QUAD_ELEMENT(quads, at) quads[(at) / 4][(at) % 4]
#endif

vec4 unpack_quad(vec4 quad) { return quad; }
vec4 unpack_quad(uvec2 quad) { return vec4(unpackHalf2x16(quad.x), unpackHalf2x16(quad.y)); }

// One fma after the other, in ascending order.
float dot_quad(vec4 a, vec4 b, float sum) { return fma(a.w, b.w, fma(a.z, b.z, fma(a.y, b.y, fma(a.x, b.x, sum)))); }

#endif
