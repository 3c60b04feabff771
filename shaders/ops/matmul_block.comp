// SPDX-License-Identifier: Apache-2.0
// y = x W^T without shared memory, for CPU devices, where a load costs as much as many products. A workgroup is one
// subgroup of LANES: it keeps ROWS x LANES * 8 sums in registers, loads every x and w once, 64 bits at a time, and
// passes x around by shuffles.
#version 460
#pragma variants(T W Y = float float float, float float16_t float)
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float)
#pragma variants(T W Y = float q8 float, float16_t q8 float16_t, float16_t q8 float)
#pragma variants(T W Y = float q4 float, float16_t q4 float16_t, float16_t q4 float)
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
#extension GL_KHR_shader_subgroup_arithmetic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "types.glsl"
#ifndef Y_IS_F16
#define Y_IS_F16 T_IS_F16
#endif
#if T_IS_F16
#define X_QUAD uint64_t
#else
#define X_QUAD u64vec2
#endif
#if W_IS_F16
#define WEIGHT_VIEW u64vec2
#else
#define WEIGHT_VIEW u64vec4
#endif
// CPU devices run what a branch leaves out, so what is not there must be known to the compiler.
layout(constant_id = 3) const uint FLAGS = 0;
#define MATMUL_FLAGS FLAGS
#include "matmul_io.glsl"
#if !Y_IS_F16
layout(binding = 4) readonly buffer GatePairs { uint64_t gate_pairs[]; };
layout(binding = 5) readonly buffer ResidualPairs { uint64_t residual_pairs[]; };
layout(binding = 6) writeonly buffer OutPairs { uint64_t y_pairs[]; };
#include "store_octet.glsl"
#include "tile_record.glsl"
#endif

layout(local_size_x_id = 1) in;
layout(constant_id = 1) const uint LANES = 8;
layout(constant_id = 2) const uint ROWS = 8;

const uint kOctets = kPanel / 8;                            // of one input in a panel
const uint kParts = kOctets / LANES;                        // workgroups per panel
const uint kXLoads = ROWS < LANES ? 1 : ROWS / LANES;       // quads of x per lane and round
const uint kRound = ROWS < LANES ? 4 * (LANES / ROWS) : 4;  // inputs per round; spare lanes load later ones

vec4 unpack_quad(u64vec2 quad) { return vec4(uintBitsToFloat(unpack32(quad.x)), uintBitsToFloat(unpack32(quad.y))); }
vec4 unpack_quad(uint64_t quad) { return unpack_quad(unpack32(quad)); }
vec4[2] unpack_octet(u64vec4 octet) { return vec4[2](unpack_quad(octet.xy), unpack_quad(octet.zw)); }
vec4[2] unpack_octet(u64vec2 octet) { return vec4[2](unpack_quad(octet.x), unpack_quad(octet.y)); }

// Four neighbouring inputs from element `at` on, a multiple of 4 where kMatmulXQuads is set.
vec4 load_quad(uint at) {
    if ((MATMUL_FLAGS & kMatmulXQuads) != 0) return unpack_quad(x_quads[at / 4]);
    return vec4(x[at], x[at + 1], x[at + 2], x[at + 3]);
}
#if !Y_IS_F16
// The subgroup's outputs of one row, eight per lane, are one tile.
void write_record(uint row, uint column, float ends[8]) {
    float maximum = kNothing;
    uint first = kNoColumn;
    [[unroll]] for (uint c = 0; c < 8; ++c) {
        const bool ahead = column + c < pc.n && ends[c] > kDisabled && ends[c] > maximum;
        maximum = ahead ? ends[c] : maximum;
        first = ahead ? column + c : first;
    }
    const float best = subgroupMax(maximum);
    first = subgroupMin(maximum == best ? first : kNoColumn);
    float terms[8];
    [[unroll]] for (uint c = 0; c < 8; ++c) terms[c] = column + c < pc.n ? exponential(ends[c], best) : 0.0;
    precise float sum = tree_sum(terms);
    [[unroll]] for (uint step = 1; step < 8; step *= 2) sum += subgroupShuffleXor(sum, step);
    if (gl_LocalInvocationIndex != 0) return;
    const uint tile = column / TOPK_TILE, tiles = (pc.n + TOPK_TILE - 1) / TOPK_TILE;
    records[record_index(row, RECORD_MAXIMUM, tile, tiles)] = floatBitsToUint(best);
    records[record_index(row, RECORD_SUM, tile, tiles)] = floatBitsToUint(sum);
    records[record_index(row, RECORD_COLUMN, tile, tiles)] = first;
}
#endif

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * ROWS;
    if (first_row >= rows) return;
    const uint lane = gl_LocalInvocationIndex;
    const uint octet = gl_WorkGroupID.y % kParts * LANES + lane;
    const uint panel = gl_WorkGroupID.y / kParts;

    uint x_at[kXLoads];
    vec4 sums[ROWS][2];
    // Rows past the end repeat the last one and are not stored.
    [[unroll]] for (uint j = 0; j < kXLoads; ++j)
        x_at[j] = min(first_row + j * LANES + lane % ROWS, rows - 1) * pc.x_stride;
    [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] = vec4[2](vec4(0.0), vec4(0.0));

#if W_HAS_BLOCKS
    uint w_at = panel * panel_rows(pc.k) * kOctets + octet;
    for (uint base = 0; base < pc.k; base += kBlockInputs) {
        const u64vec4 numbers = w[w_at + kNumbersRow * kOctets];
        const uvec4 numbers_low = uvec4(unpack32(numbers.x), unpack32(numbers.y));
        const uvec4 numbers_high = uvec4(unpack32(numbers.z), unpack32(numbers.w));
        for (uint k = 0; k < kBlockInputs; k += kRound) {
            vec4 xs[kXLoads];
            [[unroll]] for (uint j = 0; j < kXLoads; ++j) xs[j] = load_quad(x_at[j] + base + k + lane / ROWS * 4);
            [[unroll]] for (uint i = 0; i < kRound; i += 4) {
                const u64vec4 octet_words = w[w_at + block_row(k + i) * kOctets];
                const uvec4 low = uvec4(unpack32(octet_words.x), unpack32(octet_words.y));
                const uvec4 high = uvec4(unpack32(octet_words.z), unpack32(octet_words.w));
                [[unroll]] for (uint n = 0; n < 4; ++n) {
                    vec4 weights[2];
                    [[unroll]] for (uint c = 0; c < 4; ++c) {
                        weights[0][c] = block_value(low[c], k + i + n, numbers_low[c]);
                        weights[1][c] = block_value(high[c], k + i + n, numbers_high[c]);
                    }
                    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
                        const vec4 v = vec4(subgroupShuffle(xs[r / LANES][n], i / 4 * ROWS + r % LANES));
                        sums[r][0] = fma(v, weights[0], sums[r][0]);
                        sums[r][1] = fma(v, weights[1], sums[r][1]);
                    }
                }
            }
        }
        w_at += kBlockRows * kOctets;
    }
#else
    uint w_at = panel * pc.k * kOctets + octet;
    const uint in_rounds = pc.x_stride % 4 == 0 ? pc.k / kRound * kRound : 0;
    for (uint k = 0; k < in_rounds; k += kRound) {
        vec4 xs[kXLoads];
        [[unroll]] for (uint j = 0; j < kXLoads; ++j) xs[j] = unpack_quad(x_quads[(x_at[j] + k) / 4 + lane / ROWS]);
        vec4 weights[kRound][2];
        [[unroll]] for (uint i = 0; i < kRound; ++i) weights[i] = unpack_octet(w[w_at + i * kOctets]);
        // Row by row: the sums of one fit into registers for the whole round, those of all do not.
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            [[unroll]] for (uint i = 0; i < kRound; ++i) {
                const vec4 v = vec4(subgroupShuffle(xs[r / LANES][i % 4], i / 4 * ROWS + r % LANES));
                sums[r][0] = fma(v, weights[i][0], sums[r][0]);
                sums[r][1] = fma(v, weights[i][1], sums[r][1]);
            }
        }
        w_at += kRound * kOctets;
    }
    for (uint k = in_rounds; k < pc.k; ++k) {
        float xs[kXLoads];
        [[unroll]] for (uint j = 0; j < kXLoads; ++j) xs[j] = float(x[x_at[j] + k]);
        const vec4 weights[2] = unpack_octet(w[w_at]);
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            const vec4 v = vec4(subgroupShuffle(xs[r / LANES], r % LANES));
            sums[r][0] = fma(v, weights[0], sums[r][0]);
            sums[r][1] = fma(v, weights[1], sums[r][1]);
        }
        w_at += kOctets;
    }
#endif

    // A copy and a loop that stays one: unrolled, these stores take most of the time to compile the kernel.
    vec4 results[ROWS][2];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) results[r] = sums[r];
    const uint live = min(ROWS, rows - first_row);
    const uint column = panel * kPanel + octet * 8;
#if !Y_IS_F16
    if ((FLAGS & kMatmulRecords) != 0) {
        float biases[8];
        [[unroll]] for (uint c = 0; c < 8; ++c)
            biases[c] = (MATMUL_FLAGS & kMatmulBias) != 0 ? bias[min(column + c, pc.n - 1)] : 0.0;
        const bool octets = stores_octets(column) && panel * kPanel + kPanel <= pc.n;
        [[dont_unroll]] for (uint r = 0; r < live; ++r) {
            float ends[8];
            [[unroll]] for (uint c = 0; c < 8; ++c)
                ends[c] = matmul_end(fma(results[r][c / 4][c % 4], pc.scale, biases[c]), 1.0, 0.0);
            write_record(first_row + r, column, ends);
            if ((FLAGS & kMatmulNoStore) != 0) continue;
            const uint y_at = (first_row + r) * pc.y_stride + column;
            if (octets) {
                [[unroll]] for (uint c = 0; c < 8; c += 2)
                    y_pairs[(y_at + c) / 2] = pack64(floatBitsToUint(vec2(ends[c], ends[c + 1])));
            } else {
                [[unroll]] for (uint c = 0; c < 8; ++c)
                    if (column + c < pc.n) y[y_at + c] = ends[c];
            }
        }
        return;
    }
    if (stores_octets(column) && column + 8 <= pc.n) {
        float biases[8];
        [[unroll]] for (uint c = 0; c < 8; ++c) biases[c] = (MATMUL_FLAGS & kMatmulBias) != 0 ? bias[column + c] : 0.0;
        [[dont_unroll]] for (uint r = 0; r < live; ++r) {
            float ends[8];
            [[unroll]] for (uint c = 0; c < 8; ++c) ends[c] = fma(results[r][c / 4][c % 4], pc.scale, biases[c]);
            store_octet(first_row + r, column, ends);
        }
        return;
    }
#endif
    [[dont_unroll]] for (uint r = 0; r < live; ++r)
        [[unroll]] for (uint c = 0; c < 8; ++c)
            if (column + c < pc.n) matmul_store(first_row + r, column + c, results[r][c / 4][c % 4]);
}
