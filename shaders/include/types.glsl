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

#endif
