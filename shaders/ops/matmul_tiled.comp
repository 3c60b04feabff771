// SPDX-License-Identifier: Apache-2.0
// y = x W^T for GPUs: tiles of x and W in shared memory, TILE_ROWS x 64 outputs per workgroup and ROWS x 4 per
// invocation. The next tiles travel to registers while the present ones are multiplied. With int8 weights x is rounded
// on its way into the tile, four inputs to a word.
#version 460
#pragma variants(T W Y = float float float, float float16_t float)
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float)
#pragma variants(T W Y = float q8 float, float16_t q8 float16_t, float16_t q8 float)
#pragma variants(T W Y = float q4 float, float16_t q4 float16_t, float16_t q4 float)
#pragma variants(T W Y = float int float, float16_t int float16_t, float16_t int float)
#pragma variants(T W Y = float int8_t float, float16_t int8_t float16_t, float16_t int8_t float)
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#if W_IS_I8
#extension GL_EXT_integer_dot_product : require
#endif
#define MATMUL_INTEGERS
#include "matmul_io.glsl"

layout(local_size_x_id = 1) in;  // TILE_ROWS / ROWS * 16; keep in step with MatmulTiledTile
layout(constant_id = 1) const uint INVOCATIONS = 128;
layout(constant_id = 2) const uint TILE_ROWS = 64;
layout(constant_id = 3) const uint TILE_K = 32;
layout(constant_id = 4) const uint ROWS = 8;
layout(constant_id = 5) const uint X_QUADS = 0;  // 1: k and the stride of x are multiples of 4
layout(constant_id = 6) const uint RECORDS = 0;  // 1: writes records (shared/topk.h)

// Four inputs of a row, and four columns of a row of the panel.
#if W_IS_INTEGER
#define X_ITEM uint
#define W_ITEM uvec4
#define SUMS ivec4
const uint kTileInputs = 4;  // in a row of the tile of W
#else
#define X_ITEM vec4
#define W_ITEM vec4
#define SUMS vec4
const uint kTileInputs = 1;
#endif
const uint kTileQuads = TILE_K / 4;
const uint kXStride = kTileQuads + 1;  // one of padding spreads the rows over the banks
const uint kXItems = TILE_ROWS * kTileQuads;
const uint kXLoads = (kXItems + INVOCATIONS - 1) / INVOCATIONS;
// The part of W that an invocation loads at once: with weights in blocks, four inputs, unpacked on their way into the
// tile.
#if W_HAS_BLOCKS
const uint kWItems = TILE_K / 4 * kPanelQuads;
#else
const uint kWItems = TILE_K / kTileInputs * kPanelQuads;
#endif
const uint kWLoads = (kWItems + INVOCATIONS - 1) / INVOCATIONS;

shared X_ITEM x_tile[TILE_ROWS * kXStride];
shared W_ITEM w_tile[TILE_K / kTileInputs * kPanelQuads];

#if !Y_IS_F16 && !W_IS_INTEGER
#define RECORD_ROWS ROWS
const uint TEAM = kPanelQuads, COLUMNS = 4;
#include "matmul_record.glsl"
#endif

vec4 load_x(uint row, uint k) {
    const uint at = row * pc.x_stride + k;
    if (X_QUADS != 0) return k < pc.k ? x_quad(at, true) : vec4(0.0);
    vec4 quad = vec4(0.0);
    [[unroll]] for (uint i = 0; i < 4; ++i)
        if (k + i < pc.k) quad[i] = x_element(at + i);
    return quad;
}

struct WLoad {
#if W_HAS_BLOCKS
    uvec4 words, numbers;
#else
    W_ITEM item;
#endif
};

WLoad load_w(uint panel, uint base, uint e) {
#if W_HAS_BLOCKS
    const uint k = base + e / kPanelQuads * 4;
    if (k >= pc.k) return WLoad(uvec4(0), uvec4(0));
    return WLoad(w[panel + block_row(k) * kPanelQuads + e % kPanelQuads],
                 w[panel + numbers_row(k) * kPanelQuads + e % kPanelQuads]);
#elif W_IS_INTEGER
    return WLoad(base / 4 + e / kPanelQuads < panel_rows(pc.k) ? w[panel + base / 4 * kPanelQuads + e] : uvec4(0));
#else
    return WLoad(base + e / kPanelQuads < pc.k ? unpack_quad(w[panel + base * kPanelQuads + e]) : vec4(0.0));
#endif
}

void keep_w(WLoad load, uint e) {
#if W_HAS_BLOCKS
    const uint k = e / kPanelQuads * 4;
    [[unroll]] for (uint i = 0; i < 4; ++i) {
        vec4 weights;
        [[unroll]] for (uint c = 0; c < 4; ++c) weights[c] = block_value(load.words[c], k + i, load.numbers[c]);
        w_tile[(k + i) * kPanelQuads + e % kPanelQuads] = weights;
    }
#else
    w_tile[e] = load.item;
#endif
}

void add_products(inout SUMS sums[ROWS], uint own_row, uint quad) {
    [[unroll]] for (uint k4 = 0; k4 < kTileQuads; ++k4) {
#if W_IS_INTEGER
        const uvec4 weights = w_tile[k4 * kPanelQuads + quad];
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            const uint v = x_tile[(own_row + r) * kXStride + k4];
            [[unroll]] for (uint c = 0; c < 4; ++c) sums[r][c] += dot4(v, weights[c]);
        }
#else
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
#endif
    }
}

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * TILE_ROWS;
    if (first_row >= rows) return;
    const uint local = gl_LocalInvocationIndex;
    const uint quad = local % kPanelQuads;
    const uint own_row = local / kPanelQuads * ROWS;
    const uint panel = gl_WorkGroupID.y * panel_rows(pc.k) * kPanelQuads;

    SUMS sums[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] = SUMS(0);
#if W_IS_INTEGER
    float scales[kXLoads];
    [[unroll]] for (uint i = 0; i < kXLoads; ++i)
        scales[i] = input_scale(min(first_row + (i * INVOCATIONS + local) / kTileQuads, rows - 1), gl_WorkGroupID.y);
#endif

    X_ITEM x_next[kXLoads];
    WLoad w_next[kWLoads];
    for (uint base = 0; base < pc.k + TILE_K; base += TILE_K) {
        if (base > 0) {
            barrier();
            [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
                const uint e = i * INVOCATIONS + local;
                if (e < kXItems) x_tile[e / kTileQuads * kXStride + e % kTileQuads] = x_next[i];
            }
            [[unroll]] for (uint i = 0; i < kWLoads; ++i)
                if (i * INVOCATIONS + local < kWItems) keep_w(w_next[i], i * INVOCATIONS + local);
            barrier();
        }
        [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
            const uint e = i * INVOCATIONS + local, row = first_row + e / kTileQuads;
            const vec4 values = e < kXItems && row < rows ? load_x(row, base + e % kTileQuads * 4) : vec4(0.0);
#if W_IS_INTEGER
            x_next[i] = pack_int8(rounded(values, scales[i]));
#else
            x_next[i] = values;
#endif
        }
        [[unroll]] for (uint i = 0; i < kWLoads; ++i)
            if (i * INVOCATIONS + local < kWItems) w_next[i] = load_w(panel, base, i * INVOCATIONS + local);
        if (base > 0) add_products(sums, own_row, quad);
    }

    const uint column = gl_WorkGroupID.y * kPanel + quad * 4;
    Column columns[4];
    [[unroll]] for (uint c = 0; c < 4; ++c) columns[c] = load_column(min(column + c, pc.n - 1));
    float ends[ROWS][4];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint row = min(first_row + own_row + r, rows - 1);
        const float range = row_range(row);
        [[unroll]] for (uint c = 0; c < 4; ++c)
            ends[r][c] = matmul_end(row, min(column + c, pc.n - 1), column_sum(columns[c], sums[r][c], range));
    }
#if !Y_IS_F16 && !W_IS_INTEGER
    if (RECORDS != 0) write_records(first_row + own_row, rows, column, pc.n, ends);
    if ((pc.flags & kMatmulNoStore) != 0) return;
#endif
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint row = first_row + own_row + r;
        if (row >= rows) return;
        [[unroll]] for (uint c = 0; c < 4; ++c)
            if (column + c < pc.n) y[row * pc.y_stride + out_column(column + c)] = Y(ends[r][c]);
    }
}
