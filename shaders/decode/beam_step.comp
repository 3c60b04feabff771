// SPDX-License-Identifier: Apache-2.0
// One search step of one sentence per workgroup: merges its rows' candidates, stores finished hypotheses, chooses the
// beams that go on. Beam 1 is greedy search. The rules are those of CTranslate2 (docs/options.md).
#version 460
#include "shared/search.h"
#include "accurate_log.glsl"
#include "hypothesis.glsl"

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
const float kLowest = -3.0e38;
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

uint slot, t, input_at, context, prefix;

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
uint force_candidates(bool last) {
    const uint forced = p[p[input_at + INPUT_FORCED_AT] + t];
    const uint row = s[pc.slots_at + slot * SLOT_WORDS + SLOT_FIRST_ROW];
    if (pc.forced_scores_at != ~0u)
        o[pc.forced_scores_at + slot * pc.max_length + t] =
            floatBitsToUint(logits[row * pc.logits_stride + forced] - log_sum[row]);
    const uint n = last && t >= context ? pc.beam : 1;
    for (uint k = 0; k < n; ++k) {
        candidate_token[k] = forced;
        candidate_parent[k] = 0;
        candidate_score[k] = k == 0 ? 0.0 : kPenalised;
    }
    return n;
}

// The 2 * beam best continuations of all rows (1 for greedy search), from each row's sorted candidates.
uint merge_candidates() {
    const uint slot_at = pc.slots_at + slot * SLOT_WORDS;
    const uint row0 = s[slot_at + SLOT_FIRST_ROW], width = s[slot_at + SLOT_WIDTH];
    const bool biased = t < p[input_at + INPUT_BIASED];
    const uint favoured = biased ? p[p[input_at + INPUT_FORCED_AT] + t] : 0;
    const float others = biased ? accurate_log(1.0 - pc.prefix_bias_beta) : 0.0;
    for (uint k = 0; k < width; ++k) {
        head[k] = ~0u;
        head_score[k] = kLowest;
        favoured_score[k] = -1.0 / 0.0;
        if (biased && !diverged(k)) {
            const uint row = row0 + k;
            const float probability = exp(logits[row * pc.logits_stride + favoured] - log_sum[row]);
            favoured_score[k] = accurate_log((1.0 - pc.prefix_bias_beta) * probability + pc.prefix_bias_beta) +
                                uintBitsToFloat(s[pc.scores_at + slot * pc.beam + k]);
        }
    }
    const uint wanted = pc.candidates == 1 ? 1 : 2 * pc.beam;
    uint advance_from = 0, advance_to = width;
    for (uint n = 0; n < wanted; ++n) {
        for (uint k = advance_from; k < advance_to; ++k) {
            const bool favours = biased && !diverged(k);
            do ++head[k];
            while (head[k] < pc.candidates && favours &&
                   columns[(row0 + k) * pc.candidates + head[k]] == favoured);
            if (head[k] >= pc.candidates) continue;
            const float log_probability =
                values[(row0 + k) * pc.candidates + head[k]] - log_sum[row0 + k] + (favours ? others : 0.0);
            head_score[k] = max(log_probability + uintBitsToFloat(s[pc.scores_at + slot * pc.beam + k]), kLowest);
        }
        uint best = ~0u;
        bool best_favoured = false;
        float best_score = 2.0 * kLowest;
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
            favoured_score[best] = -1.0 / 0.0;
        } else if (best != ~0u) {
            advance_from = best;
            advance_to = best + 1;
        }
    }
    // In the first step after a hard prefix, an end token from secondary candidates would give short
    // hypotheses that win without length normalisation.
    if (prefix > 0 && t == context + prefix)
        for (uint n = 1; n < wanted; ++n)
            if (is_end(candidate_token[n])) {
                candidate_token[n] = 0;
                candidate_parent[n] = 0;
                candidate_score[n] = kPenalised;
            }
    return wanted;
}

// CTranslate2 keeps these flags by place, not by parent; the same here, so that results agree.
void update_divergence() {
    const uint biased = p[input_at + INPUT_BIASED];
    for (uint k = 0; k < pc.beam; ++k)
        if (t >= biased || candidate_token[k] != p[p[input_at + INPUT_FORCED_AT] + t])
            s[pc.slots_at + slot * SLOT_WORDS + SLOT_DIVERGED_LOW + k / 32] |= 1u << (k % 32);
}

uint finished_at(uint place) {
    return pc.finished_at + (slot * pc.finished_capacity + place) * (FINISHED_WORDS + pc.max_length);
}

// Notes candidate n as finished, in the place of the worst one when there is no room and it is better.
void store_finished(uint n) {
    const uint slot_at = pc.slots_at + slot * SLOT_WORDS;
    uint place = s[slot_at + SLOT_FINISHED];
    s[slot_at + SLOT_FINISHED] = place + 1;
    if (place >= pc.finished_capacity) {
        float worst = candidate_score[n];
        place = ~0u;
        for (uint i = 0; i < pc.finished_capacity; ++i) {
            const float score = uintBitsToFloat(o[finished_at(i) + FINISHED_SCORE]);
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

void choose(uint candidates, bool searched, bool last) {
    const uint slot_at = pc.slots_at + slot * SLOT_WORDS;
    const uint scanned = min(candidates, pc.beam);
    uint spare = pc.beam;
    for (uint k = 0; k < scanned; ++k) {
        chosen[k] = k;
        if (!last && !(searched && is_end(candidate_token[k]))) continue;
        if (k == 0) s[slot_at + SLOT_TOP_FINISHED] = 1;
        store_finished(k);
        for (uint j = spare; j < candidates; ++j)
            if (!is_end(candidate_token[j])) {
                chosen[k] = j;
                spare = j + 1;
                break;
            }
    }
    const uint finished = s[slot_at + SLOT_FINISHED];
    const bool done = last || (pc.candidates == 1 && finished > 0) ||
                      (pc.max_candidates == 0
                           ? s[slot_at + SLOT_TOP_FINISHED] != 0 && finished >= pc.num_hypotheses
                           : finished >= pc.max_candidates);
    o[slot * OUTCOME_WORDS + OUTCOME_FINISHED] = min(finished, pc.finished_capacity);
    next_width = done ? 0 : (searched ? pc.beam : 1);
    s[slot_at + SLOT_ACTIVE] = done ? 0 : 1;
    s[slot_at + SLOT_WIDTH] = next_width;
}

void main() {
    if (gl_WorkGroupID.x >= count) return;
    const uint lane = gl_LocalInvocationID.x, lanes = gl_WorkGroupSize.x;
    slot = s[pc.live_slots_at + gl_WorkGroupID.x];
    t = s[pc.position_at + slot * pc.beam];
    input_at = pc.inputs_at + slot * INPUT_WORDS;
    context = p[input_at + INPUT_CONTEXT];
    prefix = p[input_at + INPUT_PREFIX];

    if (lane == 0) {
        finished_here = 0;
        const bool last = t + 1 == p[input_at + INPUT_MAX_LENGTH];
        const bool searched = t >= context + prefix;
        const uint candidates = searched ? merge_candidates() : force_candidates(last);
        if (pc.prefix_bias_beta > 0.0) update_divergence();
        choose(candidates, searched, last);
    }
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
