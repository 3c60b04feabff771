// SPDX-License-Identifier: Apache-2.0
// Reductions over teams of invocations of one workgroup, through a shared-memory tree: the order depends on the
// team's size alone, so a row's result does not depend on the device's subgroups or on other rows.
#ifndef DRAGOMAN_REDUCE_GLSL
#define DRAGOMAN_REDUCE_GLSL

#include "meet.glsl"

#ifndef REDUCE_INVOCATIONS
#define REDUCE_INVOCATIONS 256  // the largest workgroup that may reduce
#endif
shared float reduce_scratch[REDUCE_INVOCATIONS];

// Every invocation of the workgroup calls these together. `lanes`, a power of two, is the team's size; teams are
// consecutive invocations. All members get the result.
float reduce_sum(float value, uint lanes) {
    const uint slot = gl_LocalInvocationIndex, lane = slot & (lanes - 1);
    reduce_scratch[slot] = value;
    for (uint half_way = lanes / 2; half_way > 0; half_way /= 2) {
        meet();
        if (lane < half_way) reduce_scratch[slot] += reduce_scratch[slot + half_way];
    }
    meet();
    const float total = reduce_scratch[slot - lane];
    meet();  // the next reduction may overwrite the scratch
    return total;
}

float reduce_max(float value, uint lanes) {
    const uint slot = gl_LocalInvocationIndex, lane = slot & (lanes - 1);
    reduce_scratch[slot] = value;
    for (uint half_way = lanes / 2; half_way > 0; half_way /= 2) {
        meet();
        if (lane < half_way) reduce_scratch[slot] = max(reduce_scratch[slot], reduce_scratch[slot + half_way]);
    }
    meet();
    const float largest = reduce_scratch[slot - lane];
    meet();
    return largest;
}

#endif
