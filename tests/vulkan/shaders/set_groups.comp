// SPDX-License-Identifier: Apache-2.0
// Indirect dispatch arguments for `count` invocations in groups of `size`.
#version 460

layout(local_size_x = 1) in;
layout(push_constant) uniform Push { uint size; } pc;
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) writeonly buffer Groups { uint groups[3]; };

void main() {
    groups[0] = (count + pc.size - 1) / pc.size;
    groups[1] = 1;
    groups[2] = 1;
}
