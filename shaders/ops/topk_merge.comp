// SPDX-License-Identifier: Apache-2.0
// Second half of topk: joins the tiles of a row, one row per workgroup.
#version 460
#extension GL_EXT_control_flow_attributes : require
#include "candidate.glsl"
#include "reduce.glsl"
#include "shared/topk.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // a power of two
layout(constant_id = 1) const uint LIST = 4;

layout(push_constant) uniform Push { TopkPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Scratch { uint scratch[]; };
layout(binding = 2) writeonly buffer Values { uint values[]; };
layout(binding = 3) writeonly buffer Columns { uint columns[]; };
layout(binding = 4) writeonly buffer LogSum { float log_sum[]; };

const uint kMinusInfinity = 0xff800000u;  // as bits: GLSL has no such literal

// In shared memory, not in registers: what lives across barriers is slow on CPU devices.
shared float list_values[LIST * LANES];
shared uint list_columns[LIST * LANES];

// Lists the lane's first LIST candidates after `last`.
void fill_list(uint row_at, Candidate last) {
    const uint lane = gl_LocalInvocationIndex;
    Candidate list[LIST];
    [[unroll]] for (uint s = 0; s < LIST; ++s) list[s] = Candidate(kNothing, kNoColumn);
    for (uint i = lane; i < pc.tiles * pc.k; i += LANES) {
        const uint at = row_at + i / pc.k * (2 + 2 * pc.k) + 2 + i % pc.k;
        Candidate found = Candidate(uintBitsToFloat(scratch[at]), scratch[at + pc.k]);
        if (!precedes(last, found)) found = Candidate(kNothing, kNoColumn);
        // Equal values come by ascending column, so the later one stays behind.
        [[unroll]] for (uint s = 0; s < LIST; ++s) {
            const bool ahead = found.value > list[s].value;
            const Candidate pushed = ahead ? list[s] : found;
            list[s] = ahead ? found : list[s];
            found = pushed;
        }
    }
    [[unroll]] for (uint s = 0; s < LIST; ++s) {
        list_values[s * LANES + lane] = list[s].value;
        list_columns[s * LANES + lane] = list[s].column;
    }
}

float row_log_sum(uint row_at) {
    float maximum = kNothing, sum = 0.0;
    for (uint t = gl_LocalInvocationIndex; t < pc.tiles; t += LANES)
        maximum = max(maximum, uintBitsToFloat(scratch[row_at + t * (2 + 2 * pc.k)]));
    maximum = reduce_max(maximum, LANES);
    for (uint t = gl_LocalInvocationIndex; t < pc.tiles; t += LANES) {
        const uint at = row_at + t * (2 + 2 * pc.k);
        sum += uintBitsToFloat(scratch[at + 1]) * exp(uintBitsToFloat(scratch[at]) - maximum);
    }
    sum = reduce_sum(sum, LANES);
    return sum > 0.0 ? maximum + log(sum) : kDisabled;
}

void main() {
    const uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationIndex;
    if (row >= count) return;
    const uint row_at = row * pc.tiles * (2 + 2 * pc.k);
    const float total = row_log_sum(row_at);
    if (lane == 0) log_sum[row] = total;

    fill_list(row_at, Candidate(-kNothing, 0));
    uint used = 0;
    for (uint rank = 0; rank < pc.k; ++rank) {
        const uint head = used % LIST * LANES + lane;
        const Candidate mine = Candidate(list_values[head], list_columns[head]);
        const Candidate best = reduce_first(mine, LANES);
        if (lane == 0) {
            values[row * pc.k + rank] = best.column == kNoColumn ? kMinusInfinity : floatBitsToUint(best.value);
            columns[row * pc.k + rank] = best.column;
        }
        if (best.column == kNoColumn || mine.column != best.column) continue;
        ++used;
        if (used % LIST == 0 && rank + 1 < pc.k) fill_list(row_at, best);
    }
}
