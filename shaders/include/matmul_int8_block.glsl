// SPDX-License-Identifier: Apache-2.0
// y = round(x) W^T in int8 for CPU devices, as matmul_block.glsl. The products are done in floats, where these devices
// are fastest: whole numbers up to 2^24 are exact, so sums go over to integers every kExact inputs.
#ifndef MATMUL_TEXELS  // x and W are texel buffers
#define MATMUL_TEXELS 0
#endif
#extension GL_EXT_control_flow_attributes : require
#if MATMUL_TEXELS
#extension GL_EXT_samplerless_texture_functions : require
#endif
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "types.glsl"
#if T_IS_F16
#define X_QUAD uint64_t
#else
#define X_QUAD u64vec2
#endif
#ifndef Y_IS_F16
#define Y_IS_F16 T_IS_F16
#endif
#define WEIGHT_VIEW u64vec4
#define D_IS_I8 0
vec4 unpack_x(u64vec2 quad) { return vec4(uintBitsToFloat(unpack32(quad.x)), uintBitsToFloat(unpack32(quad.y))); }
vec4 unpack_x(uint64_t quad) {
    const uvec2 halves = unpack32(quad);
    return vec4(unpackHalf2x16(halves.x), unpackHalf2x16(halves.y));
}
// CPU devices run what a branch leaves out, so what is not there must be known to the compiler.
layout(constant_id = 3) const uint FLAGS = 0;
#define MATMUL_FLAGS FLAGS
#include "matmul_int8_io.glsl"

#if !Y_IS_F16
layout(binding = 5) readonly buffer GatePairs { uint64_t gate_pairs[]; };
layout(binding = 6) readonly buffer ResidualPairs { uint64_t residual_pairs[]; };
layout(binding = 9) writeonly buffer OutPairs { uint64_t y_pairs[]; };
#include "store_octet.glsl"
#endif

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint LANES = 8;
layout(constant_id = 2) const uint ROWS = 8;

const uint kOctets = kPanel / 8;                              // of one word in a panel
const uint kParts = kOctets / LANES;                          // workgroups per panel
const uint kXLoads = ROWS < LANES ? 1 : ROWS / LANES;         // quads of x per lane and round
const uint kRoundWords = ROWS < LANES ? LANES / ROWS : 1;     // spare lanes load later inputs
const uint kExactWords = 1024 / 4 / kRoundWords * kRoundWords;  // 1024 * 127 * 128 < 2^24

#if MATMUL_TEXELS
ivec4[2] load_octet(uint octet) {
    return ivec4[2](ivec4(texelFetch(w_texels, int(octet * 2))), ivec4(texelFetch(w_texels, int(octet * 2 + 1))));
}
vec4 load_x_quad(uint quad) { return fetch_quad(quad); }
#else
ivec4[2] load_octet(uint octet) {
    const u64vec4 words = w[octet];
    return ivec4[2](ivec4(unpack32(words.x), unpack32(words.y)), ivec4(unpack32(words.z), unpack32(words.w)));
}
vec4 load_x_quad(uint quad) { return unpack_x(x_quads[quad]); }
#endif

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * ROWS;
    if (first_row >= rows) return;
    const uint lane = gl_LocalInvocationIndex;
    const uint octet = gl_WorkGroupID.y % kParts * LANES + lane;
    const uint panel = gl_WorkGroupID.y / kParts;
    const uint words = (pc.k + 3) / 4;
    const bool quads = MATMUL_TEXELS != 0 || (pc.k % 4 == 0 && pc.x_stride % 4 == 0);

    uint x_at[kXLoads];
    float scales[kXLoads];
    ivec4 totals[ROWS][2];
    // Rows past the end repeat the last one and are not stored.
    [[unroll]] for (uint j = 0; j < kXLoads; ++j) {
        const uint row = min(first_row + j * LANES + lane % ROWS, rows - 1);
        x_at[j] = row * pc.x_stride;
        scales[j] = input_scale(row, panel);
    }
    [[unroll]] for (uint r = 0; r < ROWS; ++r) totals[r] = ivec4[2](ivec4(0), ivec4(0));

    uint w_at = panel * words * kOctets + octet;
    const uint in_rounds = quads ? words / kRoundWords * kRoundWords : 0;
    for (uint begin = 0; begin < in_rounds; begin += kExactWords) {
        const uint end = min(begin + kExactWords, in_rounds);
        vec4 sums[ROWS][2];
        [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] = vec4[2](vec4(0.0), vec4(0.0));
        for (uint word = begin; word < end; word += kRoundWords) {
            vec4 xs[kXLoads];
            [[unroll]] for (uint j = 0; j < kXLoads; ++j)
                xs[j] = rounded(load_x_quad(x_at[j] / 4 + word + lane / ROWS), scales[j]);
            [[unroll]] for (uint i = 0; i < kRoundWords; ++i) {
                const ivec4 packed[2] = load_octet(w_at + i * kOctets);
                vec4 weights[4][2];
                [[unroll]] for (uint b = 0; b < 4; ++b)
                    weights[b] = vec4[2](unpack_int8(packed[0], b), unpack_int8(packed[1], b));
                // Row by row, as in matmul_block.glsl.
                [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                    [[unroll]] for (uint b = 0; b < 4; ++b) {
                        const vec4 v = vec4(subgroupShuffle(xs[r / LANES][b], i * ROWS + r % LANES));
                        sums[r][0] = fma(v, weights[b][0], sums[r][0]);
                        sums[r][1] = fma(v, weights[b][1], sums[r][1]);
                    }
                }
            }
            w_at += kRoundWords * kOctets;
        }
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            totals[r][0] += ivec4(sums[r][0]);
            totals[r][1] += ivec4(sums[r][1]);
        }
    }
    for (uint word = in_rounds; (MATMUL_TEXELS == 0 || kRoundWords > 1) && word < words; ++word) {
        vec4 xs[kXLoads];
        [[unroll]] for (uint j = 0; j < kXLoads; ++j) xs[j] = load_x(x_at[j], word * 4, scales[j], MATMUL_TEXELS != 0);
        const ivec4 packed[2] = load_octet(w_at);
        [[unroll]] for (uint b = 0; b < 4; ++b) {
            const ivec4 w0 = packed[0] << (24 - 8 * b) >> 24, w1 = packed[1] << (24 - 8 * b) >> 24;
            [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                const int v = int(subgroupShuffle(xs[r / LANES][b], r % LANES));
                totals[r][0] += v * w0;
                totals[r][1] += v * w1;
            }
        }
        w_at += kOctets;
    }

    // A loop that stays one, as in matmul_block.glsl.
    const uint live = min(ROWS, rows - first_row);
    const uint column = panel * kPanel + octet * 8;
    Column columns[8];
    [[unroll]] for (uint c = 0; c < 8; ++c) columns[c] = load_column(min(column + c, pc.n - 1));
#if !Y_IS_F16
    if (stores_octets(pc.column) && column + 8 <= pc.n) {
        [[dont_unroll]] for (uint r = 0; r < live; ++r) {
            float sums[8];
            const float range = row_range(first_row + r);
            [[unroll]] for (uint c = 0; c < 8; ++c) sums[c] = column_sum(columns[c], totals[r][c / 4][c % 4], range);
            store_octet(first_row + r, pc.column + column, sums);
        }
        return;
    }
#endif
    [[dont_unroll]] for (uint r = 0; r < live; ++r)
        [[unroll]] for (uint c = 0; c < 8; ++c)
            if (column + c < pc.n) matmul_store(first_row + r, column + c, columns[c], totals[r][c / 4][c % 4]);
}
