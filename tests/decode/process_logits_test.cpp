// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <numeric>
#include <set>

#include "bigram_model.h"
#include "decode/beam_step_tile.h"
#include "decode/search.h"
#include "ops/topk.h"
#include "support/blocking_search.h"
#include "support/op_test.h"

namespace process_logits_test {

using namespace dragoman;
using namespace dragoman::test;
using decode::SearchInput;
using decode::SearchRules;

namespace {

constexpr uint32_t kSlots = 4, kBeam = 2, kRows = kSlots * kBeam, kMaxSteps = 24, kMaxLength = 23;
constexpr float kRuledOut = -3.402823466e38f;

struct Rules {
    const char* name;
    float penalty = 1.0f;
    bool of_log = false;
    uint32_t ngram = 0;
    std::vector<std::vector<uint32_t>> suppressed{};
    uint32_t min_length = 0;
    std::vector<uint32_t> ends{2};
    bool from_start = false;
};

// Tokens that a search of all these rows may have fed, by the layout of shared/search.h.
struct Fed {
    Fed(uint32_t vocabulary, uint32_t seed) : engine(seed) {
        std::mt19937 choice(vocabulary);
        for (uint32_t i = 0; i < 7; ++i) pool.push_back(uint32_t(choice() % vocabulary));
        pool.push_back(vocabulary - 1);
        for (auto* list : {&history, &ancestry}) list->resize(size_t(list == &history ? 1 : 2) * kRows * kMaxSteps);
        for (uint32_t& token : history) token = pool[any(uint32_t(pool.size()))];
        for (uint32_t& beam : ancestry) beam = any(kBeam);
        for (uint32_t slot = 0; slot < kSlots; ++slot) {
            position.insert(position.end(), kBeam, slot == 0 ? 0 : any(kMaxLength));
            start.push_back(pool[slot]);
            context.push_back(any(3));
        }
    }
    uint32_t any(uint32_t n) { return uint32_t(engine() % n); }
    uint32_t token(uint32_t row, uint32_t j) const {
        const uint32_t t = position[row], slot = row / kBeam;
        if (j == 0) return start[slot];
        const uint32_t beam = j == t ? row % kBeam : ancestry[((t & 1) * kRows + row) * kMaxSteps + j];
        return history[(slot * kBeam + beam) * kMaxSteps + j];
    }

    std::mt19937 engine;
    std::vector<uint32_t> pool, history, ancestry, position, start, context;  // position by row, the last two by slot
};

// The rules in plain words.
void process(std::span<float> logits, const Rules& rules, const std::vector<uint32_t>& tokens, bool too_short,
             float log_sum) {
    if (rules.penalty != 1.0f)
        for (const uint32_t token : std::set<uint32_t>(tokens.begin(), tokens.end())) {
            float& x = logits[token];
            if (rules.of_log) x = log_sum + (x - log_sum) * rules.penalty;
            else x = x < 0 ? x * rules.penalty : x / rules.penalty;
        }
    if (rules.ngram > 0)
        for (size_t i = 0; i + rules.ngram <= tokens.size(); ++i)
            if (std::equal(tokens.begin() + std::ptrdiff_t(i), tokens.begin() + std::ptrdiff_t(i + rules.ngram - 1),
                           tokens.end() - (rules.ngram - 1)))
                logits[tokens[i + rules.ngram - 1]] = kRuledOut;
    for (const auto& sequence : rules.suppressed)
        if (tokens.size() + 1 >= sequence.size() &&
            std::equal(sequence.begin(), sequence.end() - 1, tokens.end() - std::ptrdiff_t(sequence.size() - 1)))
            logits[sequence.back()] = kRuledOut;
    if (too_short)
        for (const uint32_t end : rules.ends) logits[end] = kRuledOut;
}

void check(Context& context, const Rules& rules, uint32_t vocabulary, uint32_t live) {
    CAPTURE(rules.name);
    CAPTURE(vocabulary);
    CAPTURE(live);
    const Fed fed(vocabulary, vocabulary + live);
    const uint32_t stride = (vocabulary + 3) / 4 * 4;
    std::vector<uint32_t> rows;  // any of them, ascending
    for (uint32_t row = 0; row < kRows; ++row)
        if (live == kRows || row % 2 == 1 || live > kRows / 2) rows.push_back(row);
    rows.resize(live);

    std::vector<uint32_t> state(rows), parameters(kSlots * INPUT_WORDS);
    shared::SearchPush push{};
    state.resize(kRows);
    const auto append = [](std::vector<uint32_t>& to, const std::vector<uint32_t>& from) {
        const auto at = uint32_t(to.size());
        to.insert(to.end(), from.begin(), from.end());
        return at;
    };
    push.position_at = append(state, fed.position);
    push.ancestry_at = append(state, fed.ancestry);
    push.history_at = append(state, fed.history);
    for (uint32_t slot = 0; slot < kSlots; ++slot) {
        parameters[slot * INPUT_WORDS + INPUT_START] = fed.start[slot];
        parameters[slot * INPUT_WORDS + INPUT_CONTEXT] = fed.context[slot];
        parameters[slot * INPUT_WORDS + INPUT_MIN_LENGTH] = rules.min_length;
    }
    std::vector<uint32_t> words(RULE_WORDS);
    words[RULE_FROM_START] = rules.from_start;
    words[RULE_PENALISE_LOG] = rules.of_log;
    words[RULE_VOCABULARY] = vocabulary;
    push.rules_at = append(parameters, words);
    push.end_tokens_at = append(parameters, rules.ends);
    push.end_tokens = uint32_t(rules.ends.size());
    push.suppress_at = uint32_t(parameters.size());
    push.suppressed = uint32_t(rules.suppressed.size());
    for (const auto& sequence : rules.suppressed) {
        parameters.push_back(uint32_t(sequence.size()));
        append(parameters, sequence);
    }
    push.slots = kSlots;
    push.beam = kBeam;
    push.max_steps = kMaxSteps;
    push.logits_stride = stride;
    push.repetition_penalty = rules.penalty;
    push.no_repeat_ngram_size = rules.ngram;

    Matrix given = random_matrix(live, vocabulary, 5, DType::f32, 12.0f), expected = given;
    const Matrix log_sums = random_matrix(1, kRows, 6, DType::f32, 20.0f);
    size_t differing = 0;
    for (uint32_t i = 0; i < live; ++i) {
        const uint32_t row = rows[i], t = fed.position[row], before = fed.context[row / kBeam];
        std::vector<uint32_t> tokens;
        for (uint32_t j = rules.from_start ? 0 : before + 1; j <= t; ++j) tokens.push_back(fed.token(row, j));
        process(std::span(expected.values).subspan(size_t(i) * vocabulary, vocabulary), rules, tokens,
                t >= before && t < rules.min_length, log_sums(0, i));
    }
    for (size_t i = 0; i < given.values.size(); ++i) differing += given.values[i] != expected.values[i];

    const auto logits = upload(context, given, DType::f32, kRows, stride);
    Tensor x = logits.tensor;
    x.cols = vocabulary;
    const uint64_t record_words = ops::column_records_bytes(kRows, vocabulary) / 4;
    const auto kept = upload(context, std::vector<uint32_t>(record_words, 5)),
               anew = upload(context, std::vector<uint32_t>(record_words, 5)),
               untouched = upload(context, std::vector<uint32_t>(record_words, 5)), p = upload(context, parameters),
               s = upload(context, state), sums = upload(context, log_sums.values);
    const LiveRows count(context, live, kRows);
    const auto dispatch = [&](Recorder& rec, const Buffer& records) {
        rec.dispatch(kernels::process_logits, {}, {*count.count, *p, *s, *sums, *logits.buffer, records}, push,
                     decode::lanes_tile(rec.caps()), ops::groups(count.extent, 1));
    };
    run(context, count, [&](Recorder& rec) {
        ops::record_columns(rec, x, *kept, count.extent);
        dispatch(rec, *kept);
        ops::record_columns(rec, x, *anew, count.extent);
    });
    const Matrix found = download(context, logits);
    Comparison comparison(DType::f32);
    for (uint32_t i = 0; i < kRows; ++i)
        for (uint32_t c = 0; c < stride; ++c) {
            const bool inside = i < live && c < vocabulary;
            if (inside && expected(i, c) != given(i, c))
                comparison.close(i, c, found(i, c), expected(i, c), std::abs(given(i, c)) + 20.0);
            else comparison.equal(i, c, found(i, c), inside ? given(i, c) : kSentinel);
        }
    comparison.check();
    CHECK(download<uint32_t>(context, *kept) == download<uint32_t>(context, *anew));

    // Only what changed is recorded.
    run(context, count, [&](Recorder& rec) { dispatch(rec, *untouched); });
    const auto written = download<uint32_t>(context, *untouched);
    CHECK((std::ranges::count(written, 5u) == std::ptrdiff_t(record_words)) == (differing == 0));
    if (vocabulary > 2000) CHECK(std::ranges::count(written, 5u) > std::ptrdiff_t(record_words / 2));
}

std::vector<Rules> rule_sets(uint32_t vocabulary) {
    const Fed fed(vocabulary, 1);
    const uint32_t last = vocabulary - 1;
    return {{"nothing"},
            {"penalty", 1.3f},
            {"penalty below 1", 0.7f},
            {"penalty of probabilities", 1.3f, true},
            {"penalty from the start", 1.3f, false, 0, {}, 0, {2}, true},
            {"unigrams", 1.0f, false, 1},
            {"bigrams", 1.0f, false, 2},
            {"trigrams", 1.0f, false, 3, {}, 0, {2}, true},
            {"suppressed", 1.0f, false, 0, {{5}, {last}, {last, 9}, {fed.pool[0], fed.pool[1], last / 2}}},
            {"too short", 1.0f, false, 0, {}, 9},
            {"too short, several ends", 1.0f, false, 0, {}, 9, {2, last, last / 2}},
            {"all of it", 1.2f, true, 2, {{6}, {fed.pool[2], 1}}, 9, {2, last}}};
}

}  // namespace

TEST_CASE("records after processing are those of the processed logits, bit for bit") {
    on_every_device([](Context& context) {
        for (const uint32_t vocabulary : {37u, 64u, 65u, 1000u, 4096u})
            for (const Rules& rules : rule_sets(vocabulary))
                for (const uint32_t live : {1u, 3u, kRows}) check(context, rules, vocabulary, live);
        // Tiles that share a bit.
        for (const uint32_t vocabulary : {64u * 2048, 64 * 2048 + 100u})
            for (const Rules& rules : rule_sets(vocabulary)) check(context, rules, vocabulary, 2);
    });
}

TEST_CASE("a search is the same to the bit whether the model writes the records or not") {
    constexpr uint32_t kVocabulary = 200, kEnd = 2;
    on_every_device([](Context& context) {
        BigramModel plain(context.shared_from_this(), kVocabulary, 8),
            writing(context.shared_from_this(), kVocabulary, 8, true);
        std::vector<SearchInput> inputs;
        for (uint32_t i = 0; i < 7; ++i) {
            inputs.push_back({.source = {3},
                              .start_id = 1 + i,
                              .context = {},
                              .prefix = {},
                              .max_length = 14,
                              .min_length = i % 4 == 3 ? 6 : i % 2});
            if (i % 3 == 1) inputs.back().prefix = {10 + i, 5};
            if (i % 3 == 2) inputs.back().context = {6, 10 + i};
        }
        for (const spec::SearchStyle style :
             {spec::SearchStyle::ctranslate2, spec::SearchStyle::marian, spec::SearchStyle::huggingface})
            for (const uint32_t beam : {1u, 3u})
                for (int rule = 0; rule < 7; ++rule) {
                    SearchRules rules{.style = style, .beam_size = beam, .num_hypotheses = beam};
                    rules.end_ids = {kEnd};
                    if (rule == 1) rules.repetition_penalty = 1.4f;
                    if (rule == 2) rules.no_repeat_ngram_size = 2;
                    if (rule == 3) rules.suppressed = {{5}, {9, 11}, {kVocabulary - 1}};
                    if (rule == 4) rules.end_ids = {kEnd, kVocabulary - 3};
                    if (rule == 5) rules.renormalize = false, rules.repetition_penalty = 0.8f;
                    if (rule == 6 && style == spec::SearchStyle::ctranslate2) rules.prefix_bias_beta = 0.4f;
                    CAPTURE(int(style));
                    CAPTURE(beam);
                    CAPTURE(rule);
                    for (const size_t most : {inputs.size(), size_t(2)}) {  // the first two have no minimum length
                        auto some = inputs;
                        some.resize(most);
                        if (most == 2) some[1].min_length = 0;
                        const auto expected = test::BlockingSearch(context.shared_from_this(), plain).run(some, rules);
                        const auto found = test::BlockingSearch(context.shared_from_this(), writing).run(some, rules);
                        for (size_t i = 0; i < some.size(); ++i) {
                            REQUIRE(found[i].hypotheses.size() == expected[i].hypotheses.size());
                            for (size_t h = 0; h < found[i].hypotheses.size(); ++h) {
                                CHECK(found[i].hypotheses[h].tokens == expected[i].hypotheses[h].tokens);
                                CHECK(std::bit_cast<uint32_t>(found[i].hypotheses[h].score) ==
                                      std::bit_cast<uint32_t>(expected[i].hypotheses[h].score));
                            }
                        }
                    }
                }
    });
}

}  // namespace process_logits_test
