// SPDX-License-Identifier: Apache-2.0
// First half of topk: the best k of one tile of columns, its maximum and its sum of exponentials, one tile per
// workgroup. Each lane lists the best LIST of its columns and looks for more when they are used up.
#version 460
#extension GL_EXT_control_flow_attributes : require
#include "candidate.glsl"
#include "reduce.glsl"
#include "shared/topk.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint LANES = 64;  // a power of two, at most 128
layout(constant_id = 1) const uint LIST = 4;
layout(constant_id = 2) const uint QUADS = 1;   // rows begin at multiples of 4: four columns are one load

layout(push_constant) uniform Push { TopkPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 1) readonly buffer XQuads { vec4 x_quads[]; };
layout(binding = 2) writeonly buffer Scratch { uint scratch[]; };

// In shared memory, not in registers: what lives across barriers is slow on CPU devices.
shared float list_values[LIST * LANES];
shared uint list_columns[LIST * LANES];

// Columns `column` .. + 3 of a row; anything past `end`.
vec4 load_quad(uint row_at, uint column, uint end) {
    if (QUADS != 0) return x_quads[(row_at + column) / 4];
    const uint last = row_at + end - 1, at = row_at + column;
    return vec4(x[at], x[min(at + 1, last)], x[min(at + 2, last)], x[min(at + 3, last)]);
}

// Lists the lane's first LIST candidates after `last`.
void fill_list(uint row_at, uint begin, uint end, Candidate last) {
    const uint lane = gl_LocalInvocationIndex;
    Candidate list[LIST];
    [[unroll]] for (uint s = 0; s < LIST; ++s) list[s] = Candidate(kNothing, kNoColumn);
    for (uint first = begin + 4 * lane; first < end; first += 4 * LANES) {
        const vec4 quad = load_quad(row_at, first, end);
        [[unroll]] for (uint i = 0; i < 4; ++i) {
            Candidate found = Candidate(quad[i], first + i);
            const bool enabled = found.value > kDisabled && found.column < end;
            if (!enabled || !precedes(last, found)) found.value = kNothing;
            // Columns ascend, so an equal value stays behind.
            [[unroll]] for (uint s = 0; s < LIST; ++s) {
                const bool ahead = found.value > list[s].value;
                const Candidate pushed = ahead ? list[s] : found;
                list[s] = ahead ? found : list[s];
                found = pushed;
            }
        }
    }
    [[unroll]] for (uint s = 0; s < LIST; ++s) {
        list_values[s * LANES + lane] = list[s].value;
        list_columns[s * LANES + lane] = list[s].column;
    }
}

float exponential_sum(uint row_at, uint begin, uint end, float maximum) {
    float sum = 0.0;
    for (uint first = begin + 4 * gl_LocalInvocationIndex; first < end; first += 4 * LANES) {
        const vec4 quad = load_quad(row_at, first, end);
        [[unroll]] for (uint i = 0; i < 4; ++i)
            sum += quad[i] > kDisabled && first + i < end ? exp(quad[i] - maximum) : 0.0;
    }
    return sum;
}

void main() {
    const uint row = gl_WorkGroupID.x, tile = gl_WorkGroupID.y, lane = gl_LocalInvocationIndex;
    if (row >= count) return;
    const uint row_at = row * pc.stride, target = (row * pc.tiles + tile) * (2 + 2 * pc.k);
    const uint begin = tile * TOPK_TILE, end = min(begin + TOPK_TILE, pc.cols);

    fill_list(row_at, begin, end, Candidate(-kNothing, 0));
    uint used = 0;
    float maximum = kNothing;
    for (uint rank = 0; rank < pc.k; ++rank) {
        const uint head = used % LIST * LANES + lane;
        const Candidate mine = Candidate(list_values[head], list_columns[head]);
        const Candidate best = reduce_first(mine, LANES);
        if (rank == 0) maximum = best.value;
        if (lane == 0) {
            scratch[target + 2 + rank] = floatBitsToUint(best.value);
            scratch[target + 2 + pc.k + rank] = best.column;
        }
        if (best.column == kNoColumn || mine.column != best.column) continue;
        ++used;
        if (used % LIST == 0 && rank + 1 < pc.k) fill_list(row_at, begin, end, best);
    }

    const float sum = reduce_sum(exponential_sum(row_at, begin, end, maximum), LANES);
    if (lane == 0) {
        scratch[target] = floatBitsToUint(maximum);
        scratch[target + 1] = floatBitsToUint(sum);
    }
}
