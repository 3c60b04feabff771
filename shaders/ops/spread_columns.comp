// SPDX-License-Identifier: Apache-2.0
// y[row][c] = x[row][places[c]], or `otherwise` where there is no such column. One workgroup per row and
// kSpreadColumns.
#version 460
#include "shared/elementwise.h"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push { SpreadColumnsPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer X { float x[]; };
layout(binding = 2) readonly buffer Places { uint places[]; };
layout(binding = 3) writeonly buffer Out { float y[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    const uint begin = gl_WorkGroupID.y * kSpreadColumns, end = min(begin + kSpreadColumns, pc.y_cols);
    for (uint c = begin + gl_LocalInvocationIndex; c < end; c += 64) {
        const uint place = places[c];
        float value = pc.otherwise;
        if (place < pc.x_cols) value = x[row * pc.x_stride + place];
        y[row * pc.y_stride + c] = value;
    }
}
