// SPDX-License-Identifier: Apache-2.0
// The search's own kernels, with a few sentences in the middle of their search (shared/search.h).
#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "check/kernel_check.h"
#include "decode/kernels.h"
#include "shared/topk.h"

namespace dragoman::check {
namespace {

using vulkan::Groups;
using vulkan::KernelUse;

constexpr uint32_t kSlots = 3, kBeam = 3, kCacheRows = kSlots * kBeam, kMaxSteps = 8, kMaxLength = 7;
constexpr uint32_t kVocabulary = 150, kStride = 152, kEnd = 2, kOtherEnd = 149, kCandidates = 2 * kBeam;
constexpr uint32_t kAttention = 5, kFinishedWords = FINISHED_WORDS + kMaxLength;
constexpr uint32_t kLive[] = {0, 2}, kRows = 2 * kBeam;  // slot 1 has ended
constexpr uint32_t kStep[kSlots] = {4, 1, 5};            // by slot

uint32_t append(std::vector<uint32_t>& to, const std::vector<uint32_t>& words) {
    const auto at = uint32_t(to.size());
    to.insert(to.end(), words.begin(), words.end());
    return at;
}

// A search as its buffers have it, in the middle.
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
        // Sums of these and of what beam_step() takes are exact, and none is equal to another.
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
                                            partial_at(), kVocabulary, 0});
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

    uint32_t partial_at() const { return kSlots * (OUTCOME_WORDS + (kBeam + 1) * kFinishedWords); }
    uint32_t finished_at(uint32_t slot) const { return push.finished_at + slot * push.finished_capacity * kFinishedWords; }

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
};

// What a step leaves of its buffers.
struct After {
    std::vector<uint32_t> state, outcome;
    std::vector<float> attention;

    void step(const Search& search, uint32_t slot, Rules rules, std::vector<Candidate> candidates,
              const std::vector<float>& weights) {
        std::ranges::sort(candidates, std::greater(), &Candidate::score);
        candidates.resize(rules == Rules::marian ? kBeam : kCandidates);
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
        for (uint32_t place = 0; place < finished.size(); ++place) finish(search, slot, place, finished[place], weights);
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
        put_tokens(search, slot, last, at + FINISHED_WORDS);
        for (uint32_t j = 0; j <= kStep[slot]; ++j)
            for (uint32_t i = 0; i < kAttention; ++i)
                attention[((slot * (kBeam + 1) + place) * kMaxLength + j) * kAttention + i] =
                    weights[(search.row(slot, last.parent, j) * kMaxSteps + j) * kAttention + i];
    }
};

// The lists of what lives on, and what the host is told.
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

// The best of each row's logits, and all of them with their records: a step reads the one or the other.
struct RowsOfLogits {
    Matrix logits;
    std::vector<float> values, log_sums;
    std::vector<uint32_t> columns;

    explicit RowsOfLogits(Case& c) : logits(c.matrix(kRows, kVocabulary, DType::f32, kStride)) {
        std::vector<uint32_t> numbers(kRows * kCandidates);  // drawn; each row has its own, descending
        std::iota(numbers.begin(), numbers.end(), 0u);
        for (uint32_t i = uint32_t(numbers.size()) - 1; i > 0; --i) std::swap(numbers[i], numbers[c.below(i + 1)]);
        std::ranges::fill(logits.values, -3000.0);
        for (uint32_t row = 0; row < kRows; ++row) {
            const auto own = numbers.begin() + row * kCandidates;
            std::sort(own, own + kCandidates);
            for (uint32_t j = 0; j < kCandidates; ++j) {
                const bool ends = row < kBeam && row == j;  // hypotheses of the first slot
                columns.push_back(ends ? kEnd : 3 + 7 * j + row);
                // So far apart that the best one is the logarithm of the sum, to the bit.
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

void beam_step(Case& c, const KernelUse& use, const kernels::BeamStep& kernel, Rules rules) {
    Search search(c);
    const auto tile = tile_of<kernels::BeamStepTile>(use);
    const RowsOfLogits rows(c);
    std::vector<float> weights(size_t(kCacheRows) * kMaxSteps * kAttention);
    for (float& weight : weights) weight = c.uniform();
    std::vector<std::vector<Candidate>> candidates(kSlots);
    for (uint32_t i = 0; i < rows.values.size(); ++i) {
        const uint32_t row = i / kCandidates, slot = kLive[row / kBeam], beam = row % kBeam;
        const float score = std::bit_cast<float>(search.state[search.push.scores_at + slot * kBeam + beam]);
        candidates[slot].push_back({rows.columns[i], beam, rows.values[i] - rows.log_sums[row] + score});
    }
    After after{.state = search.state,
                .outcome = std::vector<uint32_t>(search.partial_at() + kSlots * kMaxLength),
                .attention = std::vector<float>(size_t(kSlots) * (kBeam + 1) * kMaxLength * kAttention)};
    std::vector<uint32_t> progress(PROGRESS_WORDS, 0);
    const BufferView state = c.words(search.state), outcome = c.words(after.outcome),
                     attention = c.numbers(after.attention), counts = c.words(progress);
    // What the kernel makes itself is not given to it.
    const std::vector<float> none(rows.values.size());
    c.rec.dispatch(kernel, use.key,
                   {c.words(search.parameters), c.numbers(rows.in_rows()), c.words(records_of(rows.logits)),
                    c.numbers(tile.merges ? none : rows.values),
                    c.words(tile.merges ? std::vector<uint32_t>(none.size()) : rows.columns),
                    c.numbers(tile.sums ? none : rows.log_sums), state, outcome, c.numbers(weights), attention, counts},
                   search.push, tile, Groups(kSlots));  // one more than there are
    c.run();
    for (const uint32_t slot : kLive) after.step(search, slot, rules, candidates[slot], weights);
    list_live(after.state, search.push, progress);
    c.compare_words(state, after.state);
    c.compare_words(outcome, after.outcome);
    c.compare_words(counts, progress);
    c.compare({.data = attention, .dtype = DType::f32, .rows = 1, .cols = uint32_t(after.attention.size()),
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
                   search.push, {}, Groups(kRows));
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
    for (uint32_t slot = 0; slot < kAll; ++slot)
        append(slots, {c.below(4), 1 + c.below(kBeam), 0, 0, 0, 0, 0, kFull});
    push.slots_at = append(state, slots);
    const BufferView words = c.words(state), counts = c.words(progress);
    c.rec.dispatch(kernels::compact, use.key, {words, counts}, push, {}, Groups(1));
    c.run();
    list_live(state, push, progress);
    c.compare_words(words, state);
    c.compare_words(counts, progress);
}

constexpr Row kTable[] = {{kernels::beam_step.shader, ctranslate2},
                          {kernels::beam_step_marian.shader, marian},
                          {kernels::beam_step_huggingface.shader, huggingface},
                          {kernels::process_logits.shader, process_logits},
                          {kernels::compact.shader, compact}};

}  // namespace

std::span<const Row> step_rows() { return kTable; }

}  // namespace dragoman::check
