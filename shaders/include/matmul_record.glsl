// SPDX-License-Identifier: Apache-2.0
// Records (shared/topk.h) of the outputs of kernels that hold them spread over TEAM neighbouring invocations, of
// COLUMNS ascending ones each, RECORD_ROWS rows at a time. Declare these before, after matmul_io.glsl; and INVOCATIONS
// and RECORDS (0: shared memory stays free), or RECORD_IN_SUBGROUP where a team is a subgroup.
#ifndef DRAGOMAN_MATMUL_RECORD_GLSL
#define DRAGOMAN_MATMUL_RECORD_GLSL

#include "tile_record.glsl"

// The largest value of the team per row with the first column that has it, and sums as a binary tree.
#ifdef RECORD_IN_SUBGROUP
void team_maximum(inout float maxima[RECORD_ROWS], inout uint columns[RECORD_ROWS]) {
    [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) {
        const float best = subgroupMax(maxima[r]);
        columns[r] = subgroupMin(maxima[r] == best ? columns[r] : kNoColumn);
        maxima[r] = best;
    }
}

void team_sum(inout float sums[RECORD_ROWS]) {
    [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) {
        precise float sum = sums[r];
        [[unroll]] for (uint step = 1; step < 8; step *= 2) sum += subgroupShuffleXor(sum, step);
        sums[r] = sum;
    }
}
#else
shared float team_values[RECORDS * INVOCATIONS * RECORD_ROWS + 1];
shared uint team_columns[RECORDS * INVOCATIONS * RECORD_ROWS + 1];

void team_maximum(inout float maxima[RECORD_ROWS], inout uint columns[RECORD_ROWS]) {
    const uint local = gl_LocalInvocationIndex, lane = local % TEAM;
    [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) {
        team_values[r * INVOCATIONS + local] = maxima[r];
        team_columns[r * INVOCATIONS + local] = columns[r];
    }
    for (uint step = 1; step < TEAM; step *= 2) {
        barrier();
        if (lane % (2 * step) != 0) continue;
        [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) {
            const uint at = r * INVOCATIONS + local;
            if (!(team_values[at + step] > team_values[at])) continue;
            team_values[at] = team_values[at + step];
            team_columns[at] = team_columns[at + step];
        }
    }
    barrier();
    [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) {
        maxima[r] = team_values[r * INVOCATIONS + local - lane];
        columns[r] = team_columns[r * INVOCATIONS + local - lane];
    }
    barrier();
}

void team_sum(inout float sums[RECORD_ROWS]) {
    const uint local = gl_LocalInvocationIndex, lane = local % TEAM;
    [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) team_values[r * INVOCATIONS + local] = sums[r];
    for (uint step = 1; step < TEAM; step *= 2) {
        barrier();
        if (lane % (2 * step) != 0) continue;
        [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) {
            const uint at = r * INVOCATIONS + local;
            precise const float sum = team_values[at] + team_values[at + step];
            team_values[at] = sum;
        }
    }
    barrier();
    [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) sums[r] = team_values[r * INVOCATIONS + local - lane];
}
#endif

// Every invocation of the workgroup calls it, with its outputs of the rows from `first_row` on; those in columns from
// `n` on count for nothing. Rows from `rows` on have no record.
void write_records(uint first_row, uint rows, uint column, uint n, float ends[RECORD_ROWS][COLUMNS]) {
    float maxima[RECORD_ROWS], sums[RECORD_ROWS];
    uint columns[RECORD_ROWS];
    [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) {
        maxima[r] = kNothing;
        columns[r] = kNoColumn;
        [[unroll]] for (uint c = 0; c < COLUMNS; ++c) {
            const bool ahead = column + c < n && is_enabled(ends[r][c]) && ends[r][c] > maxima[r];
            maxima[r] = ahead ? ends[r][c] : maxima[r];
            columns[r] = ahead ? column + c : columns[r];
        }
    }
    team_maximum(maxima, columns);
    [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) {
        float terms[COLUMNS];
        [[unroll]] for (uint c = 0; c < COLUMNS; ++c)
            terms[c] = column + c < n ? exponential(ends[r][c], maxima[r]) : 0.0;
        sums[r] = tree_sum(terms);
    }
    team_sum(sums);
    if (gl_LocalInvocationIndex % TEAM != 0) return;
    const uint tile = tile_in_records(column / TOPK_TILE), tiles = pc.record_tiles;
    [[unroll]] for (uint r = 0; r < RECORD_ROWS; ++r) {
        if (first_row + r >= rows) return;
        records[record_index(first_row + r, RECORD_MAXIMUM, tile, tiles)] = floatBitsToUint(maxima[r]);
        records[record_index(first_row + r, RECORD_SUM, tile, tiles)] = floatBitsToUint(sums[r]);
        records[record_index(first_row + r, RECORD_COLUMN, tile, tiles)] = column_in_records(columns[r]);
    }
}

#endif
