// SPDX-License-Identifier: Apache-2.0
// Encoder attention on GPUs.
#version 460
#pragma variants(T VIEW = float float, float uint, float16_t float16_t, float16_t uint)
#include "attention_blocks.glsl"
#include "attention_of_sentences.glsl"
