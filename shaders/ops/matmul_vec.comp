// SPDX-License-Identifier: Apache-2.0
// y = x W^T for few rows: one invocation per output column reads each weight once and uses it for ROWS rows. UNROLL
// loads are in flight while the sum itself stays sequential.
#version 460
#pragma variants(T W Y = float float float, float float16_t float)
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float)
#pragma variants(T W Y = float q8 float, float16_t q8 float16_t, float16_t q8 float)
#pragma variants(T W Y = float q4 float, float16_t q4 float16_t, float16_t q4 float)
#extension GL_EXT_control_flow_attributes : require
#include "types.glsl"
#include "panel.glsl"
#define WEIGHT_VIEW PANEL_WORD
#include "matmul_io.glsl"
#ifndef Y_IS_F16
#define Y_IS_F16 T_IS_F16
#endif

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint INVOCATIONS = 64;
layout(constant_id = 2) const uint ROWS = 4;
layout(constant_id = 3) const uint UNROLL = 8;   // a multiple of 4; of weights in blocks 8, 16 or 32
layout(constant_id = 4) const uint X_QUADS = 0;  // 1: the stride of x is a multiple of 4
layout(constant_id = 5) const uint RECORDS = 0;  // 1: writes records (shared/topk.h); 64 invocations then

#if !Y_IS_F16
const uint TEAM = kPanel, COLUMNS = 1;
#include "team_record.glsl"
#endif

const uint kWordsPerInput = kPanel / PANEL_WORD_COLUMNS;

vec4 load_x(uint at) {
    if (X_QUADS != 0) return unpack_quad(x_quads[at / 4]);
    return vec4(x[at], x[at + 1], x[at + 2], x[at + 3]);
}

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * ROWS;
    const uint column = gl_WorkGroupID.y * INVOCATIONS + gl_LocalInvocationIndex;
    if (first_row >= rows || (RECORDS == 0 && column >= pc.n)) return;

    uint x_at[ROWS];
    float sums[ROWS];
    // Rows past the end repeat the last one and are not stored.
    [[unroll]] for (uint r = 0; r < ROWS; ++r) x_at[r] = min(first_row + r, rows - 1) * pc.x_stride;
    [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] = 0.0;

#if W_HAS_BLOCKS
    const uint panel = column / kPanel * panel_rows(pc.k) * kPanel + column % kPanel;
    for (uint k = 0; k < pc.k; k += UNROLL) {
        uint words[UNROLL / kWordInputs];
        const uint numbers = w[panel + numbers_row(k) * kPanel];
        const uint w_at = panel + block_row(k) * kPanel;
        [[unroll]] for (uint i = 0; i < UNROLL / kWordInputs; ++i) words[i] = w[w_at + i * kPanel];
        [[unroll]] for (uint i = 0; i < UNROLL; i += 4) {
            vec4 weights;
            [[unroll]] for (uint j = 0; j < 4; ++j) weights[j] = block_value(words[i / kWordInputs], i + j, numbers);
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                const vec4 v = load_x(x_at[r] + k + i);
                [[unroll]] for (uint j = 0; j < 4; ++j) sums[r] = fma(v[j], weights[j], sums[r]);
            }
        }
    }
#else
    uint w_at = panel_index(column, 0, pc.k) / PANEL_WORD_COLUMNS;
    const uint unrolled = pc.k / UNROLL * UNROLL;
    for (uint k = 0; k < unrolled; k += UNROLL) {
        PANEL_WORD words[UNROLL];
        [[unroll]] for (uint i = 0; i < UNROLL; ++i) words[i] = w[w_at + i * kWordsPerInput];
        w_at += UNROLL * kWordsPerInput;
        [[unroll]] for (uint i = 0; i < UNROLL; i += 4) {
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                const vec4 v = load_x(x_at[r] + k + i);
                [[unroll]] for (uint j = 0; j < 4; ++j)
                    sums[r] = fma(v[j], panel_value(words[i + j], column), sums[r]);
            }
        }
    }
    for (uint k = unrolled; k < pc.k; ++k) {
        const float weight = panel_value(w[w_at], column);
        w_at += kWordsPerInput;
        [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] = fma(float(x[x_at[r] + k]), weight, sums[r]);
    }
#endif

#if !Y_IS_F16
    if (RECORDS != 0) {
        float ends[ROWS][COLUMNS];
        [[unroll]] for (uint r = 0; r < ROWS; ++r)
            ends[r][0] = matmul_value(min(first_row + r, rows - 1), min(column, pc.n - 1), sums[r]);
        write_records(first_row, rows, column, pc.n, ends);
        if (column >= pc.n || (pc.flags & kMatmulNoStore) != 0) return;
    }
#endif
    [[unroll]] for (uint r = 0; r < ROWS; ++r)
        if (first_row + r < rows) matmul_store(first_row + r, column, sums[r]);
}
