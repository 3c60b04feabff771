// SPDX-License-Identifier: Apache-2.0
// Gathers outputs of a weight matrix in panels into another, word by word. One workgroup per panel of the result and
// kGatherInputs inputs.
#version 460
#pragma kernel(gather_outputs)
#include "shared/elementwise.h"

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Count { uint count; };

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
