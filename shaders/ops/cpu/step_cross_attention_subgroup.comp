// SPDX-License-Identifier: Apache-2.0
// One step of cross-attention on CPU devices, from storage buffers.
#version 460
#pragma variants(T VIEW = float float, float uint, float16_t float16_t, float16_t uint)
#define KEEPS_WEIGHTS 1
#include "attention_lanes.glsl"
#include "attention_of_sources.glsl"
