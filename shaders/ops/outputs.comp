// SPDX-License-Identifier: Apache-2.0
// Lists of permitted outputs (lib/ops/outputs.h).
#version 460
// Gathers outputs of a weight matrix in panels into another, word by word. One workgroup per panel of the result and
// kGatherInputs inputs.
#pragma kernel(gather_outputs)
// y[row][c] = x[row][places[c]], or `otherwise` where there is no such column or the row's slot does not permit it. One
// workgroup per row and kSpreadColumns.
#pragma kernel(spread_columns)
#include "shared/elementwise.h"

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Count { uint count; };

#if KERNEL_gather_outputs
layout(push_constant) uniform Push { GatherOutputsPush pc; };
layout(binding = 1) readonly buffer All { uint all_words[]; };
layout(binding = 2) readonly buffer Ids { uint ids[]; };
layout(binding = 3) buffer Some { uint some_words[]; };

const uint kPanel = 64;

// The word of input i that holds output ids[place], shifted so that the output is at its low end; 0 past the count and
// for outputs of other parts.
uint word_of(uint place, uint i, uint words_per_input) {
    if (place >= count) return 0;
    uint id = min(ids[place], pc.n - 1);
    if (id < pc.begin || id >= pc.end) return 0;
    id -= pc.begin;
    const uint word =
        all_words[(id / kPanel * pc.inputs + i) * words_per_input + id % kPanel * words_per_input / kPanel];
    return pc.halves == 0 ? word : word >> (id & 1) * 16 & 0xffff;
}

void main() {
    const uint words_per_input = pc.halves == 0 ? kPanel : kPanel / 2;
    const uint first = gl_WorkGroupID.x * kPanel;
    for (uint begin = gl_WorkGroupID.y * kGatherInputs; begin < pc.inputs;
         begin += gl_NumWorkGroups.y * kGatherInputs) {
        const uint words = min(kGatherInputs, pc.inputs - begin) * words_per_input;
        for (uint e = gl_LocalInvocationIndex; e < words; e += 64) {
            const uint i = begin + e / words_per_input, c = e % words_per_input;
            const uint to = (gl_WorkGroupID.x * pc.inputs + i) * words_per_input + c;
            const uint others = pc.begin > 0 ? some_words[to] : 0;
            if (pc.halves == 0) some_words[to] = others | word_of(first + c, i, words_per_input);
            else
                some_words[to] = others | word_of(first + 2 * c, i, words_per_input) |
                                 word_of(first + 2 * c + 1, i, words_per_input) << 16;
        }
    }
}
#else
layout(push_constant) uniform Push { SpreadColumnsPush pc; };
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
#endif
