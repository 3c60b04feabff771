// SPDX-License-Identifier: Apache-2.0
// y = x W^T without shared memory, for CPU devices (matmul_block.glsl).
#version 460
#pragma variants(T W Y = float float float, float float16_t float)
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float)
#pragma variants(T W Y = float q8 float, float16_t q8 float16_t, float16_t q8 float)
#pragma variants(T W Y = float q4 float, float16_t q4 float16_t, float16_t q4 float)
#include "matmul_block.glsl"
