// SPDX-License-Identifier: Apache-2.0
// y = round(x) W^T in int8 for few rows, as matmul_vec.comp: one invocation per output column reads each weight once.
// The workgroup rounds and packs its rows of x together, a stretch at a time.
#version 460
#pragma variants(T Y D = float float int, float16_t float16_t int, float16_t float int)
#pragma variants(T Y D = float float int8_t, float16_t float16_t int8_t, float16_t float int8_t)
#extension GL_EXT_control_flow_attributes : require
#if D_IS_I8
#extension GL_EXT_integer_dot_product : require
#endif
#include "types.glsl"
#include "matmul_int8_io.glsl"

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint INVOCATIONS = 64;
layout(constant_id = 2) const uint ROWS = 4;
layout(constant_id = 3) const uint UNROLL = 8;   // loads in flight; divides kStretch
layout(constant_id = 4) const uint X_QUADS = 0;  // 1: k and the stride of x are multiples of 4

const uint kStretch = 256;  // words of every row in shared memory
shared uint x_words[ROWS * kStretch];

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * ROWS;
    if (first_row >= rows) return;
    const uint local = gl_LocalInvocationIndex;
    const uint column = gl_WorkGroupID.y * INVOCATIONS + local;
    const uint words = (pc.k + 3) / 4;
    uint w_at = column / kPanel * kPanel * words + column % kPanel;

    int sums[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] = 0;
    for (uint base = 0; base < words; base += kStretch) {
        const uint stretch = min(words - base, kStretch);
        if (base > 0) barrier();
        for (uint r = 0; r < ROWS; ++r) {
            // Rows past the end repeat the last one and are not stored.
            const uint row = min(first_row + r, rows - 1);
            const float scale = input_scale(row, gl_WorkGroupID.y * INVOCATIONS / kPanel);
            for (uint i = local; i < stretch; i += INVOCATIONS)
                x_words[r * kStretch + i] =
                    pack_int8(load_x(row * pc.x_stride, (base + i) * 4, scale, X_QUADS != 0));
        }
        barrier();
        uint i = 0;
        for (; i + UNROLL <= stretch; i += UNROLL) {
            uint weights[UNROLL];
            [[unroll]] for (uint j = 0; j < UNROLL; ++j) weights[j] = w[w_at + j * kPanel];
            w_at += UNROLL * kPanel;
            [[unroll]] for (uint j = 0; j < UNROLL; ++j)
                [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] += dot4(x_words[r * kStretch + i + j], weights[j]);
        }
        for (; i < stretch; ++i) {
            const uint weight = w[w_at];
            w_at += kPanel;
            [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] += dot4(x_words[r * kStretch + i], weight);
        }
    }

    if (column >= pc.n) return;
    const Column end = load_column(column);
    [[unroll]] for (uint r = 0; r < ROWS; ++r)
        if (first_row + r < rows) matmul_store(first_row + r, column, end, sums[r]);
}
