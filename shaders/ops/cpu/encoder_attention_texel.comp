// SPDX-License-Identifier: Apache-2.0
// Encoder attention on CPU devices, from texel buffers.
#version 460
#pragma variants(T VIEW = float uint)
#define TEXELS 1
#include "attention_lanes.glsl"
#include "attention_of_sentences.glsl"
