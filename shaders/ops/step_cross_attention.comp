// SPDX-License-Identifier: Apache-2.0
// One step of cross-attention on GPUs.
#version 460
#pragma variants(T VIEW = float float, float uint, float16_t float16_t, float16_t uint)
#define KEEPS_WEIGHTS 1
#define ONE_SLOT 1
#include "attention_blocks.glsl"
#include "attention_of_sources.glsl"
