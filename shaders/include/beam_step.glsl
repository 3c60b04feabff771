// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_BEAM_STEP_GLSL
#define DRAGOMAN_BEAM_STEP_GLSL
#include "shared/search.h"
#include "accurate_log.glsl"
#include "hypothesis.glsl"

#ifndef TERMS  // 1: sentences have terms that must come
#define TERMS 0
#endif

// Common parts of the search steps: one sentence per workgroup, its rows' candidates merged, finished hypotheses
// stored, the chosen ones carried on; the workgroup that ends last lists the survivors. Each step adds its own rules:
// which candidates finish, which go on, when it ends.

layout(local_size_x_id = 0) in;
layout(constant_id = 0) const uint INVOCATIONS = 64;
layout(constant_id = 1) const uint LANES = 64;   // of a row, where this kernel makes the lists
layout(constant_id = 2) const uint LIST = 1;     // candidates that a lane keeps then
layout(constant_id = 3) const uint MERGES = 0;   // 1: makes the rows' lists from the records, else reads them
layout(constant_id = 4) const uint SUMS = 0;     // 1: makes their sums, too
layout(constant_id = 5) const uint PLACES = 1;   // in the lists of a sentence's rows, where it makes them
#define IN_STEP_ID 6
layout(push_constant) uniform Push { SearchPush pc; };
layout(binding = 0) readonly buffer Parameters { uint p[]; };
layout(binding = 1) readonly buffer Logits { float x[]; };
layout(binding = 2) readonly buffer Records { uint records[]; };   // shared/topk.h
layout(binding = 3) readonly buffer Values { float values[]; };    // [row][candidates], descending
layout(binding = 4) readonly buffer Columns { uint columns[]; };
layout(binding = 5) readonly buffer LogSum { float log_sum[]; };   // [row]
layout(binding = 6) coherent buffer State { uint s[]; };           // the last workgroup reads what others wrote
layout(binding = 7) buffer Outcome { uint o[]; };
layout(binding = 8) readonly buffer Attention { float attention[]; };
layout(binding = 9) buffer OutcomeAttention { float outcome_attention[]; };
layout(binding = 10) coherent buffer Progress { uint progress[]; };

#define REDUCE_INVOCATIONS INVOCATIONS
#define CANDIDATE_INVOCATIONS INVOCATIONS
#include "topk_merge.glsl"
#include "list_live.glsl"

#if TERMS
const uint kMaxBeam = MOST_TERM_BEAM, kMaxCandidates = MOST_TERM_CANDIDATES;
#else
const uint kMaxBeam = 64, kMaxCandidates = 2 * kMaxBeam;
#endif
const uint kEndTokensHeld = 4;  // most models have one
const float kLowest = -3.0e38;     // above kNothing; no infinities, as fast arithmetic may count on there being none
const float kPenalised = -1.0e10;  // CTranslate2's score for what a hard prefix rules out

// Candidates of this step, best first; then what goes on and what has finished.
shared uint candidate_token[kMaxCandidates];
shared uint candidate_parent[kMaxCandidates];
shared float candidate_score[kMaxCandidates];
shared uint head[kMaxBeam];             // next candidate of each row
shared float head_score[kMaxBeam];
shared float favoured_score[kMaxBeam];  // of the biased prefix' token
shared uint chosen[kMaxBeam];           // candidate of each beam that goes on
shared uint finished_candidate[kMaxBeam];
shared uint finished_place[kMaxBeam];
shared uint finished_here;
shared uint next_width;  // 0: the sentence is done
shared uint ended_before;  // workgroups
// This sentence's state, and the states of its rows.
shared uint slot_words[SLOT_WORDS];
shared uint input_words[INPUT_WORDS];
shared uint first_end_tokens[kEndTokensHeld];
shared float row_score[kMaxBeam];
shared float row_sum[kMaxBeam];  // log(sum(exp(logits)))
shared float row_values[PLACES];
shared uint row_columns[PLACES];

uint live, slot, t, context, prefix, vocabulary;  // of this workgroup, by load_slot()

bool is_end(uint token) {
    for (uint i = 0; i < pc.end_tokens; ++i)
        if ((i < kEndTokensHeld ? first_end_tokens[i] : p[pc.end_tokens_at + i]) == token) return true;
    return false;
}

uint any_but_end() {
    uint token = 0;
    while (is_end(token)) ++token;
    return token;
}

bool diverged(uint beam) {
    const uint word = slot_words[SLOT_DIVERGED_LOW + beam / 32];
    return (word >> (beam % 32) & 1u) != 0;
}

float candidate_value(uint k, uint n) {
    const uint at = k * pc.candidates + n;
    return MERGES != 0 ? row_values[at] : values[slot_words[SLOT_FIRST_ROW] * pc.candidates + at];
}

uint candidate_column(uint k, uint n) {
    const uint at = k * pc.candidates + n;
    return MERGES != 0 ? row_columns[at] : columns[slot_words[SLOT_FIRST_ROW] * pc.candidates + at];
}

void store_candidate(uint row, uint rank, Candidate found) {
    const uint at = (row - slot_words[SLOT_FIRST_ROW]) * pc.candidates + rank;
    row_values[at] = found.value;
    row_columns[at] = found.column;
}

#if TERMS
#include "terms.glsl"
#else
void note_terms(uint n) {}
#endif

// A hard prefix or a context names the token; nothing is searched.
uint force_candidates(uint copies) {
    const uint forced = p[input_words[INPUT_FORCED_AT] + t];
    if (pc.forced_scores_at != ~0u)
        o[pc.forced_scores_at + slot * pc.max_length + t] =
            floatBitsToUint(x[slot_words[SLOT_FIRST_ROW] * pc.logits_stride + forced] - row_sum[0]);
    for (uint k = 0; k < copies; ++k) {
        candidate_token[k] = forced;
        candidate_parent[k] = 0;
        candidate_score[k] = k == 0 ? 0.0 : kPenalised;
        note_terms(k);
    }
    return copies;
}

// Whether a step's rules never let this token come, though it counts in the sum. Defined by each step.
bool passed_over(uint token);

#if !TERMS
// The best continuations of all rows, from each row's sorted candidates.
uint merge_candidates(uint wanted) {
    const uint row0 = slot_words[SLOT_FIRST_ROW], width = slot_words[SLOT_WIDTH];
    const bool biased = t < input_words[INPUT_BIASED];
    const uint favoured = biased ? p[input_words[INPUT_FORCED_AT] + t] : 0;
    const float others = biased ? accurate_log(1.0 - pc.prefix_bias_beta) : 0.0;
    for (uint k = 0; k < width; ++k) {
        head[k] = ~0u;
        head_score[k] = kLowest;
        favoured_score[k] = kNothing;
        if (biased && !diverged(k)) {
            const float probability = exp(x[(row0 + k) * pc.logits_stride + favoured] - row_sum[k]);
            favoured_score[k] = accurate_log((1.0 - pc.prefix_bias_beta) * probability + pc.prefix_bias_beta) +
                                row_score[k];
        }
    }
    uint advance_from = 0, advance_to = width;
    for (uint n = 0; n < wanted; ++n) {
        for (uint k = advance_from; k < advance_to; ++k) {
            const bool favours = biased && !diverged(k);
            do ++head[k];
            while (head[k] < pc.candidates && ((favours && candidate_column(k, head[k]) == favoured) ||
                                               passed_over(candidate_column(k, head[k]))));
            if (head[k] >= pc.candidates) continue;
            head_score[k] = kLowest;
            if (candidate_column(k, head[k]) == kNoColumn) continue;
            const float log_probability = candidate_value(k, head[k]) - row_sum[k] + (favours ? others : 0.0);
            head_score[k] = max(log_probability + row_score[k], kLowest);
        }
        uint best = ~0u;
        bool best_favoured = false;
        float best_score = kNothing;
        for (uint k = 0; k < width; ++k) {
            if (favoured_score[k] > best_score) {
                best = k;
                best_favoured = true;
                best_score = favoured_score[k];
            }
            if (head[k] < pc.candidates && head_score[k] > best_score) {
                best = k;
                best_favoured = false;
                best_score = head_score[k];
            }
        }
        uint token = ~0u;
        if (best != ~0u) token = best_favoured ? favoured : candidate_column(best, head[best]);
        candidate_token[n] = token == ~0u ? any_but_end() : token;
        candidate_parent[n] = best == ~0u ? 0 : best;
        candidate_score[n] = best == ~0u ? kLowest : best_score;
        advance_from = advance_to = 0;
        if (best_favoured) {
            favoured_score[best] = kNothing;
        } else if (best != ~0u) {
            advance_from = best;
            advance_to = best + 1;
        }
    }
    return wanted;
}

void pick_candidates(uint wanted) {}
#else
uint merge_candidates(uint wanted) { return picked; }  // by pick_candidates(), which all lanes call before
#endif

// By which the worst of too many finished hypotheses is found. Defined by each step.
float finished_rank(float score, uint tokens);

uint finished_at(uint place) {
    return pc.finished_at + (slot * pc.finished_capacity + place) * (FINISHED_WORDS + pc.max_length);
}

// Notes candidate n as finished, in the place of the worst one when there is no room and it is better.
void store_finished(uint n) {
    uint place = slot_words[SLOT_FINISHED];
    slot_words[SLOT_FINISHED] = place + 1;
    if (place >= pc.finished_capacity) {
        float worst = finished_rank(candidate_score[n], t + 1);
#if TERMS
        uint worst_met = bitCount(candidate_met[n]);
#endif
        place = ~0u;
        for (uint i = 0; i < pc.finished_capacity; ++i) {
            const float score = finished_rank(uintBitsToFloat(o[finished_at(i) + FINISHED_SCORE]),
                                              o[finished_at(i) + FINISHED_LENGTH]);
#if TERMS
            const uint met = bitCount(o[finished_at(i) + FINISHED_MET]);
            if (met < worst_met || (met == worst_met && score < worst)) {
                worst_met = met;
#else
            if (score < worst) {
#endif
                worst = score;
                place = i;
            }
        }
        if (place == ~0u) return;
    }
    o[finished_at(place) + FINISHED_LENGTH] = t + 1;
    o[finished_at(place) + FINISHED_SCORE] = floatBitsToUint(candidate_score[n]);
#if TERMS
    o[finished_at(place) + FINISHED_MET] = candidate_met[n];
#endif
    finished_candidate[finished_here] = n;
    finished_place[finished_here] = place;
    ++finished_here;
}

// Whether no token may follow one of the slot's rows, as its records tell it.
bool is_stuck() {
    for (uint k = 0; k < slot_words[SLOT_WIDTH]; ++k)
        if (!is_finite(row_sum[k]) || row_sum[k] <= kDisabled || candidate_column(k, 0) == kNoColumn) return true;
    return false;
}

// Notes what the rules decided: `width` beams go on with chosen[], 0 ends the sentence.
void store_decision(uint width) {
    if (is_stuck()) o[slot * OUTCOME_WORDS + OUTCOME_OVERFLOW] = 1;
    o[slot * OUTCOME_WORDS + OUTCOME_FINISHED] = min(slot_words[SLOT_FINISHED], pc.finished_capacity);
    o[slot * OUTCOME_WORDS + OUTCOME_STEPS] = t + 1;
    o[slot * OUTCOME_WORDS + OUTCOME_DONE] = width == 0 ? 1 : 0;
    next_width = width;
    if (width == 0) slot_words[SLOT_ACTIVE] = 0;
    slot_words[SLOT_WIDTH] = width;
}

// Begins every step, called by all lanes; false for workgroups without a sentence. Independent loads are made by
// different lanes, since each waits for memory.
bool load_slot() {
    live = s[pc.counts_at + pc.counts_stride];
    slot = s[pc.live_slots_at + gl_WorkGroupID.x];
    vocabulary = p[pc.rules_at + RULE_VOCABULARY];
    if (gl_WorkGroupID.x >= live) return false;
    const uint lane = gl_LocalInvocationIndex;
    t = s[pc.position_at + slot * pc.beam];
    for (uint i = lane; i < INPUT_WORDS; i += INVOCATIONS) input_words[i] = p[pc.inputs_at + slot * INPUT_WORDS + i];
    for (uint i = lane; i < min(pc.end_tokens, kEndTokensHeld); i += INVOCATIONS)
        first_end_tokens[i] = p[pc.end_tokens_at + i];
    for (uint i = lane; i < SLOT_WORDS; i += INVOCATIONS) slot_words[i] = s[pc.slots_at + slot * SLOT_WORDS + i];
    for (uint k = lane; k < pc.beam; k += INVOCATIONS)
        row_score[k] = uintBitsToFloat(s[pc.scores_at + slot * pc.beam + k]);
    if (lane == 0) finished_here = 0;
#if TERMS
    load_terms();
#endif
    meet();
    context = input_words[INPUT_CONTEXT];
    prefix = input_words[INPUT_PREFIX];
    return true;
}

// The rows' candidates and sums, by all lanes: a team to a row.
void load_rows() {
    const uint lane = gl_LocalInvocationIndex;
    const uint row0 = slot_words[SLOT_FIRST_ROW], width = slot_words[SLOT_WIDTH];
    if (SUMS == 0)
        for (uint k = lane; k < width; k += INVOCATIONS) row_sum[k] = log_sum[row0 + k];
    if (MERGES != 0) {
        const TopkPush shape = TopkPush(vocabulary, pc.logits_stride, pc.candidates,
                                        (vocabulary + TOPK_TILE - 1) / TOPK_TILE);
        for (uint first = 0; first < width; first += INVOCATIONS / LANES) {
            const uint k = min(first + lane / LANES, width - 1);  // teams beyond the rows do the last one, too
            if (SUMS != 0) {
                const float total = row_log_sum(shape, row0 + k);
                if (lane % LANES == 0) row_sum[k] = total;
            }
            merge_records(shape, row0 + k);
        }
    }
    meet();
}

#include "carry_on.glsl"

#endif
