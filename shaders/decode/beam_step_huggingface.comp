// SPDX-License-Identifier: Apache-2.0
// One search step of one sentence per workgroup by the rules of Hugging Face transformers (docs/options.md): as many
// finished hypotheses as beams are kept, the best by normalised score, until no live beam can join them.
#version 460
#pragma kernel(beam_step_huggingface)
#pragma kernel(beam_step_huggingface_terms)  // of sentences with terms that must come
#extension GL_EXT_control_flow_attributes : require
#define TERMS KERNEL_beam_step_huggingface_terms
#include "beam_step.glsl"

bool passed_over(uint token) { return false; }

float normalised(float score, uint tokens) {
    return score / pow(float(tokens), uintBitsToFloat(p[pc.rules_at + RULE_LENGTH_PENALTY]));
}

float finished_rank(float score, uint tokens) { return normalised(score, tokens - context); }

// At the length limit every beam gets the end token, for nothing.
uint force_end(uint token) {
    const uint width = slot_words[SLOT_WIDTH];
    for (uint k = 0; k < width; ++k) {
        candidate_token[k] = token;
        candidate_parent[k] = k;
        candidate_score[k] = row_score[k];
        note_terms(k);
    }
    return width;
}

// Whether the best live beam would beat the worst finished hypothesis: at this length, or at the longest one.
bool may_improve() {
    const bool at_limit = p[pc.rules_at + RULE_EARLY_STOPPING] == EARLY_STOPPING_NEVER &&
                          uintBitsToFloat(p[pc.rules_at + RULE_LENGTH_PENALTY]) > 0.0;
    const uint tokens = (at_limit ? p[input_at + INPUT_MAX_LENGTH] : t + 1) - context;
    const float best = normalised(candidate_score[chosen[0]], tokens);
    for (uint i = 0; i < pc.beam; ++i)
        if (best > finished_rank(uintBitsToFloat(o[finished_at(i) + FINISHED_SCORE]),
                                 o[finished_at(i) + FINISHED_LENGTH]))
            return true;
    return false;
}

void choose(uint candidates, bool searched, bool last) {
    uint width = 0;
    for (uint n = 0; n < candidates; ++n) {
        if (searched && candidate_score[n] <= kLowest) break;  // fewer tokens than candidates
        if (last || (searched && is_end(candidate_token[n]))) {
            if (n < pc.beam) store_finished(n);
        } else if (width < pc.beam) {
            chosen[width++] = n;
        }
    }
    const uint finished = slot_words[SLOT_FINISHED];
    if (width == 0 && finished == 0) store_finished(0);
    const bool full = finished >= pc.beam;
    if (width > 0 && full && (p[pc.rules_at + RULE_EARLY_STOPPING] == EARLY_STOPPING_ON || !may_improve())) width = 0;
    store_decision(width);
}

void main() {
    if (!load_slot()) return;
    load_rows();
    const bool searched = t >= context + prefix;
    if (searched) pick_candidates(pc.candidates - pc.end_tokens);
    if (gl_LocalInvocationIndex == 0) {
        const bool last = t + 1 == p[input_at + INPUT_MAX_LENGTH];
        const uint end = p[pc.rules_at + RULE_FORCED_END];
        uint candidates;
        if (!searched) candidates = force_candidates(1);
        else if (last && end != ~0u) candidates = force_end(end);
        else candidates = merge_candidates(pc.candidates);
        choose(candidates, searched, last);
    }
    carry_on();
}
