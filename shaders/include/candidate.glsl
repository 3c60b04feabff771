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

shared float candidate_values[128];
shared uint candidate_columns[128];

// The first of all lanes' candidates. Every invocation of the workgroup calls it; `lanes` is its size, a power of two
// and at most 128.
Candidate reduce_first(Candidate mine, uint lanes) {
    const uint lane = gl_LocalInvocationIndex;
    candidate_values[lane] = mine.value;
    candidate_columns[lane] = mine.column;
    for (uint half_way = lanes / 2; half_way > 0; half_way /= 2) {
        barrier();
        if (lane < half_way) {
            const Candidate other = Candidate(candidate_values[lane + half_way], candidate_columns[lane + half_way]);
            if (precedes(other, mine)) mine = other;
            candidate_values[lane] = mine.value;
            candidate_columns[lane] = mine.column;
        }
    }
    barrier();
    const Candidate first = Candidate(candidate_values[0], candidate_columns[0]);
    barrier();  // the next reduction may overwrite the scratch
    return first;
}

#endif
