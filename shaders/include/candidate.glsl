// SPDX-License-Identifier: Apache-2.0
// Values with their columns, ordered by descending value, then ascending column.
#ifndef DRAGOMAN_CANDIDATE_GLSL
#define DRAGOMAN_CANDIDATE_GLSL

#include "candidate_value.glsl"

struct Candidate {
    float value;
    uint column;
};

bool precedes(Candidate a, Candidate b) {
    return a.value > b.value || (a.value == b.value && a.column < b.column);
}

#ifndef CANDIDATE_INVOCATIONS
#define CANDIDATE_INVOCATIONS 128  // the largest workgroup
#endif
shared float candidate_values[CANDIDATE_INVOCATIONS];
shared uint candidate_columns[CANDIDATE_INVOCATIONS];

// The first of a team's candidates. Every invocation of the workgroup calls it; `lanes`, a power of two, is the team's
// size. Teams are consecutive invocations.
Candidate reduce_first(Candidate mine, uint lanes) {
    const uint slot = gl_LocalInvocationIndex, lane = slot & (lanes - 1);
    candidate_values[slot] = mine.value;
    candidate_columns[slot] = mine.column;
    for (uint half_way = lanes / 2; half_way > 0; half_way /= 2) {
        barrier();
        if (lane < half_way) {
            const Candidate other = Candidate(candidate_values[slot + half_way], candidate_columns[slot + half_way]);
            if (precedes(other, mine)) mine = other;
            candidate_values[slot] = mine.value;
            candidate_columns[slot] = mine.column;
        }
    }
    barrier();
    const Candidate first = Candidate(candidate_values[slot - lane], candidate_columns[slot - lane]);
    barrier();  // the next reduction may overwrite the scratch
    return first;
}

#endif
