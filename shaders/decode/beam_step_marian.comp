// SPDX-License-Identifier: Apache-2.0
// One search step of one sentence per workgroup by the rules of Marian (docs/options.md): a beam that finishes leaves
// and is not replaced.
#version 460
#pragma kernel(beam_step_marian)
#pragma kernel(beam_step_marian_terms)  // of sentences with terms that must come
#extension GL_EXT_control_flow_attributes : require
#define TERMS KERNEL_beam_step_marian_terms
#include "beam_step.glsl"

// Suppressed tokens keep their probability, so the others' do not grow.
bool passed_over(uint token) {
    uint at = pc.suppress_at;
    for (uint i = 0; i < pc.suppressed; ++i) {
        if (p[at] == 1 && p[at + 1] == token) return true;
        at += 1 + p[at];
    }
    return false;
}

float finished_rank(float score, uint tokens) { return score; }

void choose(uint candidates, bool searched, bool last) {
    uint width = 0;
    for (uint n = 0; n < candidates; ++n) {
        if (searched && candidate_score[n] <= kLowest) break;  // fewer tokens than beams
        if (last || (searched && is_end(candidate_token[n]))) store_finished(n);
        else chosen[width++] = n;
    }
    if (width == 0 && slot_words[SLOT_FINISHED] == 0) store_finished(0);
    store_decision(width);
}

void main() {
    if (!load_slot()) return;
    load_rows();
    const bool searched = t >= context + prefix;
    const uint wanted = pc.beam - slot_words[SLOT_FINISHED];
    if (searched) pick_candidates(wanted);
    if (gl_LocalInvocationIndex == 0) {
        const uint candidates = searched ? merge_candidates(wanted) : force_candidates(1);
        choose(candidates, searched, t + 1 == p[input_at + INPUT_MAX_LENGTH]);
    }
    carry_on();
}
