// SPDX-License-Identifier: Apache-2.0
// The end of a search step (beam_step.glsl): what it decided becomes the outcome and the next step's state.
#ifndef DRAGOMAN_CARRY_ON_GLSL
#define DRAGOMAN_CARRY_ON_GLSL

// By all lanes, after the decision: finished hypotheses to the outcome.
void store_finished_tokens() {
    const uint lane = gl_LocalInvocationIndex;
    for (uint f = 0; f < finished_here; ++f) {
        const uint n = finished_candidate[f], parent = candidate_parent[n];
        const uint tokens_at = finished_at(finished_place[f]) + FINISHED_WORDS;
        for (uint j = lane; j < t; j += INVOCATIONS) o[tokens_at + j] = HYPOTHESIS_TOKEN(slot, parent, t, j + 1);
        if (lane == 0) o[tokens_at + t] = candidate_token[n];
        if (pc.attention_stride == 0) continue;
        const uint target = (slot * pc.finished_capacity + finished_place[f]) * pc.max_length * pc.attention_stride;
        for (uint i = lane; i < (t + 1) * pc.attention_stride; i += INVOCATIONS) {
            const uint j = i / pc.attention_stride;
            const uint source = (HYPOTHESIS_ROW(slot, parent, t, j) * pc.max_steps + j) * pc.attention_stride;
            outcome_attention[target + i] = attention[source + i % pc.attention_stride];
        }
    }
}

void store_partial() {
    if (input_words[INPUT_PARTIAL] == 0) return;
    const uint lane = gl_LocalInvocationIndex;
    const uint n = chosen[0], at = p[pc.rules_at + RULE_PARTIAL_AT] + slot * pc.max_length;
    for (uint j = lane; j < t; j += INVOCATIONS) o[at + j] = HYPOTHESIS_TOKEN(slot, candidate_parent[n], t, j + 1);
    if (lane != 0) return;
    o[at + t] = candidate_token[n];
    o[slot * OUTCOME_WORDS + OUTCOME_PARTIAL] = t + 1;
}

// The chosen ones into the next step's state: 64 lanes to a beam, or all there are.
void store_next() {
    const uint lane = gl_LocalInvocationIndex;
    const uint lanes = INVOCATIONS < 64 ? INVOCATIONS : 64;
    for (uint k = lane / lanes; k < next_width; k += INVOCATIONS / lanes) {
        const uint row = slot * pc.beam + k, n = chosen[k], parent = candidate_parent[n];
        const uint half_at = pc.ancestry_at + ((t + 1) & 1u) * pc.slots * pc.beam * pc.max_steps;
        for (uint j = lane % lanes; j <= t; j += lanes)
            s[half_at + row * pc.max_steps + j] = HYPOTHESIS_ROW(slot, parent, t, j) - slot * pc.beam;
        if (lane % lanes == 0) {
            s[pc.tokens_at + row] = candidate_token[n];
            s[pc.scores_at + row] = floatBitsToUint(candidate_score[n]);
            s[pc.history_at + row * pc.max_steps + t + 1] = candidate_token[n];
#if TERMS
            store_terms(row, n);
#endif
        }
    }
    for (uint k = lane; k < pc.beam; k += INVOCATIONS) s[pc.position_at + slot * pc.beam + k] = t + 1;
}

// Ends every step, called by all lanes.
void carry_on() {
    const uint lane = gl_LocalInvocationIndex;
    meet();
    for (uint i = lane; i < SLOT_WORDS; i += INVOCATIONS) s[pc.slots_at + slot * SLOT_WORDS + i] = slot_words[i];
    store_finished_tokens();
    if (next_width != 0) {
        store_partial();
        store_next();
    }

    if (p[pc.rules_at + RULE_LISTED_APART] != 0) return;  // by a dispatch of its own
    order_buffers();
    meet();
    order_buffers();  // by all lanes: Metal makes a barrier of it
    if (lane == 0) {
        ended_before = atomicAdd(progress[PROGRESS_ENDED], 1u);
        if (ended_before + 1 == live) progress[PROGRESS_ENDED] = 0;
    }
    meet();
    if (ended_before + 1 != live) return;
    order_buffers();
    list_live();
}

#endif
