// SPDX-License-Identifier: Apache-2.0
// y[row][c] = x[row][places[c]], or `otherwise` where there is no such column or the row's slot does not permit it. One
// workgroup per row and kSpreadColumns.
#version 460
#include "shared/elementwise.h"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push { SpreadColumnsPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) readonly buffer Places { uint places[]; };
layout(binding = 3) readonly buffer LiveRows { uint live_rows[]; };
layout(binding = 4) readonly buffer Permitted { uint permitted[]; };  // [slot][words], a bit per column
layout(binding = 5) writeonly buffer Out { float y[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint begin = gl_WorkGroupID.y * kSpreadColumns, end = min(begin + kSpreadColumns, pc.y_cols);
    const uint words = (pc.y_cols + 31) / 32, slot_at = pc.beam == 0 ? 0 : live_rows[row] / pc.beam * words;
    for (uint c = begin + gl_LocalInvocationIndex; c < end; c += 64) {
        const uint place = places[c];
        float value = pc.otherwise;
        const bool permits = pc.beam == 0 || (permitted[slot_at + c / 32] >> (c % 32) & 1u) != 0;
        if (place < pc.x_cols && permits) value = x[row * pc.x_stride + place];
        y[row * pc.y_stride + c] = value;
    }
}
