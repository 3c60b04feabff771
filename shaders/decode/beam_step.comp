// SPDX-License-Identifier: Apache-2.0
// One search step of one sentence per workgroup, by the rules (docs/options.md) of CTranslate2, of Hugging Face
// transformers, and of Marian. Those of _terms are of sentences with terms that must come.
#version 460
#pragma kernel(beam_step)
#pragma kernel(beam_step_terms)
#pragma kernel(beam_step_huggingface)
#pragma kernel(beam_step_huggingface_terms)
#pragma kernel(beam_step_marian)
#pragma kernel(beam_step_marian_terms)
#extension GL_EXT_control_flow_attributes : require
#define TERMS (KERNEL_beam_step_terms || KERNEL_beam_step_huggingface_terms || KERNEL_beam_step_marian_terms)
#include "beam_step.glsl"

#if KERNEL_beam_step || KERNEL_beam_step_terms  // beam 1 is greedy search

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
    const uint biased = input_words[INPUT_BIASED];
    for (uint k = 0; k < pc.beam; ++k)
        if (t >= biased || candidate_token[k] != p[input_words[INPUT_FORCED_AT] + t])
            slot_words[SLOT_DIVERGED_LOW + k / 32] |= 1u << (k % 32);
}

#if TERMS
// Does the same with fewer beams where there are fewer candidates.
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
    const bool done = last ||
                      (pc.max_candidates == 0 ? slot_words[SLOT_TOP_FINISHED] != 0 && finished >= pc.num_hypotheses
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
                      (pc.max_candidates == 0 ? slot_words[SLOT_TOP_FINISHED] != 0 && finished >= pc.num_hypotheses
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
        const bool last = t + 1 == input_words[INPUT_MAX_LENGTH];
        const uint candidates = searched ? merge_candidates(pc.candidates)
                                         : force_candidates(last && t >= context ? pc.beam : 1);
        if (prefix > 0 && t == context + prefix) bar_early_ends(candidates);
        if (pc.prefix_bias_beta > 0.0) update_divergence();
        choose(candidates, searched, last);
    }
    carry_on();
}

#elif KERNEL_beam_step_huggingface || KERNEL_beam_step_huggingface_terms
// Keeps as many finished hypotheses as beams, the best by normalised score, until no live beam can join them.

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
    const uint tokens = (at_limit ? input_words[INPUT_MAX_LENGTH] : t + 1) - context;
    const float best = normalised(candidate_score[chosen[0]], tokens);
    for (uint i = 0; i < pc.beam; ++i)
        if (best >
            finished_rank(uintBitsToFloat(o[finished_at(i) + FINISHED_SCORE]), o[finished_at(i) + FINISHED_LENGTH]))
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
        const bool last = t + 1 == input_words[INPUT_MAX_LENGTH];
        const uint end = p[pc.rules_at + RULE_FORCED_END];
        uint candidates;
        if (!searched) candidates = force_candidates(1);
        else if (last && end != ~0u) candidates = force_end(end);
        else candidates = merge_candidates(pc.candidates);
        choose(candidates, searched, last);
    }
    carry_on();
}

#else  // Marian: a beam that finishes leaves and is not replaced

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
        choose(candidates, searched, t + 1 == input_words[INPUT_MAX_LENGTH]);
    }
    carry_on();
}

#endif
