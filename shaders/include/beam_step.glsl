// SPDX-License-Identifier: Apache-2.0
#ifndef DRAGOMAN_BEAM_STEP_GLSL
#define DRAGOMAN_BEAM_STEP_GLSL
#include "shared/search.h"
#include "accurate_log.glsl"
#include "candidate_value.glsl"
#include "hypothesis.glsl"

// What the search steps have in common: one sentence per workgroup, its rows' candidates merged, finished hypotheses
// stored, the chosen ones carried on. A step's own part are its rules: which candidates finish, which go on, when it
// ends.

layout(local_size_x = 64) in;
layout(push_constant) uniform Push { SearchPush pc; };
layout(binding = 0) readonly buffer Count { uint count; };
layout(binding = 1) readonly buffer Parameters { uint p[]; };
layout(binding = 2) readonly buffer Logits { float logits[]; };
layout(binding = 3) readonly buffer Values { float values[]; };    // [row][candidates], descending
layout(binding = 4) readonly buffer Columns { uint columns[]; };
layout(binding = 5) readonly buffer LogSum { float log_sum[]; };   // [row]
layout(binding = 6) buffer State { uint s[]; };
layout(binding = 7) buffer Outcome { uint o[]; };
layout(binding = 8) readonly buffer Attention { float attention[]; };
layout(binding = 9) buffer OutcomeAttention { float outcome_attention[]; };

const uint kMaxBeam = 64;
const float kLowest = -3.0e38;     // above kNothing; no infinities, as fast arithmetic may count on there being none
const float kPenalised = -1.0e10;  // CTranslate2's score for what a hard prefix rules out

// Candidates of this step, best first; then what goes on and what has finished.
shared uint candidate_token[2 * kMaxBeam];
shared uint candidate_parent[2 * kMaxBeam];
shared float candidate_score[2 * kMaxBeam];
shared uint head[kMaxBeam];             // next candidate of each row
shared float head_score[kMaxBeam];
shared float favoured_score[kMaxBeam];  // of the biased prefix' token
shared uint chosen[kMaxBeam];           // candidate of each beam that goes on
shared uint finished_candidate[kMaxBeam];
shared uint finished_place[kMaxBeam];
shared uint finished_here;
shared uint next_width;  // 0: the sentence is done

uint slot, t, input_at, context, prefix;  // of this workgroup, by load_slot()

bool is_end(uint token) {
    for (uint i = 0; i < pc.end_tokens; ++i)
        if (p[pc.end_tokens_at + i] == token) return true;
    return false;
}

uint any_but_end() {
    uint token = 0;
    while (is_end(token)) ++token;
    return token;
}

bool diverged(uint beam) {
    const uint word = s[pc.slots_at + slot * SLOT_WORDS + SLOT_DIVERGED_LOW + beam / 32];
    return (word >> (beam % 32) & 1u) != 0;
}

// A hard prefix or a context names the token; nothing is searched.
uint force_candidates(uint copies) {
    const uint forced = p[p[input_at + INPUT_FORCED_AT] + t];
    const uint row = s[pc.slots_at + slot * SLOT_WORDS + SLOT_FIRST_ROW];
    if (pc.forced_scores_at != ~0u)
        o[pc.forced_scores_at + slot * pc.max_length + t] =
            floatBitsToUint(logits[row * pc.logits_stride + forced] - log_sum[row]);
    for (uint k = 0; k < copies; ++k) {
        candidate_token[k] = forced;
        candidate_parent[k] = 0;
        candidate_score[k] = k == 0 ? 0.0 : kPenalised;
    }
    return copies;
}

// Whether a step's rules never let this token come, though it counts in the sum. Defined by each step.
bool passed_over(uint token);

// The best continuations of all rows, from each row's sorted candidates.
uint merge_candidates(uint wanted) {
    const uint slot_at = pc.slots_at + slot * SLOT_WORDS;
    const uint row0 = s[slot_at + SLOT_FIRST_ROW], width = s[slot_at + SLOT_WIDTH];
    const bool biased = t < p[input_at + INPUT_BIASED];
    const uint favoured = biased ? p[p[input_at + INPUT_FORCED_AT] + t] : 0;
    const float others = biased ? accurate_log(1.0 - pc.prefix_bias_beta) : 0.0;
    for (uint k = 0; k < width; ++k) {
        head[k] = ~0u;
        head_score[k] = kLowest;
        favoured_score[k] = kNothing;
        if (biased && !diverged(k)) {
            const uint row = row0 + k;
            const float probability = exp(logits[row * pc.logits_stride + favoured] - log_sum[row]);
            favoured_score[k] = accurate_log((1.0 - pc.prefix_bias_beta) * probability + pc.prefix_bias_beta) +
                                uintBitsToFloat(s[pc.scores_at + slot * pc.beam + k]);
        }
    }
    uint advance_from = 0, advance_to = width;
    for (uint n = 0; n < wanted; ++n) {
        for (uint k = advance_from; k < advance_to; ++k) {
            const bool favours = biased && !diverged(k);
            do ++head[k];
            while (head[k] < pc.candidates &&
                   ((favours && columns[(row0 + k) * pc.candidates + head[k]] == favoured) ||
                    passed_over(columns[(row0 + k) * pc.candidates + head[k]])));
            if (head[k] >= pc.candidates) continue;
            const uint at = (row0 + k) * pc.candidates + head[k];
            head_score[k] = kLowest;
            if (columns[at] == kNoColumn) continue;
            const float log_probability = values[at] - log_sum[row0 + k] + (favours ? others : 0.0);
            head_score[k] = max(log_probability + uintBitsToFloat(s[pc.scores_at + slot * pc.beam + k]), kLowest);
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
        if (best != ~0u) token = best_favoured ? favoured : columns[(row0 + best) * pc.candidates + head[best]];
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

// By which the worst of too many finished hypotheses is found. Defined by each step.
float finished_rank(float score, uint tokens);

uint finished_at(uint place) {
    return pc.finished_at + (slot * pc.finished_capacity + place) * (FINISHED_WORDS + pc.max_length);
}

// Notes candidate n as finished, in the place of the worst one when there is no room and it is better.
void store_finished(uint n) {
    const uint slot_at = pc.slots_at + slot * SLOT_WORDS;
    uint place = s[slot_at + SLOT_FINISHED];
    s[slot_at + SLOT_FINISHED] = place + 1;
    if (place >= pc.finished_capacity) {
        float worst = finished_rank(candidate_score[n], t + 1);
        place = ~0u;
        for (uint i = 0; i < pc.finished_capacity; ++i) {
            const float score = finished_rank(uintBitsToFloat(o[finished_at(i) + FINISHED_SCORE]),
                                              o[finished_at(i) + FINISHED_LENGTH]);
            if (score < worst) {
                worst = score;
                place = i;
            }
        }
        if (place == ~0u) return;
    }
    o[finished_at(place) + FINISHED_LENGTH] = t + 1;
    o[finished_at(place) + FINISHED_SCORE] = floatBitsToUint(candidate_score[n]);
    finished_candidate[finished_here] = n;
    finished_place[finished_here] = place;
    ++finished_here;
}

// Notes what the rules decided: `width` beams go on with chosen[], 0 ends the sentence.
void store_decision(uint width) {
    const uint slot_at = pc.slots_at + slot * SLOT_WORDS;
    o[slot * OUTCOME_WORDS + OUTCOME_FINISHED] = min(s[slot_at + SLOT_FINISHED], pc.finished_capacity);
    o[slot * OUTCOME_WORDS + OUTCOME_STEPS] = t + 1;
    o[slot * OUTCOME_WORDS + OUTCOME_DONE] = width == 0 ? 1 : 0;
    next_width = width;
    if (width == 0) s[slot_at + SLOT_ACTIVE] = 0;
    s[slot_at + SLOT_WIDTH] = width;
}

void load_slot() {
    slot = s[pc.live_slots_at + gl_WorkGroupID.x];
    t = s[pc.position_at + slot * pc.beam];
    input_at = pc.inputs_at + slot * INPUT_WORDS;
    context = p[input_at + INPUT_CONTEXT];
    prefix = p[input_at + INPUT_PREFIX];
}

// By all lanes, after the decision: finished hypotheses to the outcome, chosen ones into the next step's state.
void carry_on() {
    const uint lane = gl_LocalInvocationID.x, lanes = gl_WorkGroupSize.x;
    memoryBarrierShared();
    barrier();

    for (uint f = 0; f < finished_here; ++f) {
        const uint n = finished_candidate[f], parent = candidate_parent[n];
        const uint tokens_at = finished_at(finished_place[f]) + FINISHED_WORDS;
        for (uint j = lane; j < t; j += lanes) o[tokens_at + j] = HYPOTHESIS_TOKEN(slot, parent, t, j + 1);
        if (lane == 0) o[tokens_at + t] = candidate_token[n];
        if (pc.attention_stride == 0) continue;
        const uint target =
            (slot * pc.finished_capacity + finished_place[f]) * pc.max_length * pc.attention_stride;
        for (uint i = lane; i < (t + 1) * pc.attention_stride; i += lanes) {
            const uint j = i / pc.attention_stride;
            const uint source = (HYPOTHESIS_ROW(slot, parent, t, j) * pc.max_steps + j) * pc.attention_stride;
            outcome_attention[target + i] = attention[source + i % pc.attention_stride];
        }
    }

    if (next_width == 0) return;
    if (p[input_at + INPUT_PARTIAL] != 0) {
        const uint n = chosen[0], at = p[pc.rules_at + RULE_PARTIAL_AT] + slot * pc.max_length;
        for (uint j = lane; j < t; j += lanes) o[at + j] = HYPOTHESIS_TOKEN(slot, candidate_parent[n], t, j + 1);
        if (lane == 0) {
            o[at + t] = candidate_token[n];
            o[slot * OUTCOME_WORDS + OUTCOME_PARTIAL] = t + 1;
        }
    }
    for (uint k = 0; k < next_width; ++k) {
        const uint row = slot * pc.beam + k, n = chosen[k], parent = candidate_parent[n];
        const uint half_at = pc.ancestry_at + ((t + 1) & 1u) * pc.slots * pc.beam * pc.max_steps;
        for (uint j = lane; j <= t; j += lanes)
            s[half_at + row * pc.max_steps + j] = HYPOTHESIS_ROW(slot, parent, t, j) - slot * pc.beam;
        if (lane == 0) {
            s[pc.tokens_at + row] = candidate_token[n];
            s[pc.scores_at + row] = floatBitsToUint(candidate_score[n]);
            s[pc.history_at + row * pc.max_steps + t + 1] = candidate_token[n];
        }
    }
    if (lane < pc.beam) s[pc.position_at + slot * pc.beam + lane] = t + 1;
}

#endif
