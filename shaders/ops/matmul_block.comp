// SPDX-License-Identifier: Apache-2.0
// y = x W^T without shared memory, for CPU devices: each invocation keeps ROWS x QUADS * 4 sums in registers. A
// subgroup's invocations share rows and lie side by side in a panel, so x is one load for all of them.
#version 460
#pragma variants(T W Y = float float float, float float16_t float, float16_t float16_t float16_t, float16_t float16_t float)
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "matmul_io.glsl"

layout(local_size_x_id = 1) in;  // 16 / QUADS * row blocks; keep in step with MatmulBlockTile
layout(constant_id = 1) const uint INVOCATIONS = 16;
layout(constant_id = 2) const uint ROWS = 8;
layout(constant_id = 3) const uint QUADS = 2;

const uint kLanes = kPanelQuads / QUADS;

void main() {
    const uint rows = count;
    const uint lane = gl_LocalInvocationIndex % kLanes;
    const uint row_block = gl_WorkGroupID.x * (INVOCATIONS / kLanes) + gl_LocalInvocationIndex / kLanes;
    const uint first_row = row_block * ROWS;
    if (first_row >= rows) return;

    uint x_at[ROWS];
    vec4 sums[ROWS * QUADS];
    // Rows past the end repeat the last one and are not stored.
    [[unroll]] for (uint r = 0; r < ROWS; ++r) x_at[r] = min(first_row + r, rows - 1) * pc.x_stride;
    [[unroll]] for (uint i = 0; i < ROWS * QUADS; ++i) sums[i] = vec4(0.0);

    uint w_at = gl_WorkGroupID.y * pc.k * kPanelQuads + lane;
    for (uint k = 0; k < pc.k; ++k) {
        vec4 weights[QUADS];
        [[unroll]] for (uint q = 0; q < QUADS; ++q) weights[q] = panel_quad(w[w_at + q * kLanes]);
        w_at += kPanelQuads;
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            const vec4 v = vec4(float(x[x_at[r] + k]));
            [[unroll]] for (uint q = 0; q < QUADS; ++q)
                sums[r * QUADS + q] = fma(v, weights[q], sums[r * QUADS + q]);
        }
    }

    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        if (first_row + r >= rows) return;
        [[unroll]] for (uint q = 0; q < QUADS; ++q) {
            const uint column = gl_WorkGroupID.y * kPanel + (q * kLanes + lane) * 4;
            [[unroll]] for (uint c = 0; c < 4; ++c)
                if (column + c < pc.n) matmul_store(first_row + r, column + c, sums[r * QUADS + q][c]);
        }
    }
}
