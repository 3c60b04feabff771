// SPDX-License-Identifier: Apache-2.0
// Second half of topk, one row per workgroup: joins the records of its tiles. The k best columns are in the k tiles with
// the best maxima, so no others are read again; for k = 1 the record names the column.
#version 460
#extension GL_EXT_control_flow_attributes : require
#include "candidate.glsl"
#include "reduce.glsl"
#include "tile_record.glsl"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // a power of two, at most 128
layout(constant_id = 1) const uint LIST = 4;

layout(push_constant) uniform Push { TopkPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float x[]; };  // not read for k = 1
layout(binding = 2) readonly buffer Records { uint records[]; };
layout(binding = 3) writeonly buffer Values { uint values[]; };
layout(binding = 4) writeonly buffer Columns { uint columns[]; };
layout(binding = 5) writeonly buffer LogSum { float log_sum[]; };

const uint kMinusInfinity = 0xff800000u;  // as bits: GLSL has no such literal
const uint kMaxK = 128;

// In shared memory, not in registers: what lives across barriers is slow on CPU devices.
shared float list_values[LIST * LANES];
shared uint list_columns[LIST * LANES];
shared uint best_tiles[kMaxK];

// A lane's candidates: the best of every tile, then every column of the best tiles.
Candidate candidate(uint row, uint i, bool of_tiles) {
    if (of_tiles)
        return Candidate(uintBitsToFloat(records[record_index(row, RECORD_MAXIMUM, i, pc.tiles)]),
                         records[record_index(row, RECORD_COLUMN, i, pc.tiles)]);
    const uint column = best_tiles[i / TOPK_TILE] * TOPK_TILE + i % TOPK_TILE;
    const float value = column < pc.cols ? x[row * pc.stride + column] : kNothing;
    return value > kDisabled ? Candidate(value, column) : Candidate(kNothing, kNoColumn);
}

// Lists the lane's first LIST candidates after `last`. Those that run out scan again, which many lanes rarely do.
void fill_list(uint row, uint candidates, bool of_tiles, Candidate last) {
    const uint lane = gl_LocalInvocationIndex;
    Candidate list[LIST];
    [[unroll]] for (uint s = 0; s < LIST; ++s) list[s] = Candidate(kNothing, kNoColumn);
    for (uint i = lane; i < candidates; i += LANES) {
        Candidate found = candidate(row, i, of_tiles);
        if (!precedes(last, found)) found = Candidate(kNothing, kNoColumn);
        [[unroll]] for (uint s = 0; s < LIST; ++s) {
            const bool ahead = precedes(found, list[s]);
            const Candidate pushed = ahead ? list[s] : found;
            if (ahead) list[s] = found;
            found = pushed;
        }
    }
    [[unroll]] for (uint s = 0; s < LIST; ++s) {
        list_values[s * LANES + lane] = list[s].value;
        list_columns[s * LANES + lane] = list[s].column;
    }
}

float row_log_sum(uint row) {
    float maximum = kNothing, sum = 0.0;
    for (uint t = gl_LocalInvocationIndex; t < pc.tiles; t += LANES)
        maximum = max(maximum, uintBitsToFloat(records[record_index(row, RECORD_MAXIMUM, t, pc.tiles)]));
    maximum = reduce_max(maximum, LANES);
    for (uint t = gl_LocalInvocationIndex; t < pc.tiles; t += LANES)
        sum += uintBitsToFloat(records[record_index(row, RECORD_SUM, t, pc.tiles)]) *
               exp(uintBitsToFloat(records[record_index(row, RECORD_MAXIMUM, t, pc.tiles)]) - maximum);
    sum = reduce_sum(sum, LANES);
    return sum > 0.0 ? maximum + log(sum) : kDisabled;
}

// The first `wanted` candidates, in order. Those of tiles become best_tiles, the others results; returns how many
// there are.
uint select(uint row, uint candidates, bool of_tiles, uint wanted) {
    const uint lane = gl_LocalInvocationIndex;
    uint used = 0, found = 0;
    fill_list(row, candidates, of_tiles, Candidate(-kNothing, 0));
    for (uint rank = 0; rank < wanted; ++rank) {
        const uint head = used % LIST * LANES + lane;
        const Candidate mine = Candidate(list_values[head], list_columns[head]);
        const Candidate best = reduce_first(mine, LANES);
        const bool none = best.column == kNoColumn;
        if (of_tiles && none) break;
        if (lane == 0 && of_tiles) best_tiles[rank] = best.column / TOPK_TILE;
        if (lane == 0 && (!of_tiles || pc.k == 1)) {
            values[row * pc.k + rank] = none ? kMinusInfinity : floatBitsToUint(best.value);
            columns[row * pc.k + rank] = best.column;
        }
        found = rank + 1;
        if (none || mine.column != best.column) continue;
        ++used;
        if (used % LIST == 0 && rank + 1 < wanted) fill_list(row, candidates, of_tiles, best);
    }
    return found;
}

void main() {
    const uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationIndex;
    if (row >= count) return;
    const float total = row_log_sum(row);
    if (lane == 0) log_sum[row] = total;

    const uint found = select(row, pc.tiles, true, min(pc.k, pc.tiles));
    if (pc.k == 1) {
        if (found == 0 && lane == 0) {
            values[row] = kMinusInfinity;
            columns[row] = kNoColumn;
        }
        return;
    }
    barrier();  // best_tiles
    select(row, found * TOPK_TILE, false, pc.k);
}
