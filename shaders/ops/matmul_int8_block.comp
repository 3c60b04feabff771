// SPDX-License-Identifier: Apache-2.0
// y = round(x) W^T in int8 for CPU devices (matmul_int8_block.glsl).
#version 460
#pragma variants(T Y = float float, float16_t float16_t, float16_t float)
#include "matmul_int8_block.glsl"
