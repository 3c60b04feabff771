// SPDX-License-Identifier: Apache-2.0
// Lists the live rows and slots for the next step, and tells the host how many there are.
#ifndef DRAGOMAN_LIST_LIVE_GLSL
#define DRAGOMAN_LIST_LIVE_GLSL
#include "meet.glsl"
#include "shared/search.h"

// Whoever includes this has the buffers s and progress, and INVOCATIONS.
const uint kListLanes = INVOCATIONS < 128 ? INVOCATIONS : 128;
const uint kListPlaces = IN_STEP != 0 ? 1 : 4;  // slots of a lane whose words are read at once
shared uvec2 live_before[kListLanes];  // rows and slots of the lanes before, each one's own included

// Rows of the slot in the next step; 0: it takes no part. Its words are read without branches: each would wait for the
// one before.
uint rows_next(uint slot, uint least) {
    const uint at = pc.slots_at + slot * SLOT_WORDS;
    const uint urgency = s[at + SLOT_ACTIVE], width = s[at + SLOT_WIDTH], steps = s[at + SLOT_STEPS],
               position = s[pc.position_at + slot * pc.beam];
    return urgency != 0 && urgency >= least && position < steps ? width : 0;
}

// By all of one workgroup.
void list_live() {
    const uint lane = gl_LocalInvocationIndex;
    const uint share = (pc.slots + kListLanes - 1) / kListLanes;
    const uint begin = min(lane * share, pc.slots), end = lane < kListLanes ? min(begin + share, pc.slots) : begin;
    const uint least = progress[PROGRESS_LEAST];

    uint rows_of[kListPlaces];
    uvec2 own = uvec2(0);
    for (uint first = begin; first < end; first += kListPlaces) {
        [[unroll]] for (uint i = 0; i < kListPlaces; ++i) {
            const uint rows = rows_next(min(first + i, end - 1), least);
            rows_of[i] = first + i < end ? rows : 0;
        }
        [[unroll]] for (uint i = 0; i < kListPlaces; ++i) own += uvec2(rows_of[i], min(rows_of[i], 1));
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
    for (uint first = begin; first < end; first += kListPlaces) {
        if (share > kListPlaces)  // otherwise they are still known
            [[unroll]] for (uint i = 0; i < kListPlaces; ++i) {
                const uint rows = rows_next(min(first + i, end - 1), least);
                rows_of[i] = first + i < end ? rows : 0;
            }
        [[unroll]] for (uint i = 0; i < kListPlaces; ++i) {
            if (rows_of[i] == 0) continue;
            const uint slot = first + i;
            s[pc.live_slots_at + place++] = slot;
            s[pc.slots_at + slot * SLOT_WORDS + SLOT_FIRST_ROW] = row;
            for (uint k = 0; k < rows_of[i]; ++k) s[pc.live_rows_at + row++] = slot * pc.beam + k;
        }
    }
}

#endif
