// SPDX-License-Identifier: Apache-2.0
// y = round(x) W^T in int8 for CPU devices, as matmul_texel.comp. Weights are multiplied as w + 128, and what 128 makes of
// the inputs is taken away at the end. So LLVM sees that one factor is below 2^15, and shifts show it that the other has 16
// bits: then it takes an instruction for 16-bit integers that also adds, where the processor has one (vpdpwssd). Integers
// may overflow on the way to the sum.
#version 460
#pragma variants(T W Y = float int float, float16_t int float16_t, float16_t int float)
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_KHR_shader_subgroup_shuffle : require
#define Y_PAIRS 11
#include "matmul_texel.glsl"

const uint kTogether = 2;  // words of an output that are added while its sum is in a register
const uint kXLoads = ROWS < LANES ? 1 : ROWS / LANES;  // rows of x per lane
const uint kXWords = ROWS < LANES ? 1 : kTogether;  // quads of each per round
const uint kRoundWords = ROWS < LANES ? LANES / ROWS : kTogether;  // spare lanes load later inputs

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * ROWS;
    if (first_row >= rows) return;
    const uint lane = gl_LocalInvocationIndex;
    const uint octet = gl_WorkGroupID.y % kParts * LANES + lane;
    const uint panel = gl_WorkGroupID.y / kParts;
    const uint words = panel_rows(pc.k);

    uint x_at[kXLoads];
    float scales[kXLoads], x_sums[kXLoads];
    ivec4 totals[ROWS][2];
    // Rows past the end repeat the last one and are not stored.
    [[unroll]] for (uint j = 0; j < kXLoads; ++j) {
        const uint row = min(first_row + j * LANES + lane % ROWS, rows - 1);
        x_at[j] = row * pc.x_stride;
        scales[j] = input_scale(row, panel);
        x_sums[j] = 0.0;
    }
    [[unroll]] for (uint r = 0; r < ROWS; ++r) totals[r] = ivec4[2](ivec4(0), ivec4(0));

    uint w_at = panel * words * kOctets + octet;
    const uint in_rounds = words / kRoundWords * kRoundWords;
    for (uint word = 0; word < in_rounds; word += kRoundWords) {
        ivec4 xs[kXLoads * kXWords];
        [[unroll]] for (uint j = 0; j < kXLoads; ++j)
            [[unroll]] for (uint q = 0; q < kXWords; ++q) {
                const vec4 x = rounded(load_x_quad(x_at[j] / 4 + word + q + lane / ROWS), scales[j]);
                x_sums[j] += (x.x + x.y) + (x.z + x.w);
                xs[j * kXWords + q] = ivec4(x) << 16 >> 16;
            }
        [[unroll]] for (uint i = 0; i < kRoundWords; i += kTogether) {
            ivec4 weights[kTogether * 4][2];
            [[unroll]] for (uint q = 0; q < kTogether; ++q) {
                const uvec4 packed[2] = load_words(w_at + (i + q) * kOctets);
                [[unroll]] for (uint c = 0; c < 2; ++c) {
                    const uvec4 words = packed[c] ^ 0x80808080;
                    weights[q * 4][c] = ivec4(words & 0xff);
                    weights[q * 4 + 1][c] = ivec4(words >> 8 & 0xff);
                    weights[q * 4 + 2][c] = ivec4(words >> 16 & 0xff);
                    weights[q * 4 + 3][c] = ivec4(words >> 24);
                }
            }
            // Row by row, as in matmul_texel.comp.
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                [[unroll]] for (uint b = 0; b < kTogether * 4; ++b) {
                    const uint from = r / LANES * kXWords + (kXWords > 1 ? b / 4 : 0);
                    const uint of = kXWords > 1 ? r % LANES : (i + b / 4) * ROWS + r % LANES;
                    const int v = subgroupShuffle(xs[from][b % 4], of);
                    totals[r][0] += v * weights[b][0];
                    totals[r][1] += v * weights[b][1];
                }
            }
        }
        w_at += kRoundWords * kOctets;
    }
    // Lanes that load for the same row.
    [[unroll]] for (uint apart = ROWS; apart < LANES; apart *= 2) x_sums[0] += subgroupShuffleXor(x_sums[0], apart);
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const int extra = 128 * int(subgroupShuffle(x_sums[r / LANES], r % LANES));
        totals[r][0] -= extra;
        totals[r][1] -= extra;
    }
    for (uint word = in_rounds; kRoundWords > 1 && word < words; ++word) {
        vec4 xs[kXLoads];
        [[unroll]] for (uint j = 0; j < kXLoads; ++j) xs[j] = rounded(load_x_quad(x_at[j] / 4 + word), scales[j]);
        const uvec4 packed[2] = load_words(w_at);
        [[unroll]] for (uint b = 0; b < 4; ++b) {
            const ivec4 w0 = ivec4(packed[0]) << (24 - 8 * b) >> 24, w1 = ivec4(packed[1]) << (24 - 8 * b) >> 24;
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                const int v = int(subgroupShuffle(xs[r / LANES][b], r % LANES));
                totals[r][0] += v * w0;
                totals[r][1] += v * w1;
            }
        }
        w_at += kOctets;
    }

    // The same as in matmul_texel.comp.
    const uint live = min(ROWS, rows - first_row);
    const uint column = panel * kPanel + octet * 8;
    const Column columns[8] = load_columns(column);
#define SUMS_OF_ROW(r, row_sums)                                                                       \
    float row_sums[8];                                                                                 \
    const float range = row_range(first_row + (r));                                                    \
    [[unroll]] for (uint c = 0; c < 8; ++c) {                                                          \
        int total = totals[0][c / 4][c % 4];                                                           \
        [[unroll]] for (uint i = 1; i < ROWS; ++i) total = (r) == i ? totals[i][c / 4][c % 4] : total; \
        row_sums[c] = column_sum(columns[c], total, range);                                            \
    }
#if !Y_IS_F16
    if (stores_octets(column)) {
        [[dont_unroll]] for (uint r = 0; r < live; ++r) {
            SUMS_OF_ROW(r, row_sums);
            end_octet(first_row + r, out_column(column), row_sums);
        }
        return;
    }
#endif
    [[dont_unroll]] for (uint r = 0; r < live; ++r) {
        SUMS_OF_ROW(r, row_sums);
        end_columns(first_row + r, column, row_sums);
    }
}
