// SPDX-License-Identifier: Apache-2.0
// Recurrent states, f32 [2][cache rows][cols] by parity of the step (lib/ops/recurrence.h): bindings 1 to 4, and where
// a live row finds what came before and leaves what comes next.
#ifndef DRAGOMAN_RECURRENCE_GLSL
#define DRAGOMAN_RECURRENCE_GLSL
#include "types.glsl"
#include "shared/recurrence.h"

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;

layout(push_constant) uniform Push { RecurrencePush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 2) readonly buffer Position { uint position[]; };
layout(binding = 3) readonly buffer Ancestry { uint ancestry[]; };
layout(binding = 4) buffer States { float states[]; };

struct RecurrentRow {
    uint at_step;
    uint before;  // where the state after the step before begins; not to be read at step 0
    uint after;
};

RecurrentRow recurrent_row(uint row) {
    const uint cache_row = live_rows[row], t = position[cache_row], parity = t & 1;
    uint parent = cache_row;
    if (pc.beam > 1 && t > 0)
        parent = cache_row / pc.beam * pc.beam +
                 ancestry[(parity * pc.cache_rows + cache_row) * pc.max_steps + t - 1];
    return RecurrentRow(t, ((1 - parity) * pc.cache_rows + parent) * pc.cols,
                        (parity * pc.cache_rows + cache_row) * pc.cols);
}

// Column c of the state before; zeros before the first step.
float state_before(RecurrentRow row, uint c) { return row.at_step == 0 ? 0.0 : states[row.before + c]; }

#endif
