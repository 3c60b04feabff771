// SPDX-License-Identifier: Apache-2.0
// Indirect dispatch arguments of every slot from its live row count.
#version 460
#include "types.glsl"
#include "shared/group_table.h"

layout(local_size_x = 64) in;

layout(push_constant) uniform Push { GroupArgumentsPush pc; };
layout(binding = 0) readonly buffer Counts { uint counts[]; };
layout(binding = 1) readonly buffer Table { GroupEntry entries[]; };
layout(binding = 2) writeonly buffer Arguments { uint arguments[]; };

void main() {
    const uint slot = gl_GlobalInvocationID.x;
    if (slot >= pc.slots) return;
    const GroupEntry entry = entries[slot];
    const uint at = slot * kGroupArgumentStride;
    const uint count = counts[entry.count_at];
    arguments[at] = entry.rows_per_group == 0 ? 0 : (count + entry.rows_per_group - 1) / entry.rows_per_group;
    arguments[at + 1] = entry.y;
    arguments[at + 2] = entry.z;
}
