// SPDX-License-Identifier: Apache-2.0
// y = x W^T for CPU devices, where a load costs as much as many products (matmul_texel.glsl).
#version 460
#pragma variants(T W Y = float float float, float float16_t float)
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float)
#pragma variants(T W Y = float q8 float, float16_t q8 float16_t, float16_t q8 float)
#pragma variants(T W Y = float q4 float, float16_t q4 float16_t, float16_t q4 float)
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#define Y_PAIRS 8
#define RELU_IS_A_FLAG
#include "matmul_texel.glsl"

#if !Y_IS_F16
#define RECORD_IN_SUBGROUP
#define RECORD_ROWS 1
const uint TEAM = kOctets, COLUMNS = 8;
#include "matmul_record.glsl"
#endif

// Inputs per turn of the loop, so that every lane loads some, and sums stay in registers for a while.
#if W_HAS_BLOCKS
const uint kRound = ROWS < LANES ? 4 * LANES / ROWS : 4;  // unpacking takes the registers
#else
const uint kRound = ROWS < LANES ? 4 * LANES / ROWS : 8;
#endif
const uint kXQuads = ROWS * kRound / 4 / LANES;  // quads of x per lane and round; quad q is of row q % ROWS

vec4[2] load_octet(uint octet) {
#if W_IS_F16
    const uvec4 words = texelFetch(w_texels, int(octet));
    return vec4[2](unpack_quad(words.xy), unpack_quad(words.zw));
#else
    const uvec4 words[2] = load_words(octet);
    return vec4[2](uintBitsToFloat(words[0]), uintBitsToFloat(words[1]));
#endif
}

// Input i of a round of row r, for all lanes.
#define X_AT(r, i) subgroupShuffle(xs[((i) / 4 * ROWS + (r)) / LANES][(i) % 4], ((i) / 4 * ROWS + (r)) % LANES)
// Row by row: the sums of one fit into registers for the whole round, those of all do not.
#define ADD_PRODUCTS(INPUTS)                                \
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {            \
        [[unroll]] for (uint i = 0; i < (INPUTS); ++i) {    \
            const vec4 v = vec4(X_AT(r, i));                \
            sums[r][0] = fma(v, weights[i][0], sums[r][0]); \
            sums[r][1] = fma(v, weights[i][1], sums[r][1]); \
        }                                                   \
    }

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * ROWS;
    if (first_row >= rows) return;
    const uint lane = gl_LocalInvocationIndex;
    const uint octet = gl_WorkGroupID.y % kParts * LANES + lane;
    const uint panel = gl_WorkGroupID.y / kParts;

    uint x_at[kXQuads];
    vec4 sums[ROWS][2];
    // Rows past the end repeat the last one and are not stored.
    [[unroll]] for (uint j = 0; j < kXQuads; ++j)
        x_at[j] = min(first_row + (j * LANES + lane) % ROWS, rows - 1) * pc.x_stride + (j * LANES + lane) / ROWS * 4;
    [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] = vec4[2](vec4(0.0), vec4(0.0));

    vec4 xs[kXQuads];
    uint w_at = panel * panel_rows(pc.k) * kOctets + octet;
#if W_HAS_BLOCKS
    for (uint base = 0; base < pc.k; base += kBlockInputs) {
        const uvec4 numbers[2] = load_words(w_at + kNumbersRow * kOctets);
        for (uint k = 0; k < kBlockInputs; k += kRound) {
            [[unroll]] for (uint j = 0; j < kXQuads; ++j) xs[j] = load_x_quad((x_at[j] + base + k) / 4);
            vec4 weights[kRound][2];
            [[unroll]] for (uint i = 0; i < kRound; i += 4) {
                const uvec4 words[2] = load_words(w_at + block_row(k + i) * kOctets);
                // Inner loops are unrolled first, so their bounds must not depend on what an outer one counts.
                [[unroll]] for (uint n = 0; n < 4; ++n) {
                    [[unroll]] for (uint c = 0; c < 8; ++c)
                        weights[i + n][c / 4][c % 4] = block_value(words[c / 4][c % 4], k + i + n,
                                                                   numbers[c / 4][c % 4]);
                }
            }
            ADD_PRODUCTS(kRound);
        }
        w_at += kBlockRows * kOctets;
    }
#else
    uint k = 0;
    vec4 weights[kRound][2];
    for (; k + kRound <= pc.k; k += kRound) {
        [[unroll]] for (uint j = 0; j < kXQuads; ++j) xs[j] = load_x_quad((x_at[j] + k) / 4);
        [[unroll]] for (uint i = 0; i < kRound; ++i) weights[i] = load_octet(w_at + i * kOctets);
        ADD_PRODUCTS(kRound);
        w_at += kRound * kOctets;
    }
    // The rest of k: all lanes load the beginnings of rows.
    [[unroll]] for (uint j = 0; j < kXQuads; ++j) x_at[j] -= (j * LANES + lane) / ROWS * 4;
    for (; kRound > 4 && k < pc.k; k += 4) {
        [[unroll]] for (uint j = 0; j < kXQuads; ++j) xs[j] = load_x_quad((x_at[j] + k) / 4);
        [[unroll]] for (uint i = 0; i < 4; ++i) weights[i] = load_octet(w_at + i * kOctets);
        ADD_PRODUCTS(4);
        w_at += 4 * kOctets;
    }
#endif

    // Loops stay loops and rows are selected: unrolled, or with sums in an array that has a variable index, what comes
    // here takes most of the time to compile the kernel.
    const uint live = min(ROWS, rows - first_row);
    const uint column = panel * kPanel + octet * 8;
    relu = (pc.flags & kMatmulRelu) != 0;
    const Column columns[8] = load_columns(column);
#define SUMS_OF_ROW(r, row_sums)                                                                 \
    float row_sums[8];                                                                           \
    [[unroll]] for (uint c = 0; c < 8; ++c) {                                                    \
        float sum = sums[0][c / 4][c % 4];                                                       \
        [[unroll]] for (uint i = 1; i < ROWS; ++i) sum = (r) == i ? sums[i][c / 4][c % 4] : sum; \
        row_sums[c] = column_sum(columns[c], sum, 1.0);                                          \
    }
#if !Y_IS_F16
    if ((FLAGS & kMatmulRecords) != 0) {
        const bool octets = stores_octets(panel * kPanel + kPanel - 8);
        [[dont_unroll]] for (uint r = 0; r < live; ++r) {
            SUMS_OF_ROW(r, row_sums);
            float ends[1][8];
            [[unroll]] for (uint c = 0; c < 8; ++c) ends[0][c] = matmul_end(row_sums[c], 1.0, 0.0);
            write_records(first_row + r, rows, column, pc.n, ends);
            if ((FLAGS & kMatmulNoStore) != 0) continue;
            if (octets) store_octet(first_row + r, column, ends[0]);
            else store_columns(first_row + r, column, ends[0]);
        }
        return;
    }
    if (stores_octets(column)) {
        [[dont_unroll]] for (uint r = 0; r < live; ++r) {
            SUMS_OF_ROW(r, row_sums);
            end_octet(first_row + r, column, row_sums);
        }
        return;
    }
#endif
    [[dont_unroll]] for (uint r = 0; r < live; ++r) {
        SUMS_OF_ROW(r, row_sums);
        end_columns(first_row + r, column, row_sums);
    }
}
