// SPDX-License-Identifier: Apache-2.0
// A search step's candidates where sentences have terms that must come: dynamic beam allocation (Post, Vilar 2018),
// with the banks taken in turn from one sorted pool (Hu et al. 2019). A bank holds the candidates with equally many
// terms. The pool has each row's best tokens and those that begin or continue a term.
#ifndef DRAGOMAN_TERMS_GLSL
#define DRAGOMAN_TERMS_GLSL

layout(constant_id = 7) const uint POOL = 1;  // beam * (candidates + MOST_TERM_CHILDREN)

struct TermState {
    uint met, node;
};

const uint kTaken = 1u << 31, kTokenBits = 20, kParentAt = 20, kBankAt = 24;  // of pool_key
const uint kBanks = 2 * MOST_TERMS + 2;

shared uint row_met[kMaxBeam];
shared uint row_node[kMaxBeam];
shared uint candidate_met[kMaxCandidates];
shared uint candidate_node[kMaxCandidates];
shared uint row_last[kMaxBeam];    // its last token
shared uint row_open[kMaxBeam];    // terms that may begin
shared uint row_closing[kMaxBeam]; // 1: it lacks a term of the sentence that it would close
shared uint row_forced[kMaxBeam];  // 1: nothing but terms may come
shared uint row_ended[kMaxBeam];   // the node of a form that just ended and must not be glued to; else 0
shared float pool_score[POOL];
shared uint pool_key[POOL];
shared uint pool_size, top_bank;
shared uint bank_taken[kBanks];
const uint kPickers = 16;
shared uint pick[kPickers];
shared uint picked;  // candidates

bool is_end(uint token);
uint any_but_end();
bool passed_over(uint token);

uint terms_at, all_terms, kinds_at;  // of this workgroup, by load_terms()

uint term_word(uint term, uint word) { return p[terms_at + TERMS_HEAD_WORDS + term * TERM_WORDS + word]; }
uint node_word(uint node, uint word) { return p[terms_at + TERM_NODES_AT + node * NODE_WORDS + word]; }

// The child of a node by this token, if it leads to one of the wanted terms; else 0.
uint find_child(uint node, uint token, uint wanted) {
    const uint first = node_word(node, NODE_CHILD), end = first + node_word(node, NODE_CHILDREN);
    for (uint child = first; child < end; ++child)
        if (node_word(child, NODE_TOKEN) == token) return (node_word(child, NODE_BELOW) & wanted) != 0 ? child : 0;
    return 0;
}

bool has_kind(uint token, uint kind) {
    if (kinds_at == ~0u) return false;
    const uint tokens = 32 / TOKEN_KIND_BITS;
    return (p[kinds_at + token / tokens] >> (TOKEN_KIND_BITS * (token % tokens)) & kind) != 0;
}

bool is_under_way(TermState state) { return state.node != 0 && (state.node & TERM_ENDED) == 0; }

TermState row_state(uint k) { return TermState(row_met[k], row_node[k]); }

// Whether a term would begin inside a word. Where nothing else may come, it does.
bool is_inside_word(uint k, uint token) {
    return row_forced[k] == 0 && has_kind(row_last[k], TOKEN_OPEN) && has_kind(token, TOKEN_GLUED);
}

// The state to which a token leads row k: further in its form, or from the root to a term that may begin. A form that
// ends meets one term; if several have that form, one that may begin.
TermState advance_terms(uint k, uint token) {
    TermState state = row_state(k);
    uint node = is_under_way(state) ? find_child(state.node, token, ~state.met) : 0;
    const uint bit = token % TERMS_FIRST_BITS;
    if (node == 0 && (p[terms_at + TERMS_FIRST + bit / 32] >> (bit % 32) & 1u) != 0 && !is_inside_word(k, token))
        node = find_child(0, token, ~state.met & row_open[k]);
    state.node = node;
    const uint ends = node == 0 ? 0 : node_word(node, NODE_ENDS) & ~state.met;
    if (ends == 0) return state;
    state.met |= 1u << findLSB((ends & row_open[k]) != 0 ? ends & row_open[k] : ends);
    state.node |= TERM_ENDED;
    return state;
}

uint bank_of(TermState state) { return 2 * bitCount(state.met) + (is_under_way(state) ? 1 : 0); }

// The most tokens that its terms still take.
uint tokens_needed(uint met) {
    uint needed = 0;
    for (uint left = all_terms & ~met; left != 0; left &= left - 1) needed += term_word(findLSB(left), TERM_LONGEST);
    return needed;
}

bool is_forced(uint k) {
    const uint end = p[pc.rules_at + RULE_FORCED_END] != ~0u ? 1 : 0;  // takes a token, too
    return row_met[k] != all_terms && input_words[INPUT_MAX_LENGTH] <= t + end + tokens_needed(row_met[k]);
}

// The node of a row's form that ended with its last token, if no glued token may follow; else 0.
uint ended_whole(uint k) {
    if ((row_node[k] & TERM_ENDED) == 0) return 0;
    const uint node = row_node[k] & ~TERM_ENDED;
    return (node_word(node, NODE_ENDS) & p[terms_at + TERMS_WHOLE]) != 0 ? node : 0;
}

// Whether this token must not follow row k.
bool is_barred(uint k, uint token, TermState after) {
    const TermState state = row_state(k);
    if (is_end(token)) return state.met != all_terms;
    if (row_closing[k] != 0 && has_kind(token, TOKEN_CLOSES) && after.node == 0) return true;
    // The others leave once as many as were asked for have all terms.
    if (slot_words[SLOT_FINISHED] >= pc.num_hypotheses && after.met != all_terms) return true;
    if (row_forced[k] != 0)
        return is_under_way(state) ? find_child(state.node, token, ~state.met) == 0 : after.node == 0;
    return row_ended[k] != 0 && has_kind(token, TOKEN_GLUED) && find_child(row_ended[k], token, ~0u) == 0;
}

void add_to_pool(uint k, uint token, float value) {
    if (!is_enabled(value) || passed_over(token)) return;
    const TermState after = advance_terms(k, token);
    if (is_barred(k, token, after)) return;
    const uint place = atomicAdd(pool_size, 1u), bank = bank_of(after);
    atomicMax(top_bank, bank);
    const float log_probability = value - row_sum[k];
    pool_score[place] = max(log_probability + row_score[k], kLowest);
    pool_key[place] = token | k << kParentAt | bank << kBankAt;
}

// Whether candidate a is taken before b. The banks of more terms have more of the beam.
bool precedes_in_pool(uint a, uint b) {
    const uint bank_a = pool_key[a] >> kBankAt, bank_b = pool_key[b] >> kBankAt;
    if (bank_a != bank_b) {
        const uint turn_a = 2 * bank_taken[bank_a] + top_bank - bank_a;
        const uint turn_b = 2 * bank_taken[bank_b] + top_bank - bank_b;
        return turn_a != turn_b ? turn_a < turn_b : bank_a > bank_b;
    }
    return pool_score[a] != pool_score[b] ? pool_score[a] > pool_score[b] : pool_key[a] < pool_key[b];
}

// Whether another row has more terms, or is nearer to one.
bool is_behind(uint k, uint width) {
    bool behind = false;
    for (uint other = 0; other < width; ++other) behind = behind || bank_of(row_state(other)) > bank_of(row_state(k));
    return behind;
}

// Terms of a row that its attention lies on, or all: late, and where the row would rather end, or close the sentence,
// and none is further.
void open_terms() {
    const uint lane = gl_LocalInvocationIndex, width = slot_words[SLOT_WIDTH], count = p[terms_at + TERMS_COUNT];
    if (lane < width) {
        const bool forced = is_forced(lane);
        row_forced[lane] = forced ? 1 : 0;
        row_ended[lane] = ended_whole(lane);
        row_open[lane] = forced || t >= p[terms_at + TERMS_OPEN_AT] ? ~0u : 0;
        row_closing[lane] = 0;
    }
    memoryBarrierShared();
    barrier();
    const uint gate_at = p[pc.rules_at + RULE_GATE_AT];
    for (uint i = lane; i < width * count; i += INVOCATIONS) {
        const uint k = i / count, term = i % count;
        const uint begin = term_word(term, TERM_BEGIN), end = term_word(term, TERM_END);
        float mass = begin == end ? 1.0 : 0.0;
        const uint at = gate_at + ((slot * pc.beam + k) * pc.max_steps + t) * pc.attention_stride;
        for (uint j = begin; j < end; ++j) mass += attention[at + j];
        if (mass >= TERM_GATE) atomicOr(row_open[k], 1u << term);
        if ((row_met[k] >> term & 1u) != 0) continue;
        float stop = 0.0;
        for (uint j = term_word(term, TERM_STOP); j < term_word(term, TERM_STOP_END); ++j) stop += attention[at + j];
        if (stop >= TERM_GATE) row_closing[k] = 1;
    }
    memoryBarrierShared();
    barrier();
    const uint best = lane < width ? candidate_column(lane, 0) : kNoColumn;
    if (best != kNoColumn && (is_end(best) || (row_closing[lane] != 0 && has_kind(best, TOKEN_CLOSES))) &&
        !is_behind(lane, width))
        row_open[lane] = ~0u;
    memoryBarrierShared();
    barrier();
}

void fill_pool() {
    const uint lane = gl_LocalInvocationIndex, width = slot_words[SLOT_WIDTH], row0 = slot_words[SLOT_FIRST_ROW];
    if (lane == 0) pool_size = top_bank = 0;
    for (uint bank = lane; bank < kBanks; bank += INVOCATIONS) bank_taken[bank] = 0;
    memoryBarrierShared();
    barrier();
    for (uint i = lane; i < width * pc.candidates; i += INVOCATIONS) {
        const uint k = i / pc.candidates, n = i % pc.candidates, token = candidate_column(k, n);
        if (token != kNoColumn) add_to_pool(k, token, candidate_value(k, n));
    }
    for (uint i = lane; i < width * MOST_TERM_CHILDREN; i += INVOCATIONS) {
        const uint k = i / MOST_TERM_CHILDREN, n = i % MOST_TERM_CHILDREN;
        const TermState state = row_state(k);
        const uint node = is_under_way(state) ? state.node : 0;
        if (n >= node_word(node, NODE_CHILDREN)) continue;
        const uint child = node_word(node, NODE_CHILD) + n, token = node_word(child, NODE_TOKEN);
        if ((node_word(child, NODE_BELOW) & ~state.met & (node == 0 ? row_open[k] : ~0u)) == 0) continue;
        bool listed = false;
        for (uint i = 0; i < pc.candidates && !listed; ++i) listed = candidate_column(k, i) == token;
        if (!listed) add_to_pool(k, token, x[(row0 + k) * pc.logits_stride + token]);
    }
    memoryBarrierShared();
    barrier();
}

// Known to lane 0.
uint first_in_pool() {
    const uint lane = gl_LocalInvocationIndex, size = pool_size;
    uint first = ~0u;
    if (lane < kPickers) {
        for (uint i = lane; i < size; i += kPickers)
            if ((pool_key[i] & kTaken) == 0 && (first == ~0u || precedes_in_pool(i, first))) first = i;
        pick[lane] = first;
    }
    memoryBarrierShared();
    barrier();
    if (lane == 0)
        for (uint other = 1; other < min(kPickers, size); ++other)
            if (pick[other] != ~0u && (first == ~0u || precedes_in_pool(pick[other], first))) first = pick[other];
    return first;
}

// By lane 0: what candidate n makes of its parent's terms. A context is none of the search's business.
void note_terms(uint n) {
    const uint parent = candidate_parent[n];
    TermState state = row_state(parent);
    if (t >= context) state = advance_terms(parent, candidate_token[n]);
    candidate_met[n] = state.met;
    candidate_node[n] = state.node;
}

// By all lanes: the best continuations of all rows.
void pick_candidates(uint wanted) {
    const uint lane = gl_LocalInvocationIndex;
    open_terms();
    fill_pool();
    if (lane == 0) {
        picked = 0;  // and if that remains:
        candidate_token[0] = any_but_end();
        candidate_parent[0] = 0;
        candidate_score[0] = kLowest;
        note_terms(0);
    }
    for (uint n = 0; n < min(wanted, pool_size); ++n) {
        const uint first = first_in_pool();
        if (lane == 0) {
            const uint key = pool_key[first];
            ++bank_taken[key >> kBankAt];
            candidate_token[n] = key & ((1u << kTokenBits) - 1);
            candidate_parent[n] = key >> kParentAt & (kMaxBeam - 1);
            candidate_score[n] = pool_score[first];
            pool_key[first] = key | kTaken;
            picked = n + 1;
            note_terms(n);
        }
        memoryBarrierShared();
        barrier();
    }
}

void load_terms() {
    const uint lane = gl_LocalInvocationIndex;
    const uint at = p[pc.rules_at + RULE_TERM_STATE_AT] + slot * pc.beam * TERM_STATE_WORDS;
    terms_at = p[pc.rules_at + RULE_TERMS_AT] + slot * TERM_SLOT_WORDS;
    kinds_at = p[pc.rules_at + RULE_KINDS_AT];
    all_terms = p[terms_at + TERMS_ALL];
    if (lane >= pc.beam) return;
    row_met[lane] = s[at + lane * TERM_STATE_WORDS + TERM_MET];
    row_node[lane] = s[at + lane * TERM_STATE_WORDS + TERM_NODE];
    row_last[lane] = s[pc.tokens_at + slot * pc.beam + lane];
    row_open[lane] = ~0u;  // for tokens that are given
    row_forced[lane] = 0;
}

void store_terms(uint row, uint n) {
    const uint at = p[pc.rules_at + RULE_TERM_STATE_AT] + row * TERM_STATE_WORDS;
    s[at + TERM_MET] = candidate_met[n];
    s[at + TERM_NODE] = candidate_node[n];
}

#endif
