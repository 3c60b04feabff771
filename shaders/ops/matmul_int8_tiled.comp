// SPDX-License-Identifier: Apache-2.0
// y = round(x) W^T in int8 for GPUs, as matmul_tiled.comp: tiles of packed words in shared memory, TILE_ROWS x 64
// outputs per workgroup and ROWS x 4 per invocation.
#version 460
#pragma variants(T Y D = float float int, float16_t float16_t int, float16_t float int)
#pragma variants(T Y D = float float int8_t, float16_t float16_t int8_t, float16_t float int8_t)
#extension GL_EXT_control_flow_attributes : require
#if D_IS_I8
#extension GL_EXT_integer_dot_product : require
#endif
#include "types.glsl"
#define WEIGHT_VIEW uvec4
#include "matmul_int8_io.glsl"

layout(local_size_x_id = 1) in;  // TILE_ROWS / ROWS * 16; keep in step with MatmulInt8TiledTile
layout(constant_id = 1) const uint INVOCATIONS = 128;
layout(constant_id = 2) const uint TILE_ROWS = 64;
layout(constant_id = 3) const uint TILE_WORDS = 16;  // inputs / 4
layout(constant_id = 4) const uint ROWS = 8;
layout(constant_id = 5) const uint X_QUADS = 0;  // 1: k and the stride of x are multiples of 4

const uint kPanelQuads = kPanel / 4;
const uint kXStride = TILE_WORDS + 1;  // one word of padding spreads the rows over the banks
const uint kXLoads = TILE_ROWS * TILE_WORDS / INVOCATIONS;
const uint kWLoads = TILE_WORDS * kPanelQuads / INVOCATIONS;

shared uint x_tile[TILE_ROWS * kXStride];
shared uvec4 w_tile[TILE_WORDS * kPanelQuads];

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * TILE_ROWS;
    if (first_row >= rows) return;
    const uint local = gl_LocalInvocationIndex;
    const uint quad = local % kPanelQuads;
    const uint own_row = local / kPanelQuads * ROWS;
    const uint words = (pc.k + 3) / 4;
    const uint panel = gl_WorkGroupID.y * words * kPanelQuads;

    ivec4 sums[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] = ivec4(0);
    float scales[kXLoads];
    [[unroll]] for (uint i = 0; i < kXLoads; ++i)
        scales[i] = input_scale(min(first_row + (i * INVOCATIONS + local) / TILE_WORDS, rows - 1), gl_WorkGroupID.y);

    uint x_next[kXLoads];
    uvec4 w_next[kWLoads];
    for (uint base = 0; base < words + TILE_WORDS; base += TILE_WORDS) {
        if (base > 0) {
            barrier();
            [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
                const uint e = i * INVOCATIONS + local;
                x_tile[e / TILE_WORDS * kXStride + e % TILE_WORDS] = x_next[i];
            }
            [[unroll]] for (uint i = 0; i < kWLoads; ++i) w_tile[i * INVOCATIONS + local] = w_next[i];
            barrier();
        }
        [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
            const uint e = i * INVOCATIONS + local;
            const uint row = first_row + e / TILE_WORDS, word = base + e % TILE_WORDS;
            const bool inside = row < rows && word < words;
            x_next[i] = inside ? pack_int8(load_x(row * pc.x_stride, word * 4, scales[i], X_QUADS != 0)) : 0;
        }
        [[unroll]] for (uint i = 0; i < kWLoads; ++i) {
            const uint e = i * INVOCATIONS + local;
            w_next[i] = base + e / kPanelQuads < words ? w[panel + base * kPanelQuads + e] : uvec4(0);
        }
        if (base == 0) continue;
        [[unroll]] for (uint word = 0; word < TILE_WORDS; ++word) {
            const uvec4 weights = w_tile[word * kPanelQuads + quad];
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                const uint v = x_tile[(own_row + r) * kXStride + word];
                [[unroll]] for (uint c = 0; c < 4; ++c) sums[r][c] += dot4(v, weights[c]);
            }
        }
    }

    const uint column = gl_WorkGroupID.y * kPanel + quad * 4;
    Column columns[4];
    [[unroll]] for (uint c = 0; c < 4; ++c) columns[c] = load_column(min(column + c, pc.n - 1));
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint row = first_row + own_row + r;
        if (row >= rows) return;
        [[unroll]] for (uint c = 0; c < 4; ++c)
            if (column + c < pc.n) matmul_store(row, column + c, columns[c], sums[r][c]);
    }
}
