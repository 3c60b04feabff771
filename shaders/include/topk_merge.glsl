// SPDX-License-Identifier: Apache-2.0
// The k best columns of rows, one row for a team of LANES invocations: joins the records of a row's tiles. The k best
// columns are in the k tiles with the best maxima, so no others are read again; for k = 1 the record names the column.
#ifndef DRAGOMAN_TOPK_MERGE_GLSL
#define DRAGOMAN_TOPK_MERGE_GLSL

// Whoever includes this has the buffers x and records, and before it INVOCATIONS, LANES (a power of two) and LIST, the
// candidates that a lane keeps. Every invocation of the workgroup calls these functions together. After it comes
// store_candidate(row, rank, candidate), called by one lane.
#include "meet.glsl"
#include "reduce.glsl"
#include "tile_record.glsl"

// Values with their columns, ordered by descending value, then ascending column.
struct Candidate {
    float value;
    uint column;
};

bool precedes(Candidate a, Candidate b) { return a.value > b.value || (a.value == b.value && a.column < b.column); }

#ifndef CANDIDATE_INVOCATIONS
#define CANDIDATE_INVOCATIONS 128  // the largest workgroup
#endif
shared float candidate_values[CANDIDATE_INVOCATIONS];
shared uint candidate_columns[CANDIDATE_INVOCATIONS];

// The first of a team's candidates. Every invocation of the workgroup calls it; `lanes`, a power of two, is the team's
// size. Teams are consecutive invocations.
Candidate reduce_first(Candidate mine, uint lanes) {
    const uint slot = gl_LocalInvocationIndex, lane = slot & (lanes - 1);
    candidate_values[slot] = mine.value;
    candidate_columns[slot] = mine.column;
    for (uint half_way = lanes / 2; half_way > 0; half_way /= 2) {
        meet();
        if (lane < half_way) {
            const Candidate other = Candidate(candidate_values[slot + half_way], candidate_columns[slot + half_way]);
            if (precedes(other, mine)) mine = other;
            candidate_values[slot] = mine.value;
            candidate_columns[slot] = mine.column;
        }
    }
    meet();
    const Candidate first = Candidate(candidate_values[slot - lane], candidate_columns[slot - lane]);
    meet();  // the next reduction may overwrite the scratch
    return first;
}

const uint kMaxK = 128;

// The lists are in shared memory, not in registers: values that live across barriers are slow on CPU devices.
shared float list_values[LIST * INVOCATIONS];
shared uint list_columns[LIST * INVOCATIONS];
shared uint best_tiles[INVOCATIONS / LANES * kMaxK];

uint best_tiles_at() { return gl_LocalInvocationIndex / LANES * kMaxK; }

// A lane's candidates: the best of every tile, then every column of the best tiles.
Candidate candidate(TopkPush shape, uint row, uint i, bool of_tiles) {
    if (of_tiles)
        return Candidate(uintBitsToFloat(records[record_index(row, RECORD_MAXIMUM, i, shape.tiles)]),
                         records[record_index(row, RECORD_COLUMN, i, shape.tiles)]);
    const uint column = best_tiles[best_tiles_at() + i / TOPK_TILE] * TOPK_TILE + i % TOPK_TILE;
    const float value = column < shape.cols ? x[row * shape.stride + column] : kNothing;
    return is_enabled(value) ? Candidate(value, column) : Candidate(kNothing, kNoColumn);
}

// Lists the lane's first LIST candidates after `last`. Those that run out scan again, which many lanes rarely do.
void fill_list(TopkPush shape, uint row, uint candidates, bool of_tiles, Candidate last) {
    Candidate list[LIST];
    [[unroll]] for (uint s = 0; s < LIST; ++s) list[s] = Candidate(kNothing, kNoColumn);
    for (uint i = gl_LocalInvocationIndex % LANES; i < candidates; i += LANES) {
        Candidate found = candidate(shape, row, i, of_tiles);
        if (!precedes(last, found)) found = Candidate(kNothing, kNoColumn);
        [[unroll]] for (uint s = 0; s < LIST; ++s) {
            const bool ahead = precedes(found, list[s]);
            const Candidate pushed = ahead ? list[s] : found;
            if (ahead) list[s] = found;
            found = pushed;
        }
    }
    [[unroll]] for (uint s = 0; s < LIST; ++s) {
        list_values[s * INVOCATIONS + gl_LocalInvocationIndex] = list[s].value;
        list_columns[s * INVOCATIONS + gl_LocalInvocationIndex] = list[s].column;
    }
}

float row_log_sum(TopkPush shape, uint row) {
    const uint lane = gl_LocalInvocationIndex % LANES;
    float maximum = kNothing, sum = 0.0;
    for (uint t = lane; t < shape.tiles; t += LANES)
        maximum = max(maximum, uintBitsToFloat(records[record_index(row, RECORD_MAXIMUM, t, shape.tiles)]));
    maximum = reduce_max(maximum, LANES);
    for (uint t = lane; t < shape.tiles; t += LANES)
        sum += uintBitsToFloat(records[record_index(row, RECORD_SUM, t, shape.tiles)]) *
               exp(uintBitsToFloat(records[record_index(row, RECORD_MAXIMUM, t, shape.tiles)]) - maximum);
    sum = reduce_sum(sum, LANES);
    return is_finite(sum) && sum > 0.0 ? maximum + log(sum) : kDisabled;
}

void store_candidate(uint row, uint rank, Candidate candidate);

// The first `wanted` candidates, in order. Those of tiles become best_tiles, the others results; returns how many
// there are.
uint select(TopkPush shape, uint row, uint candidates, bool of_tiles, uint wanted) {
    const uint lane = gl_LocalInvocationIndex % LANES;
    uint used = 0, found = 0;
    Candidate last = Candidate(-kNothing, 0);
    bool empty = true;
    for (uint rank = 0; rank < wanted; ++rank) {
        if (empty) fill_list(shape, row, candidates, of_tiles, last);  // one place, since it is long and goes in line
        empty = false;
        const uint head = used % LIST * INVOCATIONS + gl_LocalInvocationIndex;
        const Candidate mine = Candidate(list_values[head], list_columns[head]);
        const Candidate best = reduce_first(mine, LANES);
        const bool none = best.column == kNoColumn;
        if (lane == 0 && of_tiles && !none) best_tiles[best_tiles_at() + rank] = best.column / TOPK_TILE;
        if (lane == 0 && (!of_tiles || shape.k == 1)) store_candidate(row, rank, best);
        if (none) continue;
        found = rank + 1;
        if (mine.column != best.column) continue;
        ++used;
        last = best;
        empty = used % LIST == 0;
    }
    return found;
}

// Calls store_candidate() for each of the k ranks; the tail is (kNothing, kNoColumn) where there are fewer.
void merge_records(TopkPush shape, uint row) {
    const uint found = select(shape, row, shape.tiles, true, min(shape.k, shape.tiles));
    if (shape.k == 1) return;
    meet();  // best_tiles
    select(shape, row, found * TOPK_TILE, false, shape.k);
}

#endif
