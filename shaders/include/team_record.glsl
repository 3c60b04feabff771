// SPDX-License-Identifier: Apache-2.0
// Records (shared/topk.h) of the outputs of kernels that hold them spread over TEAM neighbouring invocations, ROWS rows
// at a time. Declare TEAM, its COLUMNS each, ROWS, INVOCATIONS and RECORDS (0: shared memory stays free), after
// matmul_io.glsl.
#ifndef DRAGOMAN_TEAM_RECORD_GLSL
#define DRAGOMAN_TEAM_RECORD_GLSL

#include "tile_record.glsl"

shared float team_values[RECORDS * INVOCATIONS * ROWS + 1];
shared uint team_columns[RECORDS * INVOCATIONS * ROWS + 1];

// The largest value of the team per row, and the first column that has it. Members hold ascending columns.
void team_maximum(inout float maxima[ROWS], inout uint columns[ROWS]) {
    const uint local = gl_LocalInvocationIndex, lane = local % TEAM;
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        team_values[r * INVOCATIONS + local] = maxima[r];
        team_columns[r * INVOCATIONS + local] = columns[r];
    }
    for (uint step = 1; step < TEAM; step *= 2) {
        barrier();
        if (lane % (2 * step) != 0) continue;
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            const uint at = r * INVOCATIONS + local;
            if (!(team_values[at + step] > team_values[at])) continue;
            team_values[at] = team_values[at + step];
            team_columns[at] = team_columns[at + step];
        }
    }
    barrier();
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        maxima[r] = team_values[r * INVOCATIONS + local - lane];
        columns[r] = team_columns[r * INVOCATIONS + local - lane];
    }
    barrier();
}

void team_sum(inout float sums[ROWS]) {
    const uint local = gl_LocalInvocationIndex, lane = local % TEAM;
    [[unroll]] for (uint r = 0; r < ROWS; ++r) team_values[r * INVOCATIONS + local] = sums[r];
    for (uint step = 1; step < TEAM; step *= 2) {
        barrier();
        if (lane % (2 * step) != 0) continue;
        [[unroll]] for (uint r = 0; r < ROWS; ++r) {
            const uint at = r * INVOCATIONS + local;
            precise const float sum = team_values[at] + team_values[at + step];
            team_values[at] = sum;
        }
    }
    barrier();
    [[unroll]] for (uint r = 0; r < ROWS; ++r) sums[r] = team_values[r * INVOCATIONS + local - lane];
}

// Every invocation of the workgroup calls it, with its COLUMNS outputs of ROWS rows from `first_row` on; those in
// columns from `n` on count for nothing. Rows from `rows` on have no record.
void write_records(uint first_row, uint rows, uint column, uint n, float ends[ROWS][COLUMNS]) {
    float maxima[ROWS], sums[ROWS];
    uint columns[ROWS];
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        maxima[r] = kNothing;
        columns[r] = kNoColumn;
        [[unroll]] for (uint c = 0; c < COLUMNS; ++c) {
            const bool ahead = column + c < n && ends[r][c] > kDisabled && ends[r][c] > maxima[r];
            maxima[r] = ahead ? ends[r][c] : maxima[r];
            columns[r] = ahead ? column + c : columns[r];
        }
    }
    team_maximum(maxima, columns);
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        float terms[COLUMNS];
        [[unroll]] for (uint c = 0; c < COLUMNS; ++c)
            terms[c] = column + c < n ? exponential(ends[r][c], maxima[r]) : 0.0;
        sums[r] = tree_sum(terms);
    }
    team_sum(sums);
    if (gl_LocalInvocationIndex % TEAM != 0) return;
    const uint tile = tile_in_records(column / TOPK_TILE), tiles = pc.record_tiles;
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        if (first_row + r >= rows) return;
        records[record_index(first_row + r, RECORD_MAXIMUM, tile, tiles)] = floatBitsToUint(maxima[r]);
        records[record_index(first_row + r, RECORD_SUM, tile, tiles)] = floatBitsToUint(sums[r]);
        records[record_index(first_row + r, RECORD_COLUMN, tile, tiles)] = column_in_records(columns[r]);
    }
}

#endif
