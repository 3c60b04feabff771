// SPDX-License-Identifier: Apache-2.0
// y = x W^T on cooperative matrices: f16 operands, f32 sums. A subgroup computes ROW_TILES x M rows of COLUMNS columns.
// A workgroup has SUBGROUP_ROWS x SUBGROUP_COLUMNS such blocks, each SLICES times: its subgroups share the inputs out,
// and their sums are added in ascending order. Operands go through shared memory. While some are multiplied, the next
// ones travel to registers. None of these loads has a condition of its own: NVIDIA's compiler (580) waits for each then.
// With NORM, x is normalised on its way in, by every workgroup for itself.
#version 460
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float, float float16_t float)
#extension GL_EXT_control_flow_attributes : require
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require
#extension GL_KHR_cooperative_matrix : require
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "types.glsl"

layout(local_size_x_id = 1) in;  // all subgroups; keep in step with MatmulCoopmatTile
layout(constant_id = 1) const uint INVOCATIONS = 128;
layout(constant_id = 2) const uint M = 16;  // one of the device's shapes; N is 8 or 16
layout(constant_id = 3) const uint N = 16;
layout(constant_id = 4) const uint K = 16;
layout(constant_id = 5) const uint ROW_TILES = 2;
layout(constant_id = 6) const uint COLUMNS = 64;  // a multiple of 16 that divides a panel; a panel for records
layout(constant_id = 7) const uint SUBGROUP_ROWS = 2;
layout(constant_id = 8) const uint SUBGROUP_COLUMNS = 2;
layout(constant_id = 9) const uint SLICES = 1;
layout(constant_id = 10) const uint TILE_K = 32;  // of a slice; a multiple of K and of 8
layout(constant_id = 11) const uint RECORDS = 0;  // 1: writes records (shared/topk.h)
layout(constant_id = 12) const uint NORM = 0;  // of x, in halves: none, kNormScaled or kNormCentred

const uint kBlocks = SUBGROUP_ROWS * SUBGROUP_COLUMNS, kLanes = INVOCATIONS / (kBlocks * SLICES);
const uint kBlockRows = ROW_TILES * M;
const uint kTileRows = SUBGROUP_ROWS * kBlockRows, kTileColumns = SUBGROUP_COLUMNS * COLUMNS;
const uint kTileInputs = SLICES * TILE_K;
const uint kColumnTiles = COLUMNS / N;
// These are in octets; one octet of padding spreads rows over the banks.
const uint kXOctets = kTileInputs / 8, kXStride = kXOctets + 1, kXTile = kTileRows * kXStride;
const uint kWOctets = kTileColumns / 8, kWStride = kWOctets + 1, kWTile = kTileInputs * kWStride;
const uint kXLoads = (kTileRows * kXOctets + INVOCATIONS - 1) / INVOCATIONS;
const uint kWLoads = (kTileInputs * kWOctets + INVOCATIONS - 1) / INVOCATIONS;
// The end: M rows of each subgroup at a time, in quads of floats.
const uint kEndStride = COLUMNS / 4 + 2, kBlockEnds = M * kEndStride, kEnds = kBlocks * SLICES * kBlockEnds;
// Lanes that share a row of a matrix, and the octets of each lane in a matrix. Quads of halves are neighbours; those of
// floats are half a matrix apart, so that the lanes of a store have neighbouring ones.
const uint kRowLanes = N / 8, kTurns = (M * kRowLanes + kLanes - 1) / kLanes;
const uint kFirst = Y_IS_F16 != 0 ? 8 : 4, kSecond = Y_IS_F16 != 0 ? 4 : N / 2;
// Gate and residual are read before the product where a lane has few of them.
const bool kEarlyEnd = Y_IS_F16 != 0 && NORM == 0 && ROW_TILES == 1 && kTurns == 1 && kColumnTiles <= 2;

// Eight halves, or four floats.
shared uvec4 tiles[kXTile + kWTile > kEnds ? kXTile + kWTile : kEnds];

#include "coopmat_io.glsl"

// Weights, and inputs, from input `base` on; beyond the edges something else that is in memory.
void load_weights(uint first_column, uint base, out uvec4 ws[kWLoads]) {
    const uint last_panel = (pc.n - 1) / kPanel;
    [[unroll]] for (uint i = 0; i < kWLoads; ++i) {
        const uint e = i * INVOCATIONS + gl_LocalInvocationIndex;
        const uint k = min(base + e / kWOctets, pc.k - 1), column = first_column + e % kWOctets * 8;
        ws[i] = w[(min(column / kPanel, last_panel) * pc.k + k) * 8 + column % kPanel / 8];
    }
}

void load_inputs(uint first_row, uint rows, uint base, out uvec4 xs[kXLoads], out NormOctet norm) {
    const uint last_octet = (pc.k - 1) / 8 * 8;
    [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
        const uint e = i * INVOCATIONS + gl_LocalInvocationIndex;
        xs[i] = load_x(min(first_row + e / kXOctets, rows - 1), min(base + e % kXOctets * 8, last_octet));
    }
    if (NORM != 0) norm = load_norm(min(base + gl_LocalInvocationIndex % kXOctets * 8, last_octet));
}

// Puts them into shared memory; inputs from pc.k on are zeros.
void put(uint base, uvec4 xs[kXLoads], uvec4 ws[kWLoads]) {
    const uint local = gl_LocalInvocationIndex;
    if (base + kTileInputs > pc.k) {
        [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
            const uint k = base + (i * INVOCATIONS + local) % kXOctets * 8;
            [[unroll]] for (uint c = 0; c < 4; ++c)
                xs[i][c] = k + 2 * c >= pc.k ? 0 : k + 2 * c + 1 >= pc.k ? xs[i][c] & 0xffff : xs[i][c];
        }
    }
    [[unroll]] for (uint i = 0; i < kXLoads; ++i) {
        const uint e = i * INVOCATIONS + local;
        if (e < kTileRows * kXOctets) tiles[e / kXOctets * kXStride + e % kXOctets] = xs[i];
    }
    [[unroll]] for (uint i = 0; i < kWLoads; ++i) {
        const uint e = i * INVOCATIONS + local;
        if (e < kTileInputs * kWOctets) tiles[kXTile + e / kWOctets * kWStride + e % kWOctets] = ws[i];
    }
}

// `row_at`: where a row of y begins.
void store(uint row_at, uint column, Octet ends) {
#if Y_IS_F16
    if (column + 8 <= pc.n) {
        y[(row_at + column) / 8] = pack_octet(ends);
        return;
    }
#else
    if (column + 4 <= pc.n) y[(row_at + column) / 4] = ends.quads[0];
    if (column + kSecond + 4 <= pc.n) y[(row_at + column + kSecond) / 4] = ends.quads[1];
#endif
    [[unroll]] for (uint q = 0; q < 2; ++q) {
        const uint first = column + q * kSecond;
        if (Y_IS_F16 == 0 && first + 4 <= pc.n) continue;
        [[unroll]] for (uint c = 0; c < 4; ++c)
            if (first + c < pc.n) y_ends[row_at + first + c] = Y(ends.quads[q][c]);
    }
}

#if Y_IS_F16
// Where a row's octet is in the gate or residual; the first one where the product has none.
uint end_octet(uint flag, uint row_at, uint column) {
    return (pc.flags & flag) != 0 ? (row_at + min(column, (pc.n - 1) / 8 * 8)) / 8 : 0;
}
#define LOAD_OCTET(buffer, row_at, column) unpack_octet(buffer[((row_at) + min(column, (pc.n - 1) / 8 * 8)) / 8])
#else
#define LOAD_OCTET(buffer, row_at, column)                                  \
    Octet(vec4[2](buffer[((row_at) + min(column, (pc.n - 1) / 4 * 4)) / 4], \
                  buffer[((row_at) + min((column) + kSecond, (pc.n - 1) / 4 * 4)) / 4]))
#endif

#if !Y_IS_F16
#include "tile_record.glsl"

// The record of a row of one panel, whose kRowLanes neighbouring lanes have an octet of each of its matrices.
void write_record(uint row, bool live, uint panel, uint lane, Octet ends[kColumnTiles]) {
    float maximum = kNothing;
    uint first = kNoColumn;
    [[unroll]] for (uint e = 0; e < 8 * kColumnTiles; ++e) {
        const uint column = panel * kPanel + e / 8 * N + e % 8 / 4 * kSecond + lane * 4 + e % 4;
        const float end = ends[e / 8].quads[e % 8 / 4][e % 4];
        const bool ahead = column < pc.n && is_enabled(end) && end > maximum;
        maximum = ahead ? end : maximum;
        first = ahead ? column : first;
    }
    [[unroll]] for (uint step = 1; step < kRowLanes; step *= 2) {
        const float other = subgroupShuffleXor(maximum, step);
        const uint column = subgroupShuffleXor(first, step);
        const bool ahead = other > maximum || (other == maximum && column < first);
        maximum = ahead ? other : maximum;
        first = ahead ? column : first;
    }
    float octets[8];
    [[unroll]] for (uint j = 0; j < kColumnTiles; ++j) {
        precise vec2 sums;
        [[unroll]] for (uint q = 0; q < 2; ++q) {
            const uint column = panel * kPanel + j * N + q * kSecond + lane * 4;
            float terms[4];
            [[unroll]] for (uint c = 0; c < 4; ++c)
                terms[c] = column + c < pc.n ? exponential(ends[j].quads[q][c], maximum) : 0.0;
            sums[q] = tree_sum(terms);
        }
        if (kRowLanes == 1) {
            precise const float sum = sums.x + sums.y;
            octets[j % 8] = sum;
        } else {
            sums += subgroupShuffleXor(sums, 1);
            octets[j * 2 % 8] = sums.x;
            octets[(j * 2 + 1) % 8] = sums.y;
        }
    }
    if (!live || lane != 0) return;
    const uint tile = tile_in_records(panel), tile_count = pc.record_tiles;
    records[record_index(row, RECORD_MAXIMUM, tile, tile_count)] = floatBitsToUint(maximum);
    records[record_index(row, RECORD_SUM, tile, tile_count)] = floatBitsToUint(tree_sum(octets));
    records[record_index(row, RECORD_COLUMN, tile, tile_count)] = column_in_records(first);
}
#endif

void main() {
    const uint first_row = gl_WorkGroupID.x * kTileRows, first_column = gl_WorkGroupID.y * kTileColumns;
    uvec4 xs[kXLoads], ws[kWLoads];
    load_weights(first_column, 0, ws);  // they are on their way while the number of rows is read
    const uint rows = count;
    if (first_row >= rows) return;
    const uint slice = gl_SubgroupID / kBlocks, block = gl_SubgroupID % kBlocks;
    const uint own_row = block / SUBGROUP_COLUMNS * kBlockRows, own_column = block % SUBGROUP_COLUMNS * COLUMNS;

    coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator> sums[ROW_TILES][kColumnTiles];
    [[unroll]] for (uint i = 0; i < ROW_TILES; ++i)
        [[unroll]] for (uint j = 0; j < kColumnTiles; ++j)
            sums[i][j] = coopmat<float, gl_ScopeSubgroup, M, N, gl_MatrixUseAccumulator>(0.0);

    NormOctet norm;
    load_inputs(first_row, rows, 0, xs, norm);
    const uint lane = gl_SubgroupInvocationID % kRowLanes;
    const uint column = first_column + own_column + lane * kFirst;  // of the lane's first octet
#if Y_IS_F16
    uvec4 early_gates[kColumnTiles], early_residuals[kColumnTiles];
    if (kEarlyEnd) {
        const uint row = min(first_row + own_row + gl_SubgroupInvocationID / kRowLanes, rows - 1);
        [[unroll]] for (uint j = 0; j < kColumnTiles; ++j) {
            early_gates[j] = gate[end_octet(kMatmulGate, row * pc.gate_stride, column + j * N)];
            early_residuals[j] = residual[end_octet(kMatmulResidual, row * pc.residual_stride, column + j * N)];
        }
    }
#endif
    if (NORM != 0) find_statistics(first_row, rows);  // visible after the first barrier
    for (uint base = 0; base < pc.k; base += kTileInputs) {
        barrier();
        if (NORM != 0) normalise(xs, norm, first_row, rows, base);
        put(base, xs, ws);
        barrier();
        if (base + kTileInputs < pc.k) {
            load_weights(first_column, base + kTileInputs, ws);
            load_inputs(first_row, rows, base + kTileInputs, xs, norm);
        }
        [[unroll]] for (uint k = 0; k < TILE_K; k += K) {
            const uint at = slice * TILE_K + k;
            coopmat<float16_t, gl_ScopeSubgroup, M, K, gl_MatrixUseA> a[ROW_TILES];
            [[unroll]] for (uint i = 0; i < ROW_TILES; ++i)
                coopMatLoad(a[i], tiles, (own_row + i * M) * kXStride + at / 8, kXStride,
                            gl_CooperativeMatrixLayoutRowMajor);
            [[unroll]] for (uint j = 0; j < kColumnTiles; ++j) {
                coopmat<float16_t, gl_ScopeSubgroup, K, N, gl_MatrixUseB> b;
                coopMatLoad(b, tiles, kXTile + at * kWStride + (own_column + j * N) / 8, kWStride,
                            gl_CooperativeMatrixLayoutRowMajor);
                [[unroll]] for (uint i = 0; i < ROW_TILES; ++i) sums[i][j] = coopMatMulAdd(a[i], b, sums[i][j]);
            }
        }
    }

    // Without branches, at whose ends a compiler would wait for the loads.
    Octet biases[kColumnTiles];
    const bool has_bias = (pc.flags & kMatmulBias) != 0;
    [[unroll]] for (uint e = 0; e < 8 * kColumnTiles; ++e) {
        const uint at = min(column + e / 8 * N + e % 8 / 4 * kSecond + e % 4, pc.n - 1);
        const float value = bias[has_bias ? at : 0];
        biases[e / 8].quads[e % 8 / 4][e % 4] = has_bias ? value : 0.0;
    }
    const uint ends_at = block * SLICES * kBlockEnds;
    [[unroll]] for (uint i = 0; i < ROW_TILES; ++i) {
        // The first time others may still read operands.
        if (SLICES > 1 || i == 0) barrier();
        else subgroupBarrier();
        [[unroll]] for (uint j = 0; j < kColumnTiles; ++j)
            coopMatStore(sums[i][j], tiles, ends_at + slice * kBlockEnds + j * N / 4, kEndStride,
                         gl_CooperativeMatrixLayoutRowMajor);
        if (SLICES > 1) barrier();
        else subgroupBarrier();
        [[unroll]] for (uint turn = 0; turn < kTurns; ++turn) {
            const uint in_matrix = (turn * kLanes + gl_SubgroupInvocationID) / kRowLanes;
            const uint row = first_row + own_row + i * M + in_matrix;
            const bool live = in_matrix < M && row < rows;
            const uint near_row = min(row, rows - 1);
            Octet gates[kColumnTiles], residuals[kColumnTiles], ends[kColumnTiles];
            [[unroll]] for (uint j = 0; j < kColumnTiles; ++j) {
                gates[j] = octet_of(1.0);
                residuals[j] = octet_of(0.0);
            }
#if Y_IS_F16
            if (kEarlyEnd) {
                [[unroll]] for (uint j = 0; j < kColumnTiles; ++j) {
                    if ((pc.flags & kMatmulGate) != 0) gates[j] = unpack_octet(early_gates[j]);
                    if ((pc.flags & kMatmulResidual) != 0) residuals[j] = unpack_octet(early_residuals[j]);
                }
            }
#endif
            if (NORM == 0 && !kEarlyEnd && (pc.flags & kMatmulGate) != 0) {
                [[unroll]] for (uint j = 0; j < kColumnTiles; ++j)
                    gates[j] = LOAD_OCTET(gate, near_row * pc.gate_stride, column + j * N);
            }
            if (NORM == 0 && !kEarlyEnd && (pc.flags & kMatmulResidual) != 0) {
                [[unroll]] for (uint j = 0; j < kColumnTiles; ++j)
                    residuals[j] = LOAD_OCTET(residual, near_row * pc.residual_stride, column + j * N);
            }
            [[unroll]] for (uint j = 0; j < kColumnTiles; ++j) {
                // Slices share the matrices out, but a record is of all of them.
                if (SLICES > 1 && slice != (RECORDS != 0 ? 0 : j % SLICES)) continue;
                const uint at = ends_at + min(in_matrix, M - 1) * kEndStride + (j * N + lane * kFirst) / 4;
                Octet total = octet_of(0.0);
                [[unroll]] for (uint z = 0; z < SLICES; ++z)
                    [[unroll]] for (uint q = 0; q < 2; ++q)
                        total.quads[q] += uintBitsToFloat(tiles[at + z * kBlockEnds + q * kSecond / 4]);
                [[unroll]] for (uint e = 0; e < 8; ++e) {
                    const uint q = e / 4, c = e % 4;
                    total.quads[q][c] = matmul_end(fma(total.quads[q][c], pc.scale, biases[j].quads[q][c]),
                                                   gates[j].quads[q][c], residuals[j].quads[q][c]);
                }
                ends[j] = total;
                if (live && (pc.flags & kMatmulNoStore) == 0) store(row * pc.y_stride, column + j * N, total);
            }
#if !Y_IS_F16
            if (RECORDS != 0 && slice == 0) {
                const uint panel = (first_column + own_column) / kPanel;
                write_record(row, live && panel * kPanel < pc.n, panel, lane, ends);
            }
#endif
        }
    }
}
