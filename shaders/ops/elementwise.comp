// SPDX-License-Identifier: Apache-2.0
// One workgroup per row.
#version 460
#pragma kernel(activate)     // y = activation(x), of sentence rows in the place of the sentences' first tokens
#pragma variants(T Y = float float, float float16_t, float16_t float, float16_t float16_t)
#pragma kernel(blend)        // y = gate x + (1 - gate) other, or x + other
#pragma variants(T = float, float16_t)
#pragma kernel(gather_rows)  // y[i] = x[map[i]]
#pragma variants(T = float, float16_t)
#include "types.glsl"
#include "activation.glsl"
#include "shared/elementwise.h"
#ifndef Y
#define Y T
#endif

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;

layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { T x[]; };
#if KERNEL_blend
layout(binding = 2) readonly buffer Gate { T gate[]; };
#else
layout(binding = 2) readonly buffer Map { uint map[]; };
#endif
layout(binding = 3) writeonly buffer Out { Y y[]; };

#if KERNEL_activate
layout(push_constant) uniform Push { ActivatePush pc; };
layout(constant_id = 1) const uint ACTIVATION = 7;

float element(uint row, uint c) { return activate(float(x[row * pc.x_stride + c]), ACTIVATION); }
uint y_row(uint row) { return pc.mapped != 0 ? map[row] : row; }
#elif KERNEL_blend
layout(push_constant) uniform Push { BlendPush pc; };
layout(binding = 4) readonly buffer Other { T other[]; };

float element(uint row, uint c) {
    const float a = float(x[row * pc.x_stride + c]), b = float(other[row * pc.other_stride + c]);
    precise float value = a + b;
    if (pc.gated != 0) value = fma(float(gate[row * pc.gate_stride + c]), a - b, b);
    return value;
}
uint y_row(uint row) { return row; }
#else
layout(push_constant) uniform Push { GatherRowsPush pc; };

float element(uint row, uint c) { return float(x[min(map[row], pc.x_rows - 1) * pc.x_stride + c]); }
uint y_row(uint row) { return row; }
#endif

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    for (uint c = gl_LocalInvocationIndex; c < pc.cols; c += INVOCATIONS)
        y[y_row(row) * pc.y_stride + c] = Y(element(row, c));
}
