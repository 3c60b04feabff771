// SPDX-License-Identifier: Apache-2.0
// y = x W^T on cooperative matrices: f16 operands, f32 sums. A subgroup computes ROW_TILES x M rows of one panel, 64
// columns; a workgroup has SUBGROUP_ROWS x PANELS subgroups. Operands go through two buffers in shared memory: the next
// ones travel while the present ones are multiplied.
#version 460
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float, float float16_t float)
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#include "types.glsl"
#define WEIGHT_VIEW uvec4  // eight columns of one input
#include "matmul_io.glsl"

layout(local_size_x_id = 1) in;  // SUBGROUP_ROWS * PANELS subgroups; keep in step with MatmulCoopmatTile
layout(constant_id = 1) const uint INVOCATIONS = 128;
layout(constant_id = 2) const uint M = 16;  // one of the device's shapes; N divides 64
layout(constant_id = 3) const uint N = 16;
layout(constant_id = 4) const uint K = 16;
layout(constant_id = 5) const uint ROW_TILES = 2;
layout(constant_id = 6) const uint SUBGROUP_ROWS = 2;
layout(constant_id = 7) const uint PANELS = 2;
layout(constant_id = 8) const uint TILE_K = 32;  // a multiple of K and of 4
layout(constant_id = 9) const uint X_QUADS = 0;  // 1: k and the stride of x are multiples of 4
layout(constant_id = 10) const uint RECORDS = 0;  // 1: writes records (shared/topk.h)

const uint kSubgroups = SUBGROUP_ROWS * PANELS;
const uint kSubgroupRows = ROW_TILES * M;
const uint kTileRows = SUBGROUP_ROWS * kSubgroupRows;
const uint kColumnTiles = kPanel / N;
const uint kTileQuads = TILE_K / 4;
// In f16vec4; two of padding spread rows over the banks and keep them 16-byte aligned.
const uint kXStride = kTileQuads + 2;
const uint kWStride = PANELS * kPanelQuads + 2;
const uint kXTile = kTileRows * kXStride;
const uint kWTile = TILE_K * kWStride;
const uint kXLoads = (kTileRows * kTileQuads + INVOCATIONS - 1) / INVOCATIONS;
const uint kWLoads = (TILE_K * PANELS * 8 + INVOCATIONS - 1) / INVOCATIONS;
const uint kEndStride = kPanel + 4;  // floats
const uint kOperands = 2 * (kXTile + kWTile), kEnds = kSubgroups * M * kEndStride / 2;

const uint kOctetsAt = kOperands > kEnds ? kOperands : kEnds;  // a multiple of two
const uint kSubgroupOctets = M * 8;

// Four halves, or two floats: the operands, and after them the sums of each subgroup's M rows on their way out. Half as
// much shared memory as in arrays of their own, and twice the subgroups at a time where it is what limits them. Then the
// octets of records. One array for all: loads of matrices want addresses that are multiples of 16 bytes, and where it
// would begin beside another is the driver's choice.
shared uvec2 tiles[kOctetsAt + RECORDS * kSubgroups * kSubgroupOctets + 2];

float end_value(uint i) { return uintBitsToFloat(tiles[i / 2][i % 2]); }
uvec2 half_words(f16vec4 quad) { return uvec2(packFloat2x16(quad.xy), packFloat2x16(quad.zw)); }

f16vec4 half_quad(uvec2 words) { return f16vec4(unpackFloat2x16(words.x), unpackFloat2x16(words.y)); }
f16vec4 half_quad(vec4 values) { return f16vec4(values); }

f16vec4 load_x(uint row, uint k) {
    const uint at = row * pc.x_stride + k;
    if (X_QUADS != 0) return k < pc.k ? half_quad(x_quads[at / 4]) : f16vec4(0.0);
    f16vec4 quad = f16vec4(0.0);
    [[unroll]] for (uint i = 0; i < 4; ++i)
        if (k + i < pc.k) quad[i] = float16_t(x_element(at + i));
    return quad;
}

#if !Y_IS_F16
#include "tile_record.glsl"

// The records of the M rows whose ends the subgroup has in shared memory, from `row` on. An octet of columns per
// invocation.
void write_records(uint row, uint rows, uint panel) {
    const uint ends_at = gl_SubgroupID * M * kEndStride, octets_at = kOctetsAt + gl_SubgroupID * kSubgroupOctets;
    for (uint i = gl_SubgroupInvocationID; i < M * 8; i += gl_SubgroupSize) {
        const uint column = i % 8 * 8;
        float maximum = kNothing;
        uint first = kNoColumn;
        [[unroll]] for (uint c = 0; c < 8; ++c) {
            const float end = end_value(ends_at + i / 8 * kEndStride + column + c);
            const bool ahead = panel * kPanel + column + c < pc.n && end > kDisabled && end > maximum;
            maximum = ahead ? end : maximum;
            first = ahead ? panel * kPanel + column + c : first;
        }
        tiles[octets_at + i] = uvec2(floatBitsToUint(maximum), first);
    }
    subgroupBarrier();
    const uint tile = tile_in_records(panel), tile_count = pc.record_tiles;
    for (uint r = gl_SubgroupInvocationID; r < M; r += gl_SubgroupSize) {
        float maximum = uintBitsToFloat(tiles[octets_at + r * 8].x);
        uint first = tiles[octets_at + r * 8].y;
        [[unroll]] for (uint o = 1; o < 8; ++o) {
            const uvec2 octet = tiles[octets_at + r * 8 + o];
            const bool ahead = uintBitsToFloat(octet.x) > maximum;
            maximum = ahead ? uintBitsToFloat(octet.x) : maximum;
            first = ahead ? octet.y : first;
        }
        tiles[octets_at + r * 8].x = floatBitsToUint(maximum);
        if (row + r >= rows) continue;
        records[record_index(row + r, RECORD_MAXIMUM, tile, tile_count)] = floatBitsToUint(maximum);
        records[record_index(row + r, RECORD_COLUMN, tile, tile_count)] = column_in_records(first);
    }
    subgroupBarrier();
    for (uint i = gl_SubgroupInvocationID; i < M * 8; i += gl_SubgroupSize) {
        const uint column = i % 8 * 8;
        const float maximum = uintBitsToFloat(tiles[octets_at + i / 8 * 8].x);
        float terms[8];
        [[unroll]] for (uint c = 0; c < 8; ++c)
            terms[c] = panel * kPanel + column + c < pc.n
                           ? exponential(end_value(ends_at + i / 8 * kEndStride + column + c), maximum) : 0.0;
        tiles[octets_at + i].y = floatBitsToUint(tree_sum(terms));
    }
    subgroupBarrier();
    for (uint r = gl_SubgroupInvocationID; r < min(M, rows - min(row, rows)); r += gl_SubgroupSize) {
        float sums[8];
        [[unroll]] for (uint o = 0; o < 8; ++o) sums[o] = uintBitsToFloat(tiles[octets_at + r * 8 + o].y);
        records[record_index(row + r, RECORD_SUM, tile, tile_count)] = floatBitsToUint(tree_sum(sums));
    }
}
#endif

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * kTileRows;
    if (first_row >= rows) return;
    const uint local = gl_LocalInvocationIndex;
    const uint first_panel = gl_WorkGroupID.y * PANELS, panels = (pc.n + kPanel - 1) / kPanel;
    const uint own_row = gl_SubgroupID / PANELS * kSubgroupRows, own_panel = gl_SubgroupID % PANELS;

    coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> sums[ROW_TILES][kColumnTiles];
    [[unroll]] for (uint i = 0; i < ROW_TILES; ++i)
        [[unroll]] for (uint j = 0; j < kColumnTiles; ++j)
            sums[i][j] = coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator>(0.0);

    f16vec4 x_next[kXLoads];
    uvec4 w_next[kWLoads];
    for (uint base = 0, now = 1; base < pc.k + TILE_K; base += TILE_K, now ^= 1) {
        // `now` holds the inputs before `base`; those from `base` on travel.
        if (base < pc.k) {
            [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
                const uint e = i * INVOCATIONS + local;
                const uint row = e / kTileQuads;
                const bool inside = row < kTileRows && first_row + row < rows;
                x_next[i] = inside ? load_x(first_row + row, base + e % kTileQuads * 4) : f16vec4(0.0);
            }
            [[unroll]] for (uint i = 0; i < kWLoads; ++i) {
                const uint e = i * INVOCATIONS + local;
                const uint k = base + e / 8 % TILE_K, panel = first_panel + e / 8 / TILE_K;
                const bool inside = e < TILE_K * PANELS * 8 && k < pc.k && panel < panels;
                w_next[i] = inside ? w[(panel * pc.k + k) * 8 + e % 8] : uvec4(0);
            }
        }
        if (base > 0) {
            [[unroll]] for (uint k = 0; k < TILE_K; k += K) {
                coopmat<float16_t, gl_ScopeSubgroup, M, K, gl_MatrixUseA> a[ROW_TILES];
                [[unroll]] for (uint i = 0; i < ROW_TILES; ++i)
                    coopMatLoad(a[i], tiles, now * kXTile + (own_row + i * M) * kXStride + k / 4, kXStride,
                                gl_CooperativeMatrixLayoutRowMajor);
                [[unroll]] for (uint j = 0; j < kColumnTiles; ++j) {
                    coopmat<float16_t, gl_ScopeSubgroup, K, N, gl_MatrixUseB> b;
                    const uint b_at = 2 * kXTile + now * kWTile + k * kWStride;
                    coopMatLoad(b, tiles, b_at + (own_panel * kPanel + j * N) / 4, kWStride,
                                gl_CooperativeMatrixLayoutRowMajor);
                    [[unroll]] for (uint i = 0; i < ROW_TILES; ++i) sums[i][j] = coopMatMulAdd(a[i], b, sums[i][j]);
                }
            }
        }
        if (base < pc.k) {
            const uint later = now ^ 1;
            [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
                const uint e = i * INVOCATIONS + local;
                if (e < kTileRows * kTileQuads)
                    tiles[later * kXTile + e / kTileQuads * kXStride + e % kTileQuads] = half_words(x_next[i]);
            }
            [[unroll]] for (uint i = 0; i < kWLoads; ++i) {
                const uint e = i * INVOCATIONS + local;
                if (e >= TILE_K * PANELS * 8) continue;
                const uint column = e / 8 / TILE_K * kPanelQuads + e % 8 * 2;
                const uint at = 2 * kXTile + later * kWTile + e / 8 % TILE_K * kWStride + column;
                tiles[at] = w_next[i].xy;
                tiles[at + 1] = w_next[i].zw;
            }
            barrier();
        }
    }

    const uint panel = first_panel + own_panel, ends_at = gl_SubgroupID * M * kEndStride;
    barrier();
    if (panel >= panels) return;
    [[unroll]] for (uint i = 0; i < ROW_TILES; ++i) {
        const uint row = first_row + own_row + i * M;
        subgroupBarrier();
        [[unroll]] for (uint j = 0; j < kColumnTiles; ++j)
            coopMatStore(sums[i][j], tiles, (ends_at + j * N) / 2, kEndStride / 2,
                         gl_CooperativeMatrixLayoutRowMajor);
        subgroupBarrier();
        for (uint e = gl_SubgroupInvocationID; e < M * kPanel; e += gl_SubgroupSize) {
            const uint r = row + e / kPanel, column = panel * kPanel + e % kPanel;
            if (r >= rows || column >= pc.n) continue;
            const uint at = ends_at + e / kPanel * kEndStride + e % kPanel;
            const float end = matmul_value(r, column, end_value(at));
            if (RECORDS != 0) tiles[at / 2][at % 2] = floatBitsToUint(end);
            if ((pc.flags & kMatmulNoStore) == 0) y[r * pc.y_stride + column] = Y(end);
        }
#if !Y_IS_F16
        if (RECORDS != 0) {
            subgroupBarrier();
            write_records(row, rows, panel);
        }
#endif
    }
}
