// SPDX-License-Identifier: Apache-2.0
// The search's own kernels, with a few sentences in the middle of their search (shared/search.h).
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>
#include <set>

#include "check/kernel_check.h"
#include "decode/kernels.h"
#include "decode/terms.h"
#include "shared/certainty.h"
#include "shared/topk.h"

namespace dragoman::check {
namespace step_checks {
namespace {

using vulkan::Groups;
using vulkan::KernelUse;

constexpr uint32_t kSlots = 3, kBeam = 3, kCacheRows = kSlots * kBeam, kMaxSteps = 8, kMaxLength = 7;
constexpr uint32_t kVocabulary = 150, kStride = 152, kEnd = 2, kOtherEnd = 149, kCandidates = 2 * kBeam;
constexpr uint32_t kAttention = 5, kFinishedWords = FINISHED_WORDS + kMaxLength;
constexpr uint32_t kLive[] = {0, 2}, kRows = 2 * kBeam;  // slot 1 has ended
constexpr uint32_t kStep[kSlots] = {4, 1, 5};            // by slot

// Terms of every slot: one that may come anywhere, and one for a source token; and which of them the slot's rows have
// already.
constexpr uint32_t kTerm = 100, kTermOfSource = 101, kSourceToken = 1, kStopToken = 3, kAllTerms = 3;
constexpr uint32_t kMet[kBeam] = {0, 1, kAllTerms};

template <class Element>
uint32_t append(std::vector<Element>& to, const std::type_identity_t<std::vector<Element>>& words) {
    const auto at = uint32_t(to.size());
    to.insert(to.end(), words.begin(), words.end());
    return at;
}

// The buffers of a search in progress.
struct Search {
    std::vector<uint32_t> state, parameters;
    shared::SearchPush push{};

    explicit Search(Case& c) {
        std::vector<uint32_t> rows, slots, positions, scores;
        for (const uint32_t slot : kLive)
            for (uint32_t k = 0; k < kBeam; ++k) rows.push_back(slot * kBeam + k);
        for (uint32_t slot = 0; slot < kSlots; ++slot) {
            const uint32_t live = uint32_t(std::ranges::find(kLive, slot) - kLive);
            const uint32_t active = live < std::size(kLive);
            append(slots, {active, active * kBeam, 0, 0, live * kBeam, 0, 0, kMaxSteps});
            append(parameters, {1, 0, 0, 0, kMaxLength, kMaxLength, 7 + slot, slot == 2});
            positions.insert(positions.end(), kBeam, kStep[slot]);
        }
        // The sums of these and of beam_step()'s inputs are exact, and no two are equal.
        for (uint32_t row = 0; row < kCacheRows; ++row) scores.push_back(std::bit_cast<uint32_t>(-8.0f * float(row)));
        push.live_rows_at = append(state, rows);
        push.live_slots_at = append(state, {std::begin(kLive), std::end(kLive)});
        push.counts_at = append(state, {kRows, uint32_t(std::size(kLive))});
        push.counts_stride = 1;
        push.slots_at = append(state, slots);
        push.tokens_at = append(state, c.words_below(kCacheRows, 9));
        push.position_at = append(state, positions);
        push.scores_at = append(state, scores);
        push.ancestry_at = append(state, c.words_below(2 * kCacheRows * kMaxSteps, kBeam));
        push.history_at = append(state, c.words_below(kCacheRows * kMaxSteps, 9));  // few tokens: some pairs repeat
        push.end_tokens_at = append(parameters, {kEnd, kOtherEnd});
        push.end_tokens = 2;
        push.suppress_at = append(parameters, {1, 70, 2, 4, 71, 2, 5, 72});
        push.finished_at = kSlots * OUTCOME_WORDS;
        push.finished_capacity = kBeam + 1;
        push.forced_scores_at = ~0u;
        push.rules_at = append(parameters, {0, 0, EARLY_STOPPING_NEVER, std::bit_cast<uint32_t>(1.0f), ~0u,
                                            partial_at(), kVocabulary, 0, 0, 0, 0, 0});
        append_terms();
        push.slots = kSlots;
        push.beam = kBeam;
        push.max_steps = kMaxSteps;
        push.max_length = kMaxLength;
        push.logits_stride = kStride;
        push.candidates = kCandidates;
        push.attention_stride = kAttention;
        push.num_hypotheses = kBeam + 1;
        push.repetition_penalty = 1;
    }

    void append_terms() {
        const std::vector<decode::Term> terms{{.forms = {{kTerm}}},
                                              {.forms = {{kTermOfSource}},
                                               .source_begin = kSourceToken,
                                               .source_end = kSourceToken + 1,
                                               .stop = kStopToken,
                                               .stop_end = kStopToken + 1}};
        const std::vector<uint32_t> words = decode::TermTrie(terms).words(~0u);
        parameters[push.rules_at + RULE_TERMS_AT] = uint32_t(parameters.size());
        for (uint32_t slot = 0; slot < kSlots; ++slot) {
            append(parameters, words);
            append(parameters, std::vector<uint32_t>(TERM_SLOT_WORDS - words.size()));
        }
        std::vector<uint32_t> rows;
        for (uint32_t row = 0; row < kCacheRows; ++row) append(rows, {kMet[row % kBeam], 0});
        parameters[push.rules_at + RULE_TERM_STATE_AT] = append(state, rows);
        decode::TokenKinds kinds((kVocabulary + 7) / 8);
        for (uint32_t token = 0; token < kVocabulary; token += 4) decode::add_kind(kinds, token, TOKEN_CLOSES);
        parameters[push.rules_at + RULE_KINDS_AT] = append(parameters, kinds);
    }
    uint32_t term_state_at(uint32_t row) const {
        return parameters[push.rules_at + RULE_TERM_STATE_AT] + row * TERM_STATE_WORDS;
    }

    uint32_t partial_at() const { return kSlots * (OUTCOME_WORDS + (kBeam + 1) * kFinishedWords); }
    uint32_t finished_at(uint32_t slot) const {
        return push.finished_at + slot * push.finished_capacity * kFinishedWords;
    }

    // Cache row of a hypothesis at a step, and the token it was fed there.
    uint32_t row(uint32_t slot, uint32_t beam, uint32_t j) const {
        const uint32_t t = kStep[slot], own = slot * kBeam + beam;
        if (j == t) return own;
        return slot * kBeam + state[push.ancestry_at + ((t & 1) * kCacheRows + own) * kMaxSteps + j];
    }
    uint32_t token(uint32_t slot, uint32_t beam, uint32_t j) const {
        return state[push.history_at + row(slot, beam, j) * kMaxSteps + j];
    }
};

enum class Rules { ctranslate2, marian, huggingface };

struct Candidate {
    uint32_t token, parent;
    float score;
    uint32_t met = 0, node = 0;  // terms met, and the node in their trie
};

// The candidates of one row whose sentence has terms: none that the rules bar, and tokens of terms.
void with_terms(std::vector<Candidate>& candidates, uint32_t slot, uint32_t parent, float log_sum, float score,
                const std::vector<float>& weights) {
    const uint32_t t = kStep[slot], met = kMet[parent];
    const float* const attention = &weights[((slot * kBeam + parent) * kMaxSteps + t) * kAttention];
    const bool closing = (met & 2) == 0 && attention[kStopToken] >= TERM_GATE;
    const auto closes = [](const Candidate& candidate) { return candidate.token % 4 == 0; };
    const bool behind = std::ranges::any_of(kMet,
                                            [&](uint32_t other) { return std::popcount(other) > std::popcount(met); });
    const bool ends = (candidates.front().token == kEnd || (closing && closes(candidates.front()))) && !behind;
    const bool forced = met != kAllTerms && kMaxLength - t <= 2 - uint32_t(std::popcount(met));  // tokens
    for (Candidate& candidate : candidates) candidate.met = met;
    std::erase_if(candidates, [&](const Candidate& candidate) {
        return forced || (candidate.token == kEnd && met != kAllTerms) || (closing && closes(candidate));
    });
    const auto offer = [&](uint32_t term, uint32_t token, bool open) {
        if ((met >> term & 1) != 0 || !(open || ends || forced)) return;
        candidates.push_back({token, parent, -3000.0f - log_sum + score, met | 1u << term, (term + 1) | TERM_ENDED});
    };
    offer(0, kTerm, true);
    offer(1, kTermOfSource, attention[kSourceToken] >= TERM_GATE);
}

// The order in which banks take turns.
void take_turns(std::vector<Candidate>& candidates) {
    const auto met = [](const Candidate& candidate) { return uint32_t(std::popcount(candidate.met)); };
    std::ranges::stable_sort(candidates, std::greater(), &Candidate::score);
    uint32_t top = 0, taken[3] = {};
    for (const Candidate& candidate : candidates) top = std::max(top, met(candidate));
    std::vector<std::pair<uint32_t, Candidate>> turns;
    for (const Candidate& candidate : candidates)
        turns.emplace_back(2 * taken[met(candidate)]++ + 2 * (top - met(candidate)), candidate);
    std::ranges::stable_sort(turns, [&](const auto& a, const auto& b) {
        return a.first != b.first ? a.first < b.first : met(a.second) > met(b.second);
    });
    for (std::size_t i = 0; i < turns.size(); ++i) candidates[i] = turns[i].second;
}

// The buffers' contents after a step.
struct After {
    std::vector<uint32_t> state, outcome;
    std::vector<float> attention;

    void step(const Search& search, uint32_t slot, Rules rules, std::vector<Candidate> candidates,
              const std::vector<float>& weights, bool terms) {
        if (terms) take_turns(candidates);
        else std::ranges::sort(candidates, std::greater(), &Candidate::score);
        const uint32_t most = terms && rules == Rules::huggingface ? kCandidates - search.push.end_tokens : kCandidates;
        candidates.resize(std::min<size_t>(rules == Rules::marian ? kBeam : most, candidates.size()));
        std::vector<Candidate> chosen, finished;
        uint32_t spare = kBeam;
        for (uint32_t n = 0; n < candidates.size() && chosen.size() < kBeam; ++n) {
            if (candidates[n].token != kEnd) {
                chosen.push_back(candidates[n]);
                continue;
            }
            if (n >= kBeam) continue;
            finished.push_back(candidates[n]);
            while (rules == Rules::ctranslate2 && candidates[spare].token == kEnd) ++spare;
            if (rules == Rules::ctranslate2) chosen.push_back(candidates[spare++]);
        }
        const shared::SearchPush& push = search.push;
        const uint32_t t = kStep[slot], slot_at = push.slots_at + slot * SLOT_WORDS;
        state[slot_at + SLOT_WIDTH] = uint32_t(chosen.size());
        state[slot_at + SLOT_FINISHED] = uint32_t(finished.size());
        state[slot_at + SLOT_TOP_FINISHED] = rules == Rules::ctranslate2 && candidates[0].token == kEnd;
        outcome[slot * OUTCOME_WORDS + OUTCOME_FINISHED] = uint32_t(finished.size());
        outcome[slot * OUTCOME_WORDS + OUTCOME_STEPS] = t + 1;
        for (uint32_t place = 0; place < finished.size(); ++place)
            finish(search, slot, place, finished[place], weights);
        if (search.parameters[slot * INPUT_WORDS + INPUT_PARTIAL]) {
            outcome[slot * OUTCOME_WORDS + OUTCOME_PARTIAL] = t + 1;
            put_tokens(search, slot, chosen[0], search.partial_at() + slot * kMaxLength);
        }
        for (uint32_t k = 0; k < chosen.size(); ++k) {
            const uint32_t row = slot * kBeam + k;
            for (uint32_t j = 0; j <= t; ++j)
                state[push.ancestry_at + (((t + 1) & 1) * kCacheRows + row) * kMaxSteps + j] =
                    search.row(slot, chosen[k].parent, j) - slot * kBeam;
            state[push.tokens_at + row] = state[push.history_at + row * kMaxSteps + t + 1] = chosen[k].token;
            state[push.scores_at + row] = std::bit_cast<uint32_t>(chosen[k].score);
            if (!terms) continue;
            state[search.term_state_at(row) + TERM_MET] = chosen[k].met;
            state[search.term_state_at(row) + TERM_NODE] = chosen[k].node;
        }
        for (uint32_t k = 0; k < kBeam; ++k) state[push.position_at + slot * kBeam + k] = t + 1;
    }

private:
    void put_tokens(const Search& search, uint32_t slot, const Candidate& last, uint32_t at) {
        const uint32_t t = kStep[slot];
        for (uint32_t j = 0; j < t; ++j) outcome[at + j] = search.token(slot, last.parent, j + 1);
        outcome[at + t] = last.token;
    }

    void finish(const Search& search, uint32_t slot, uint32_t place, const Candidate& last,
                const std::vector<float>& weights) {
        const uint32_t at = search.finished_at(slot) + place * kFinishedWords;
        outcome[at + FINISHED_LENGTH] = kStep[slot] + 1;
        outcome[at + FINISHED_SCORE] = std::bit_cast<uint32_t>(last.score);
        outcome[at + FINISHED_MET] = last.met;
        put_tokens(search, slot, last, at + FINISHED_WORDS);
        for (uint32_t j = 0; j <= kStep[slot]; ++j)
            for (uint32_t i = 0; i < kAttention; ++i)
                attention[((slot * (kBeam + 1) + place) * kMaxLength + j) * kAttention + i] =
                    weights[(search.row(slot, last.parent, j) * kMaxSteps + j) * kAttention + i];
    }
};

// Appends the lists of surviving hypotheses, and the report to the host.
void list_live(std::vector<uint32_t>& state, const shared::SearchPush& push, std::vector<uint32_t>& progress) {
    std::vector<uint32_t> slots, rows;
    for (uint32_t slot = 0; slot < push.slots; ++slot) {
        const uint32_t at = push.slots_at + slot * SLOT_WORDS, active = state[at + SLOT_ACTIVE];
        if (!active || active < progress[PROGRESS_LEAST]) continue;
        if (state[push.position_at + slot * push.beam] >= state[at + SLOT_STEPS]) continue;
        state[at + SLOT_FIRST_ROW] = uint32_t(rows.size());
        slots.push_back(slot);
        for (uint32_t k = 0; k < state[at + SLOT_WIDTH]; ++k) rows.push_back(slot * push.beam + k);
    }
    std::ranges::copy(rows, state.begin() + push.live_rows_at);
    std::ranges::copy(slots, state.begin() + push.live_slots_at);
    state[push.counts_at] = progress[PROGRESS_ROWS] = uint32_t(rows.size());
    state[push.counts_at + push.counts_stride] = progress[PROGRESS_LIVE] = uint32_t(slots.size());
    progress[PROGRESS_STEPS] += slots.empty() ? 0 : 1;
    progress[PROGRESS_SLOT_STEPS] += uint32_t(slots.size());
    progress[PROGRESS_ROW_STEPS] += uint32_t(rows.size());
}

// The best of each row's logits, and all of the logits with their records: a step reads one or the other.
struct RowsOfLogits {
    Matrix logits;
    std::vector<float> values, log_sums;
    std::vector<uint32_t> columns;

    explicit RowsOfLogits(Case& c) : logits(c.matrix(kRows, kVocabulary, DType::f32, kStride)) {
        std::vector<uint32_t> numbers(kRows * kCandidates);  // numbers drawn; each row has its own, descending
        std::iota(numbers.begin(), numbers.end(), 0u);
        for (uint32_t i = uint32_t(numbers.size()) - 1; i > 0; --i) std::swap(numbers[i], numbers[c.below(i + 1)]);
        std::ranges::fill(logits.values, -3000.0);
        for (uint32_t row = 0; row < kRows; ++row) {
            const auto own = numbers.begin() + row * kCandidates;
            std::sort(own, own + kCandidates);
            for (uint32_t j = 0; j < kCandidates; ++j) {
                const bool ends = row < kBeam && row == j;  // hypotheses of the first slot
                columns.push_back(ends ? kEnd : 3 + 7 * j + row);
                // The logits are so far apart that the best one equals the logarithm of the sum, to the bit.
                values.push_back(-64.0f - 32.0f * float(own[j]));
                logits.values[row * kVocabulary + columns.back()] = values.back();
            }
            log_sums.push_back(values[row * kCandidates]);
        }
    }

    std::vector<float> in_rows() const {
        std::vector<float> all(size_t(kRows) * kStride);
        for (uint32_t row = 0; row < kRows; ++row)
            for (uint32_t i = 0; i < kVocabulary; ++i) all[row * kStride + i] = float(logits(row, i));
        return all;
    }
};

template <class Tile>
void beam_step(Case& c, const KernelUse& use, const vulkan::Kernel<shared::SearchPush, Tile, 11>& kernel, Rules rules) {
    constexpr bool kTerms = std::is_same_v<Tile, kernels::BeamStepTermsTile>;
    Search search(c);
    const bool lists = c.context.caps().orders_workgroups;
    search.parameters[search.push.rules_at + RULE_LISTED_APART] = lists ? 0 : 1;
    const auto tile = tile_of<Tile>(use);
    const RowsOfLogits rows(c);
    std::vector<float> weights(size_t(kCacheRows) * kMaxSteps * kAttention);
    for (float& weight : weights) weight = c.uniform();
    std::vector<std::vector<Candidate>> candidates(kSlots);
    std::vector<Candidate> of_row;
    for (uint32_t i = 0; i < rows.values.size(); ++i) {
        const uint32_t row = i / kCandidates, slot = kLive[row / kBeam], beam = row % kBeam;
        const float score = std::bit_cast<float>(search.state[search.push.scores_at + slot * kBeam + beam]);
        of_row.push_back({rows.columns[i], beam, rows.values[i] - rows.log_sums[row] + score});
        if (of_row.size() < kCandidates) continue;
        if (kTerms) with_terms(of_row, slot, beam, rows.log_sums[row], score, weights);
        append(candidates[slot], std::exchange(of_row, {}));
    }
    After after{.state = search.state,
                .outcome = std::vector<uint32_t>(search.partial_at() + kSlots * kMaxLength),
                .attention = std::vector<float>(size_t(kSlots) * (kBeam + 1) * kMaxLength * kAttention)};
    std::vector<uint32_t> progress(PROGRESS_WORDS, 0);
    const BufferView state = c.words(search.state), outcome = c.words(after.outcome),
                     attention = c.numbers(after.attention), counts = c.words(progress);
    // The kernel is not given what it computes itself.
    const std::vector<float> none(rows.values.size());
    c.rec.dispatch(kernel, use.key,
                   {c.words(search.parameters), c.numbers(rows.in_rows()), c.words(records_of(rows.logits)),
                    c.numbers(tile.merges ? none : rows.values),
                    c.words(tile.merges ? std::vector<uint32_t>(none.size()) : rows.columns),
                    c.numbers(tile.sums ? none : rows.log_sums), state, outcome, c.numbers(weights), attention, counts},
                   search.push, tile, Groups(kSlots));  // one more than there are
    c.run();
    for (const uint32_t slot : kLive) after.step(search, slot, rules, candidates[slot], weights, kTerms);
    if (lists) list_live(after.state, search.push, progress);
    c.compare_words(state, after.state);
    c.compare_words(outcome, after.outcome);
    c.compare_words(counts, progress);
    c.compare({.data = attention,
               .dtype = DType::f32,
               .rows = 1,
               .cols = uint32_t(after.attention.size()),
               .stride = uint32_t(after.attention.size())},
              1, [&](uint32_t, uint32_t i) { return Expected{after.attention[i], 0}; });
}

void ctranslate2(Case& c, const KernelUse& use) { beam_step(c, use, kernels::beam_step, Rules::ctranslate2); }
void marian(Case& c, const KernelUse& use) { beam_step(c, use, kernels::beam_step_marian, Rules::marian); }
void huggingface(Case& c, const KernelUse& use) {
    beam_step(c, use, kernels::beam_step_huggingface, Rules::huggingface);
}

void process_logits(Case& c, const KernelUse& use) {
    constexpr float kPenalty = 1.25f, kRuledOut = -3.402823466e38f;
    constexpr uint32_t kTiles = (kVocabulary + TOPK_TILE - 1) / TOPK_TILE;
    Search search(c);
    search.push.suppressed = 3;
    search.push.no_repeat_ngram_size = 2;
    search.push.repetition_penalty = kPenalty;
    Matrix x = c.matrix(kRows, kVocabulary, DType::f32, kStride);
    const BufferView records = c.words(records_of(x));
    c.rec.dispatch(kernels::process_logits, use.key,
                   {c.count(kRows), c.words(search.parameters), c.words(search.state), c.row(kRows).tensor.data,
                    x.tensor.data, records},
                   search.push, tile_of<kernels::LanesTile>(use), Groups(kRows));
    c.run();
    for (uint32_t row = 0; row < kRows; ++row) {
        const uint32_t slot = kLive[row / kBeam], t = kStep[slot];
        double* const logits = x.values.data() + size_t(row) * kVocabulary;
        std::vector<uint32_t> tokens;  // after the context of one
        for (uint32_t j = 2; j <= t; ++j) tokens.push_back(search.token(slot, row % kBeam, j));
        for (const uint32_t token : std::set<uint32_t>(tokens.begin(), tokens.end()))
            logits[token] *= logits[token] < 0 ? kPenalty : 1 / kPenalty;
        for (size_t i = 0; i + 1 < tokens.size(); ++i)
            if (tokens[i] == tokens.back()) logits[tokens[i + 1]] = kRuledOut;
        logits[70] = kRuledOut;
        if (tokens.back() == 4) logits[71] = kRuledOut;
        if (tokens.back() == 5) logits[72] = kRuledOut;
        logits[kEnd] = logits[kOtherEnd] = kRuledOut;  // too short to end
    }
    c.compare(x.tensor, kRows, [&](uint32_t row, uint32_t i) { return Expected{x(row, i), 1}; });
    c.compare({.data = records, .dtype = DType::f32, .rows = kRows * RECORD_WORDS, .cols = kTiles, .stride = kTiles},
              kRows * RECORD_WORDS, [&](uint32_t line, uint32_t tile) { return expected_record(x, line, tile); });
}

void compact(Case& c, const KernelUse& use) {
    constexpr uint32_t kAll = 70, kLeast = 2, kFull = 6;  // more slots than lanes
    shared::SearchPush push{};
    push.slots = kAll;
    push.beam = kBeam;
    push.counts_stride = 1;
    std::vector<uint32_t> state, slots, progress(PROGRESS_WORDS, 3);
    progress[PROGRESS_LEAST] = kLeast;
    push.live_rows_at = append(state, std::vector<uint32_t>(kAll * kBeam));
    push.live_slots_at = append(state, std::vector<uint32_t>(kAll));
    push.counts_at = append(state, {0, 0});
    push.position_at = append(state, c.words_below(kAll * kBeam, kFull + 3));
    for (uint32_t slot = 0; slot < kAll; ++slot) append(slots, {c.below(4), 1 + c.below(kBeam), 0, 0, 0, 0, 0, kFull});
    push.slots_at = append(state, slots);
    const BufferView words = c.words(state), counts = c.words(progress);
    c.rec.dispatch(kernels::compact, use.key, {words, counts}, push, tile_of<kernels::LanesTile>(use), Groups(1));
    c.run();
    list_live(state, push, progress);
    c.compare_words(words, state);
    c.compare_words(counts, progress);
}

void ctranslate2_terms(Case& c, const KernelUse& use) {
    beam_step(c, use, kernels::beam_step_terms, Rules::ctranslate2);
}
void marian_terms(Case& c, const KernelUse& use) { beam_step(c, use, kernels::beam_step_marian_terms, Rules::marian); }
void huggingface_terms(Case& c, const KernelUse& use) {
    beam_step(c, use, kernels::beam_step_huggingface_terms, Rules::huggingface);
}

void certainty(Case& c, const KernelUse& use) {
    constexpr uint32_t kStepFloats = kAttention + CERTAINTY_WORDS;
    Search search(c);
    const Matrix x = c.matrix(kRows, kVocabulary, DType::f32, kStride);
    const uint32_t floats = kMaxSteps * kStepFloats;
    const Tensor attention = c.blank(kCacheRows, floats, DType::f32);
    c.rec.dispatch(kernels::certainty, use.key,
                   {c.count(kRows), x.tensor.data, c.words(records_of(x)), c.words(search.state), attention.data},
                   {.live_rows_at = search.push.live_rows_at,
                    .position_at = search.push.position_at,
                    .scores_at = search.push.scores_at,
                    .max_steps = kMaxSteps,
                    .cols = kVocabulary,
                    .stride = x.tensor.stride,
                    .attention_stride = kStepFloats,
                    .certainty_at = kAttention},
                   {}, Groups(kRows + 1));
    c.run();
    const Tensor steps{.data = attention.data,
                       .dtype = DType::f32,
                       .rows = kCacheRows * kMaxSteps,
                       .cols = kStepFloats,
                       .stride = kStepFloats};
    std::vector<uint32_t> step_of;
    for (uint32_t row = 0; row < kRows; ++row) {
        const uint32_t slot = kLive[row / kBeam];
        step_of.push_back((slot * kBeam + row % kBeam) * kMaxSteps + kStep[slot]);
    }
    c.compare(steps, steps.rows, [&](uint32_t step, uint32_t i) -> Expected {
        const auto found = std::ranges::find(step_of, step);
        if (found == step_of.end() || i < kAttention) return {Case::kUnwritten, 0};
        const auto row = uint32_t(found - step_of.begin());
        double best = x(row, 0), second = best - double(CERTAINTY_FAR), sum = 0, weighted = 0;
        uint32_t column = 0;
        for (uint32_t v = 1; v < kVocabulary; ++v)
            if (x(row, v) > best) best = x(row, column = v);
        for (uint32_t v = 0; v < kVocabulary; ++v) {
            const double distance = x(row, v) - best;
            sum += std::exp(distance);
            weighted += distance * std::exp(distance);
            if (v != column) second = std::max(second, x(row, v));
        }
        switch (i - kAttention) {
            case CERTAINTY_SCORE:
                return {double(std::bit_cast<float>(search.state[search.push.scores_at + step / kMaxSteps])), 0};
            case CERTAINTY_ENTROPY: return {std::log(sum) - weighted / sum, 1};
            case CERTAINTY_MARGIN: return {best - second, 1};
            default: return {-std::log(sum), 1};
        }
    });
}

constexpr Row kTable[] = {{kernels::beam_step.shader, ctranslate2},
                          {kernels::beam_step_marian.shader, marian},
                          {kernels::beam_step_huggingface.shader, huggingface},
                          {kernels::beam_step_terms.shader, ctranslate2_terms},
                          {kernels::beam_step_marian_terms.shader, marian_terms},
                          {kernels::beam_step_huggingface_terms.shader, huggingface_terms},
                          {kernels::process_logits.shader, process_logits},
                          {kernels::certainty.shader, certainty},
                          {kernels::compact.shader, compact}};

}  // namespace
}  // namespace step_checks

std::span<const Row> step_rows() { return step_checks::kTable; }

}  // namespace dragoman::check
