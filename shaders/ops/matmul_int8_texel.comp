// SPDX-License-Identifier: Apache-2.0
// matmul_int8_block with x and W read as texels, as matmul_texel.comp does it and under the same conditions.
#version 460
#pragma variants(T Y = float float, float16_t float16_t, float16_t float)
#define MATMUL_TEXELS 1
#include "matmul_int8_block.glsl"
