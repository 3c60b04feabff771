// SPDX-License-Identifier: Apache-2.0
// y = x W^T for few rows on GPUs: the lanes of a workgroup share out the inputs of TILE_COLUMNS outputs, so that even
// small products have many loads of 16 bytes in flight. A lane adds up its inputs in ascending order; the lanes' sums
// are added as a binary tree, neighbours first, by shuffles inside a subgroup and through shared memory beyond it. The
// order depends on the number of lanes alone: not on rows, columns of a workgroup, loads in flight or subgroups. With
// NORM, x is normalised on its way in, by every workgroup for itself.
#version 460
#pragma variants(T W Y = float float float, float float16_t float)
#pragma variants(T W Y = float16_t float16_t float16_t, float16_t float16_t float)
#pragma variants(T W Y = float q8 float, float16_t q8 float16_t, float16_t q8 float)
#pragma variants(T W Y = float q4 float, float16_t q4 float16_t, float16_t q4 float)
#extension GL_EXT_control_flow_attributes : require
#extension GL_KHR_shader_subgroup_shuffle : require
#include "types.glsl"
#if W_IS_F16
#define WEIGHT_VIEW uvec4
#endif
#include "matmul_io.glsl"

layout(local_size_x_id = 1) in;  // lanes over inputs times loads over columns; keep in step with split_tiles()
layout(constant_id = 1) const uint INVOCATIONS = 128;
layout(constant_id = 2) const uint TILE_ROWS = 4;
layout(constant_id = 3) const uint TILE_COLUMNS = 16;  // of a panel
layout(constant_id = 4) const uint UNROLL = 2;         // steps whose loads are in flight
layout(constant_id = 5) const uint SHUFFLED = 4;       // neighbouring lanes over inputs that surely share a subgroup
layout(constant_id = 6) const uint PASS_ROWS = 4;      // rows that meet in shared memory at once
layout(constant_id = 7) const uint X_QUADS = 0;        // 1: the stride of x is a multiple of 4
layout(constant_id = 8) const uint RECORDS = 0;        // 1: writes records (shared/topk.h); whole panels then
layout(constant_id = 9) const uint NORM = 0;           // of x: none, kNormScaled or kNormCentred

#if W_IS_F16
const uint kLoadColumns = 8;
#else
const uint kLoadColumns = 4;
#endif
// A step is what a lane takes at a time: of weights in blocks a quarter of a block.
#if W_HAS_BLOCKS
const uint kStep = 8, kStepRows = kStep / kWordInputs, kLoads = kStepRows + 1;
#else
const uint kStep = 4, kLoads = kStep;
#endif
const uint kXs = kStep / 4 * TILE_ROWS;  // loads of x in a step
const uint kRowLoads = kPanel / kLoadColumns;
const uint kColumnLanes = TILE_COLUMNS / kLoadColumns;
const uint kLanes = INVOCATIONS / kColumnLanes;  // over inputs
const uint kSums = TILE_ROWS * kLoadColumns;
const uint kSpread = SHUFFLED < kSums ? SHUFFLED : kSums;    // lanes that each keep one of so many sums
const uint kHeld = kSums / kSpread;                          // what a lane keeps
const uint kFirstHeld = 2 * (kSums - kHeld);
const uint kAllSums = 2 * kSums;  // with those made of two others
const uint kGroups = kLanes / SHUFFLED;

// At the end an invocation has one column of ROWS rows in each pass.
const uint TEAM = kPanel, COLUMNS = 1;
const uint kTeams = INVOCATIONS / TILE_COLUMNS;
const uint ROWS = kTeams < PASS_ROWS ? PASS_ROWS / kTeams : 1;

const uint kPartialSums = kGroups * PASS_ROWS * TILE_COLUMNS;
const uint kNormSums = NORM == 0 ? 0 : 2 * (kGroups + 1) * TILE_ROWS;  // of split_norm.glsl
shared float partial_sums[kPartialSums + kNormSums];

#if !Y_IS_F16
#define RECORD_ROWS ROWS
#include "matmul_record.glsl"
#endif

// The TILE_ROWS rows' inputs of the step that begins at input k.
void load_step(out vec4 xs[kXs], uint x_at[TILE_ROWS], uint k) {
    [[unroll]] for (uint i = 0; i < kXs; ++i) xs[i] = x_quad(x_at[i % TILE_ROWS] + k + i / TILE_ROWS * 4, X_QUADS != 0);
}

#include "split_norm.glsl"

// Load `i` of the step that begins at input k.
WEIGHT_VIEW load_w(uint w_at, uint k, uint i) {
#if W_HAS_BLOCKS
    return w[w_at + (i < kStepRows ? block_row(k) + i : numbers_row(k)) * kRowLoads];
#else
    return w[w_at + (k + i) * kRowLoads];
#endif
}

float weight_of(WEIGHT_VIEW loads[kLoads], uint i, uint c) {
#if W_HAS_BLOCKS
    return block_value(loads[i / kWordInputs][c], i, loads[kStepRows][c]);
#elif W_IS_F16
    return unpackHalf2x16(loads[i][c / 2])[c % 2];
#else
    return loads[i][c];
#endif
}

void add_step(inout float sums[kAllSums], WEIGHT_VIEW loads[kLoads], vec4 xs[kXs]) {
    [[unroll]] for (uint i = 0; i < kStep; ++i) {
        float weights[kLoadColumns];
        [[unroll]] for (uint c = 0; c < kLoadColumns; ++c) weights[c] = weight_of(loads, i, c);
        [[unroll]] for (uint r = 0; r < TILE_ROWS; ++r)
            [[unroll]] for (uint c = 0; c < kLoadColumns; ++c)
                sums[r * kLoadColumns + c] = fma(xs[i / 4 * TILE_ROWS + r][i % 4], weights[c],
                                                 sums[r * kLoadColumns + c]);
    }
}

void main() {
    const uint rows = count;
    const uint first_row = gl_WorkGroupID.x * TILE_ROWS;
    if (first_row >= rows) return;
    const uint local = gl_LocalInvocationIndex;  // neighbours share a subgroup: in workgroups of one dimension they do
    const uint lane = local / kColumnLanes, column_lane = local % kColumnLanes;
    const uint first_column = gl_WorkGroupID.y * TILE_COLUMNS;
    const uint panel = first_column / kPanel * panel_rows(pc.k) * kRowLoads;
    const uint w_at = panel + first_column % kPanel / kLoadColumns + column_lane;

    uint x_at[TILE_ROWS];
    float sums[kAllSums];
    // Rows past the end repeat the last one and are not stored.
    [[unroll]] for (uint r = 0; r < TILE_ROWS; ++r) x_at[r] = min(first_row + r, rows - 1) * pc.x_stride;
    [[unroll]] for (uint i = 0; i < kSums; ++i) sums[i] = 0.0;

    const uint sweep = kLanes * kStep;
    uint k = lane * kStep;
    float means[TILE_ROWS], inverses[TILE_ROWS];
    if (NORM != 0) {
        // The first weights are on their way while the statistics are made.
        WEIGHT_VIEW loads[UNROLL][kLoads];
        [[unroll]] for (uint u = 0; u < UNROLL; ++u)
            if (k + u * sweep + kStep <= pc.k)
                [[unroll]] for (uint i = 0; i < kLoads; ++i) loads[u][i] = load_w(w_at, k + u * sweep, i);
        norm_statistics(x_at, lane, column_lane, means, inverses);
        store_normalised(first_row, rows, means, inverses);
        [[unroll]] for (uint u = 0; u < UNROLL; ++u) {
            if (k + kStep > pc.k) continue;
            vec4 xs[kXs];
            load_step(xs, x_at, k);
            normalise_step(xs, means, inverses, k);
            add_step(sums, loads[u], xs);
            k += sweep;
        }
    }
    for (; NORM == 0 && k + (UNROLL - 1) * sweep + kStep <= pc.k; k += UNROLL * sweep) {
        WEIGHT_VIEW loads[UNROLL][kLoads];
        vec4 xs[UNROLL][kXs];
        [[unroll]] for (uint u = 0; u < UNROLL; ++u)
            [[unroll]] for (uint i = 0; i < kLoads; ++i) loads[u][i] = load_w(w_at, k + u * sweep, i);
        [[unroll]] for (uint u = 0; u < UNROLL; ++u) load_step(xs[u], x_at, k + u * sweep);
        [[unroll]] for (uint u = 0; u < UNROLL; ++u) add_step(sums, loads[u], xs[u]);
    }
    for (; k + kStep <= pc.k; k += sweep) {
        WEIGHT_VIEW loads[kLoads];
        vec4 xs[kXs];
        [[unroll]] for (uint i = 0; i < kLoads; ++i) loads[i] = load_w(w_at, k, i);
        load_step(xs, x_at, k);
        if (NORM != 0) normalise_step(xs, means, inverses, k);
        add_step(sums, loads, xs);
    }
#if !W_HAS_BLOCKS
    for (; k < pc.k; ++k) {  // one lane has what is left of the inputs
        WEIGHT_VIEW loads[kLoads];
        loads[0] = load_w(w_at, k, 0);
        [[unroll]] for (uint r = 0; r < TILE_ROWS; ++r) {
            float value = x_element(x_at[r] + k);
            if (NORM != 0) value = normalised(value, means[r], inverses[r], k);
            [[unroll]] for (uint c = 0; c < kLoadColumns; ++c)
                sums[r * kLoadColumns + c] = fma(value, weight_of(loads, 0, c), sums[r * kLoadColumns + c]);
        }
    }
#endif

    // A lane gives one of each two sums to its neighbour and adds up the other, then repeats this with the results: sum
    // kSums + j comes from sums 2 j and 2 j + 1. It is one loop, since compilers do not unroll nested loops.
    [[unroll]] for (uint j = 0; j < kSums - kHeld; ++j) {
        const uint bit = kSums >> findMSB(kSums - 1 - j) + 1;
        const bool odd = (lane & bit) != 0;
        const float given = odd ? sums[2 * j] : sums[2 * j + 1], kept = odd ? sums[2 * j + 1] : sums[2 * j];
        precise const float sum = kept + subgroupShuffleXor(given, bit * kColumnLanes);
        sums[kSums + j] = sum;
    }
    [[unroll]] for (uint bit = kSums; bit < SHUFFLED; bit *= 2) {  // lanes beyond the sums
        precise const float sum = sums[kFirstHeld] + subgroupShuffleXor(sums[kFirstHeld], bit * kColumnLanes);
        sums[kFirstHeld] = sum;
    }

    const uint team = local / TILE_COLUMNS;
    const uint column = first_column + local % TILE_COLUMNS;
    [[dont_unroll]] for (uint pass = 0; pass < TILE_ROWS; pass += PASS_ROWS) {
        if (pass > 0) barrier();
        [[unroll]] for (uint i = 0; i < kHeld; ++i) {
            const uint sum = i * kSpread + lane % kSpread, row = sum / kLoadColumns - pass;  // wraps below the pass
            const uint at = (lane / SHUFFLED * PASS_ROWS + row) * TILE_COLUMNS + column_lane * kLoadColumns;
            if (row < PASS_ROWS && lane % SHUFFLED < kSums)
                partial_sums[at + sum % kLoadColumns] = sums[kFirstHeld + i];
        }
        barrier();

        float results[ROWS];
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            const uint row = min(team * ROWS + r, PASS_ROWS - 1);
            float parts[2 * kGroups - 1];
            [[unroll]] for (uint g = 0; g < kGroups; ++g)
                parts[g] = partial_sums[(g * PASS_ROWS + row) * TILE_COLUMNS + local % TILE_COLUMNS];
            [[unroll]] for (uint g = 0; g < kGroups - 1; ++g) {
                precise const float sum = parts[2 * g] + parts[2 * g + 1];
                parts[kGroups + g] = sum;
            }
            results[r] = parts[2 * kGroups - 2];
        }

        const uint own_row = first_row + pass + team * ROWS, end_row = min(rows, first_row + pass + PASS_ROWS);
        float ends[ROWS][COLUMNS];
        [[unroll]] for (uint r = 0; r < ROWS; ++r)
            ends[r][0] = matmul_value(min(own_row + r, rows - 1), min(column, pc.n - 1), results[r]);
#if !Y_IS_F16
        if (RECORDS != 0) write_records(own_row, end_row, column, pc.n, ends);
        if ((pc.flags & kMatmulNoStore) != 0) continue;
#endif
        [[unroll]] for (uint r = 0; r < ROWS; ++r)
            if (own_row + r < end_row && column < pc.n) y[(own_row + r) * pc.y_stride + column] = Y(ends[r][0]);
    }
}
