// SPDX-License-Identifier: Apache-2.0
// Lists the live rows and slots for the next step, and tells the host how many there are.
#version 460
#include "shared/search.h"

layout(local_size_x = 64) in;
layout(push_constant) uniform Push { SearchPush pc; };
layout(binding = 0) buffer State { uint s[]; };
layout(binding = 1) buffer Progress { uint progress[]; };

shared uint rows_before[65];
shared uint slots_before[65];

// Whether the slot whose words begin at `at` takes part in the next step.
bool goes_on(uint slot, uint at) {
    return s[at + SLOT_ACTIVE] != 0 && s[at + SLOT_ACTIVE] >= progress[PROGRESS_LEAST] &&
           s[pc.position_at + slot * pc.beam] < s[at + SLOT_STEPS];
}

void main() {
    const uint lane = gl_LocalInvocationID.x;
    const uint share = (pc.slots + 63) / 64;
    const uint begin = min(lane * share, pc.slots), end = min(begin + share, pc.slots);

    uint rows = 0, slots = 0;
    for (uint slot = begin; slot < end; ++slot) {
        const uint at = pc.slots_at + slot * SLOT_WORDS;
        if (!goes_on(slot, at)) continue;
        ++slots;
        rows += s[at + SLOT_WIDTH];
    }
    rows_before[lane + 1] = rows;
    slots_before[lane + 1] = slots;
    barrier();
    if (lane == 0) {
        rows_before[0] = 0;
        slots_before[0] = 0;
        for (uint i = 0; i < 64; ++i) {
            rows_before[i + 1] += rows_before[i];
            slots_before[i + 1] += slots_before[i];
        }
        s[pc.counts_at] = rows_before[64];
        s[pc.counts_at + pc.counts_stride] = slots_before[64];
        progress[PROGRESS_LIVE] = slots_before[64];
        progress[PROGRESS_ROWS] = rows_before[64];
        if (slots_before[64] != 0) progress[PROGRESS_STEPS] += 1;
        progress[PROGRESS_SLOT_STEPS] += slots_before[64];
        progress[PROGRESS_ROW_STEPS] += rows_before[64];
    }
    barrier();

    uint row = rows_before[lane], place = slots_before[lane];
    for (uint slot = begin; slot < end; ++slot) {
        const uint at = pc.slots_at + slot * SLOT_WORDS;
        if (!goes_on(slot, at)) continue;
        s[pc.live_slots_at + place++] = slot;
        s[at + SLOT_FIRST_ROW] = row;
        const uint width = s[at + SLOT_WIDTH];
        for (uint k = 0; k < width; ++k) s[pc.live_rows_at + row++] = slot * pc.beam + k;
    }
}
