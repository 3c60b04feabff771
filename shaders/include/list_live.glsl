// SPDX-License-Identifier: Apache-2.0
// Lists the live rows and slots for the next step, and tells the host how many there are.
#ifndef DRAGOMAN_LIST_LIVE_GLSL
#define DRAGOMAN_LIST_LIVE_GLSL
#include "meet.glsl"
#include "shared/search.h"

// Whoever includes this has the buffers s and progress, and INVOCATIONS.
const uint kListLanes = INVOCATIONS < 64 ? INVOCATIONS : 64;
shared uvec2 live_before[64];  // rows and slots of the lanes before, each one's own included

// Whether the slot whose words begin at `at` takes part in the next step.
bool goes_on(uint slot, uint at) {
    return s[at + SLOT_ACTIVE] != 0 && s[at + SLOT_ACTIVE] >= progress[PROGRESS_LEAST] &&
           s[pc.position_at + slot * pc.beam] < s[at + SLOT_STEPS];
}

// By all of one workgroup.
void list_live() {
    const uint lane = gl_LocalInvocationIndex;
    const uint share = (pc.slots + kListLanes - 1) / kListLanes;
    const uint begin = min(lane * share, pc.slots), end = min(begin + share, pc.slots);

    uvec2 own = uvec2(0);
    for (uint slot = begin; slot < end; ++slot) {
        const uint at = pc.slots_at + slot * SLOT_WORDS;
        if (goes_on(slot, at)) own += uvec2(s[at + SLOT_WIDTH], 1);
    }
    const uint lanes = min(kListLanes, pc.slots);
    uvec2 sum = own;
    if (lane < kListLanes) live_before[lane] = sum;
    for (uint distance = 1; distance < lanes; distance *= 2) {
        meet();
        if (lane >= distance && lane < kListLanes) sum += live_before[lane - distance];
        meet();
        if (lane < kListLanes) live_before[lane] = sum;
    }
    meet();

    if (lane == 0) {
        const uvec2 all = live_before[lanes - 1];
        s[pc.counts_at] = all.x;
        s[pc.counts_at + pc.counts_stride] = all.y;
        progress[PROGRESS_LIVE] = all.y;
        progress[PROGRESS_ROWS] = all.x;
        if (all.y != 0) progress[PROGRESS_STEPS] += 1;
        progress[PROGRESS_SLOT_STEPS] += all.y;
        progress[PROGRESS_ROW_STEPS] += all.x;
    }
    uint row = sum.x - own.x, place = sum.y - own.y;
    for (uint slot = begin; slot < end; ++slot) {
        const uint at = pc.slots_at + slot * SLOT_WORDS;
        if (!goes_on(slot, at)) continue;
        s[pc.live_slots_at + place++] = slot;
        s[at + SLOT_FIRST_ROW] = row;
        const uint width = s[at + SLOT_WIDTH];
        for (uint k = 0; k < width; ++k) s[pc.live_rows_at + row++] = slot * pc.beam + k;
    }
}

#endif
