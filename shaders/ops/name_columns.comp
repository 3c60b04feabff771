// SPDX-License-Identifier: Apache-2.0
// columns[i] = ids[columns[i]], in place; what is no column stays. One workgroup per row.
#version 460
#include "shared/elementwise.h"

layout(local_size_x = 8) in;
layout(push_constant) uniform Push { NameColumnsPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Ids { uint ids[]; };
layout(binding = 2) buffer Columns { uint columns[]; };

void main() {
    const uint row = gl_WorkGroupID.x;
    if (row >= count) return;
    for (uint i = gl_LocalInvocationIndex; i < pc.per_row; i += 8) {
        const uint column = columns[row * pc.per_row + i];
        if (column < pc.ids) columns[row * pc.per_row + i] = ids[column];
    }
}
