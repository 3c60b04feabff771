// SPDX-License-Identifier: Apache-2.0
// matmul_block with x and W read as texels: lavapipe loads 16 bytes of a texel buffer at once, and from storage buffers
// 8 at most, each behind a branch of its own. Row starts of x are multiples of four inputs, and so is k.
#version 460
#pragma variants(T W Y = float float float, float float16_t float)
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float)
#pragma variants(T W Y = float q8 float, float16_t q8 float16_t, float16_t q8 float)
#pragma variants(T W Y = float q4 float, float16_t q4 float16_t, float16_t q4 float)
#define MATMUL_TEXELS 1
#include "matmul_block.glsl"
