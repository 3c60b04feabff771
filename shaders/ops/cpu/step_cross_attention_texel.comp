// SPDX-License-Identifier: Apache-2.0
// One step of cross-attention on CPU devices, from texel buffers.
#version 460
#pragma variants(T VIEW = float uint)
#define TEXELS 1
#define KEEPS_WEIGHTS 1
#include "attention_lanes.glsl"
#include "attention_of_sources.glsl"
