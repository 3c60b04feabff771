// SPDX-License-Identifier: Apache-2.0
// One step of decoder self-attention on GPUs.
#version 460
#pragma variants(T VIEW = float float, float uint, float16_t float16_t, float16_t uint)
#define OWN_KEY 1
#include "attention_blocks.glsl"
#include "attention_of_caches.glsl"
