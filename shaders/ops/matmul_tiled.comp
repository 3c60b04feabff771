// SPDX-License-Identifier: Apache-2.0
// y = x W^T for GPUs: tiles of x and W in shared memory, TILE_ROWS x 64 outputs per workgroup and ROWS x 4 per
// invocation. The next tiles travel to registers while the present ones are multiplied.
#version 460
#pragma variants(T W Y = float float float, float float16_t float)
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float)
#pragma variants(T W Y = float q8 float, float16_t q8 float16_t, float16_t q8 float)
#pragma variants(T W Y = float q4 float, float16_t q4 float16_t, float16_t q4 float)
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "matmul_io.glsl"
#ifndef Y_IS_F16
#define Y_IS_F16 T_IS_F16
#endif

layout(local_size_x_id = 1) in;  // TILE_ROWS / ROWS * 16; keep in step with MatmulTiledTile
layout(constant_id = 1) const uint INVOCATIONS = 128;
layout(constant_id = 2) const uint TILE_ROWS = 64;
layout(constant_id = 3) const uint TILE_K = 32;
layout(constant_id = 4) const uint ROWS = 8;
layout(constant_id = 5) const uint X_QUADS = 0;  // 1: k and the stride of x are multiples of 4
layout(constant_id = 6) const uint RECORDS = 0;  // 1: writes records (shared/topk.h)

const uint kTileQuads = TILE_K / 4;
const uint kXStride = kTileQuads + 1;  // one quad of padding spreads the rows over the banks
const uint kXLoads = TILE_ROWS * kTileQuads / INVOCATIONS;
const uint kWLoads = TILE_K * kPanelQuads / INVOCATIONS;

#if W_HAS_BLOCKS
// A group is four columns of four inputs: a word of each, unpacked on its way into the tile.
const uint kGroups = TILE_K / 4 * kPanelQuads;
const uint kWGroups = (kGroups + INVOCATIONS - 1) / INVOCATIONS;
#endif

shared vec4 x_tile[TILE_ROWS * kXStride];
shared vec4 w_tile[TILE_K * kPanelQuads];

#if !Y_IS_F16
const uint TEAM = kPanelQuads, COLUMNS = 4;
#include "team_record.glsl"
#endif

vec4 load_x(uint row, uint k) {
    const uint at = row * pc.x_stride + k;
    if (X_QUADS != 0) return k < pc.k ? unpack_quad(x_quads[at / 4]) : vec4(0.0);
    vec4 quad = vec4(0.0);
    [[unroll]] for (uint i = 0; i < 4; ++i)
        if (k + i < pc.k) quad[i] = float(x[at + i]);
    return quad;
}

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * TILE_ROWS;
    if (first_row >= rows) return;
    const uint local = gl_LocalInvocationIndex;
    const uint quad = local % kPanelQuads;
    const uint own_row = local / kPanelQuads * ROWS;
#if W_HAS_BLOCKS
    const uint panel = gl_WorkGroupID.y * panel_rows(pc.k) * kPanelQuads;
#else
    const uint panel = gl_WorkGroupID.y * pc.k * kPanelQuads;
#endif

    vec4 sums[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] = vec4(0.0);

    vec4 x_next[kXLoads];
#if W_HAS_BLOCKS
    uvec4 w_next[kWGroups], numbers_next[kWGroups];
#else
    vec4 w_next[kWLoads];
#endif
    for (uint base = 0; base < pc.k + TILE_K; base += TILE_K) {
        if (base > 0) {
            barrier();
            [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
                const uint e = i * INVOCATIONS + local;
                x_tile[e / kTileQuads * kXStride + e % kTileQuads] = x_next[i];
            }
#if W_HAS_BLOCKS
            [[unroll]] for (uint g = 0; g < kWGroups; ++g) {
                const uint e = g * INVOCATIONS + local;
                if (e >= kGroups) break;
                [[unroll]] for (uint i = 0; i < 4; ++i) {
                    vec4 weights;
                    [[unroll]] for (uint c = 0; c < 4; ++c)
                        weights[c] = block_value(w_next[g][c], e / kPanelQuads * 4 + i, numbers_next[g][c]);
                    w_tile[(e / kPanelQuads * 4 + i) * kPanelQuads + e % kPanelQuads] = weights;
                }
            }
#else
            [[unroll]] for (uint i = 0; i < kWLoads; ++i) w_tile[i * INVOCATIONS + local] = w_next[i];
#endif
            barrier();
        }
        [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
            const uint e = i * INVOCATIONS + local;
            const uint row = first_row + e / kTileQuads;
            x_next[i] = row < rows ? load_x(row, base + e % kTileQuads * 4) : vec4(0.0);
        }
#if W_HAS_BLOCKS
        [[unroll]] for (uint g = 0; g < kWGroups; ++g) {
            const uint e = g * INVOCATIONS + local, k = base + e / kPanelQuads * 4;
            const bool inside = e < kGroups && k < pc.k;
            w_next[g] = inside ? w[panel + block_row(k) * kPanelQuads + e % kPanelQuads] : uvec4(0);
            numbers_next[g] = inside ? w[panel + numbers_row(k) * kPanelQuads + e % kPanelQuads] : uvec4(0);
        }
#else
        [[unroll]] for (uint i = 0; i < kWLoads; ++i) {
            const uint e = i * INVOCATIONS + local;
            const bool inside = base + e / kPanelQuads < pc.k;
            w_next[i] = inside ? unpack_quad(w[panel + base * kPanelQuads + e]) : vec4(0.0);
        }
#endif
        if (base == 0) continue;
        [[unroll]] for (uint k4 = 0; k4 < kTileQuads; ++k4) {
            const vec4 w0 = w_tile[(k4 * 4 + 0) * kPanelQuads + quad];
            const vec4 w1 = w_tile[(k4 * 4 + 1) * kPanelQuads + quad];
            const vec4 w2 = w_tile[(k4 * 4 + 2) * kPanelQuads + quad];
            const vec4 w3 = w_tile[(k4 * 4 + 3) * kPanelQuads + quad];
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                const vec4 v = x_tile[(own_row + r) * kXStride + k4];
                sums[r] = fma(vec4(v.x), w0, sums[r]);
                sums[r] = fma(vec4(v.y), w1, sums[r]);
                sums[r] = fma(vec4(v.z), w2, sums[r]);
                sums[r] = fma(vec4(v.w), w3, sums[r]);
            }
        }
    }

    const uint column = gl_WorkGroupID.y * kPanel + quad * 4;
#if !Y_IS_F16
    if (RECORDS != 0) {
        float ends[ROWS][COLUMNS];
        [[unroll]] for (uint r = 0; r < ROWS; ++r)
            [[unroll]] for (uint c = 0; c < COLUMNS; ++c)
                ends[r][c] = matmul_value(min(first_row + own_row + r, rows - 1), min(column + c, pc.n - 1), sums[r][c]);
        write_records(first_row + own_row, rows, column, pc.n, ends);
        if ((pc.flags & kMatmulNoStore) != 0) return;
    }
#endif
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint row = first_row + own_row + r;
        if (row >= rows) return;
        [[unroll]] for (uint c = 0; c < 4; ++c)
            if (column + c < pc.n) matmul_store(row, column + c, sums[r][c]);
    }
}
