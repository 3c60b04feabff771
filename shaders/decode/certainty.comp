// SPDX-License-Identifier: Apache-2.0
// How sure each live row is of its next token. The numbers lie behind the step's attention and take the way of it:
// when a hypothesis finishes, its steps' are gathered by the ancestry.
#version 460
#include "shared/certainty.h"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push { CertaintyPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) readonly buffer Records { uint records[]; };
layout(binding = 3) readonly buffer State { uint s[]; };
layout(binding = 4) writeonly buffer Attention { float attention[]; };

const uint LANES = 64;
#define REDUCE_INVOCATIONS LANES
#include "reduce.glsl"
#include "tile_record.glsl"

float tile_maximum(uint row, uint tile, uint tiles) {
    return uintBitsToFloat(records[record_index(row, RECORD_MAXIMUM, tile, tiles)]);
}

void main() {
    const uint row = gl_WorkGroupID.x, lane = gl_LocalInvocationIndex;
    if (row >= count) return;
    const uint tiles = (pc.cols + TOPK_TILE - 1) / TOPK_TILE;
    float best = kNothing;
    for (uint tile = lane; tile < tiles; tile += LANES) best = max(best, tile_maximum(row, tile, tiles));
    best = reduce_max(best, LANES);
    float sum = 0.0, weighted = 0.0, bests = 0.0, second = best - CERTAINTY_FAR;
    for (uint tile = 0; tile < tiles; ++tile) {
        if (tile_maximum(row, tile, tiles) < best - CERTAINTY_FAR) continue;
        for (uint i = lane; i < TOPK_TILE; i += LANES) {
            const uint column = tile * TOPK_TILE + i;
            const float value = column < pc.cols ? x[row * pc.stride + column] : kNothing;
            if (!is_enabled(value)) continue;
            const float distance = value - best, mass = exp(distance);
            sum += mass;
            weighted += distance * mass;
            if (value < best) second = max(second, value);
            else bests += 1.0;
        }
    }
    sum = reduce_sum(sum, LANES);
    weighted = reduce_sum(weighted, LANES);
    bests = reduce_sum(bests, LANES);
    second = reduce_max(second, LANES);
    if (lane > 0) return;
    const uint cache_row = s[pc.live_rows_at + row];
    const uint step = cache_row * pc.max_steps + s[pc.position_at + cache_row];
    const uint at = step * pc.attention_stride + pc.certainty_at;
    const bool known = is_finite(sum) && sum > 0.0;
    const float log_sum = known ? log(sum) : 0.0;
    attention[at + CERTAINTY_SCORE] = uintBitsToFloat(s[pc.scores_at + cache_row]);
    attention[at + CERTAINTY_ENTROPY] = known ? max(log_sum - weighted / sum, 0.0) : 0.0;
    attention[at + CERTAINTY_MARGIN] = known && bests < 2.0 ? best - second : 0.0;
    attention[at + CERTAINTY_BEST] = -log_sum;
}
