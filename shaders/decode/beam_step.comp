// SPDX-License-Identifier: Apache-2.0
// One search step of one sentence per workgroup by the rules of CTranslate2 (docs/options.md). Beam 1 is greedy search.
#version 460
#pragma kernel(beam_step)
#pragma kernel(beam_step_terms)  // of sentences with terms that must come
#extension GL_EXT_control_flow_attributes : require
#define TERMS KERNEL_beam_step_terms
#include "beam_step.glsl"

bool passed_over(uint token) { return false; }

float finished_rank(float score, uint tokens) { return score; }

// In the first step after a hard prefix, an end token from secondary candidates would give short
// hypotheses that win without length normalisation.
void bar_early_ends(uint candidates) {
    for (uint n = 1; n < candidates; ++n)
        if (is_end(candidate_token[n])) {
            candidate_token[n] = 0;
            candidate_parent[n] = 0;
            candidate_score[n] = kPenalised;
            note_terms(n);
        }
}

// CTranslate2 keeps these flags by place, not by parent; the same here, so that results agree.
void update_divergence() {
    const uint biased = p[input_at + INPUT_BIASED];
    for (uint k = 0; k < pc.beam; ++k)
        if (t >= biased || candidate_token[k] != p[p[input_at + INPUT_FORCED_AT] + t])
            slot_words[SLOT_DIVERGED_LOW + k / 32] |= 1u << (k % 32);
}

#if TERMS
// As below, with fewer beams where there are fewer candidates.
void choose(uint candidates, bool searched, bool last) {
    const uint scanned = min(candidates, pc.beam);
    uint width = 0, spare = pc.beam;
    for (uint k = 0; k < scanned; ++k) {
        uint kept = k;
        if (last || (searched && is_end(candidate_token[k]))) {
            if (k == 0) slot_words[SLOT_TOP_FINISHED] = 1;
            store_finished(k);
            while (spare < candidates && is_end(candidate_token[spare])) ++spare;
            if (spare >= candidates) continue;
            kept = spare++;
        }
        chosen[width++] = kept;
    }
    const uint finished = slot_words[SLOT_FINISHED];
    const bool done = last || (pc.max_candidates == 0
                                   ? slot_words[SLOT_TOP_FINISHED] != 0 && finished >= pc.num_hypotheses
                                   : finished >= pc.max_candidates);
    if (width == 0 && finished == 0) store_finished(0);
    store_decision(done ? 0 : width);
}
#else
void choose(uint candidates, bool searched, bool last) {
    const uint scanned = min(candidates, pc.beam);
    uint spare = pc.beam;
    for (uint k = 0; k < scanned; ++k) {
        chosen[k] = k;
        if (!last && !(searched && is_end(candidate_token[k]))) continue;
        if (k == 0) slot_words[SLOT_TOP_FINISHED] = 1;
        store_finished(k);
        for (uint j = spare; j < candidates; ++j)
            if (!is_end(candidate_token[j])) {
                chosen[k] = j;
                spare = j + 1;
                break;
            }
    }
    const uint finished = slot_words[SLOT_FINISHED];
    const bool done = last || (pc.candidates == 1 && finished > 0) ||
                      (pc.max_candidates == 0
                           ? slot_words[SLOT_TOP_FINISHED] != 0 && finished >= pc.num_hypotheses
                           : finished >= pc.max_candidates);
    store_decision(done ? 0 : (searched ? pc.beam : 1));
}
#endif

void main() {
    if (!load_slot()) return;
    load_rows();
    const bool searched = t >= context + prefix;
    if (searched) pick_candidates(2 * pc.beam);
    if (gl_LocalInvocationIndex == 0) {
        const bool last = t + 1 == p[input_at + INPUT_MAX_LENGTH];
        const uint candidates =
            searched ? merge_candidates(pc.candidates) : force_candidates(last && t >= context ? pc.beam : 1);
        if (prefix > 0 && t == context + prefix) bar_early_ends(candidates);
        if (pc.prefix_bias_beta > 0.0) update_divergence();
        choose(candidates, searched, last);
    }
    carry_on();
}
