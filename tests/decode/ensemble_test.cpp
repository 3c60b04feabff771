// SPDX-License-Identifier: Apache-2.0
// Searches with several models against plain searches over what their predictions add up to.
#include "nn/ensemble.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "bigram_model.h"
#include "plain_search.h"
#include "plain_styles.h"
#include "support/blocking_search.h"
#include "support/device.h"

namespace ensemble_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchRules;
using nn::Combination;

namespace {

constexpr uint32_t kVocabulary = 71, kEnd = 2, kStart = 1;

struct Members {
    std::vector<float> weights;
    bool records = false;  // the models make them
};

using Context = std::shared_ptr<vulkan::Context>;

std::vector<float> log_probs(std::vector<float> row) {
    double sum = 0;
    for (const float x : row) sum += std::exp(double(x));
    for (float& x : row) x -= float(std::log(sum));
    return row;
}

// Bigram models with seeds of their own, and the table that they make together.
struct Together {
    std::unique_ptr<nn::Ensemble> model;
    std::vector<float> table;

    Together(const Context& context, const Members& members, Combination combination, bool alike = false)
        : table(kVocabulary * kVocabulary, 0.0f) {
        std::vector<nn::Ensemble::Member> models;
        std::vector<double> sums(table.size(), 0.0);
        for (uint32_t m = 0; m < members.weights.size(); ++m) {
            auto one = std::make_unique<test::BigramModel>(context, kVocabulary, alike ? 7 : 7 + m, members.records);
            for (uint32_t last = 0; last < kVocabulary; ++last) {
                const auto begin = one->table.begin() + last * kVocabulary;
                const auto row = log_probs({begin, begin + kVocabulary});
                for (uint32_t c = 0; c < kVocabulary; ++c)
                    sums[last * kVocabulary + c] += combination == Combination::probabilities
                                                        ? members.weights[m] * std::exp(double(row[c]))
                                                        : double(members.weights[m]) * row[c];
            }
            models.push_back({std::move(one), members.weights[m]});
        }
        for (std::size_t i = 0; i < sums.size(); ++i)
            table[i] = float(combination == Combination::probabilities ? std::log(sums[i]) : sums[i]);
        model = std::make_unique<nn::Ensemble>(context, std::move(models), combination);
    }
};

std::vector<SearchRules> rules_of(spec::SearchStyle style) {
    std::vector<SearchRules> list;
    for (const uint32_t beam : {1u, 4u}) {
        SearchRules rules{.style = style, .beam_size = beam, .num_hypotheses = beam};
        rules.end_ids = {kEnd};
        list.push_back(rules);
        rules.suppressed = {{5}, {9}, {21}, {3, 4}, {7, 8, 10}};
        list.push_back(rules);
        rules.suppressed.clear();
        rules.repetition_penalty = 1.4f;
        list.push_back(rules);
    }
    return list;
}

std::vector<SearchInput> inputs() {
    std::vector<SearchInput> list;
    for (uint32_t i = 0; i < 8; ++i) {
        list.push_back({.source = {3},
                        .start_id = kStart + i,
                        .context = {},
                        .prefix = {},
                        .max_length = 16,
                        .min_length = i % 3});
        if (i % 4 == 2) list.back().prefix = {10 + i, 5};
    }
    return list;
}

// `ties`: two hypotheses that go round the same bigrams in another order have one score, but for the last bit; which of
// them a full beam keeps is left open.
void check_same(const std::vector<decode::Hypothesis>& found, const std::vector<decode::Hypothesis>& expected,
                bool ties = false) {
    REQUIRE(found.size() == expected.size());
    const auto sorted = [](std::vector<uint32_t> tokens) {
        std::ranges::sort(tokens);
        return tokens;
    };
    for (const auto& hypothesis : expected) {
        const auto same = [&](const decode::Hypothesis& h) {
            return (h.tokens == hypothesis.tokens || (ties && sorted(h.tokens) == sorted(hypothesis.tokens))) &&
                   std::abs(h.score - hypothesis.score) <= 2e-5f * (1.0f + std::abs(hypothesis.score));
        };
        CHECK(std::ranges::any_of(found, same));
    }
}

std::vector<decode::Hypothesis> plain(const Together& together, const SearchRules& rules, const SearchInput& input) {
    if (rules.style == spec::SearchStyle::ctranslate2)
        return test::PlainSearch(together.table, kVocabulary, rules, input).run();
    return test::PlainStyles(together.table, kVocabulary, rules, input, true).run();
}

void check(const Context& context, const Members& members, Combination combination, spec::SearchStyle style) {
    const Together together(context, members, combination);
    test::BlockingSearch search(context, *together.model);
    for (const SearchRules& rules : rules_of(style)) {
        CAPTURE(rules.beam_size);
        CAPTURE(rules.suppressed.size());
        const auto batch = inputs();
        const auto outputs = search.run(batch, rules);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            CAPTURE(i);
            check_same(outputs[i].hypotheses, plain(together, rules, batch[i]), !context->caps().is_cpu());
        }
    }
}

TEST_CASE("ensembles: Marian adds up weighted log-probabilities as they are, other searches normalise them") {
    test::for_every_held_device([](const Context& context) {
        const Members all[] = {{{1.0f, 1.0f}}, {{0.7f, 0.3f}, true}, {{0.5f, 2.0f, 0.25f}}};
        for (const Members& members : all)
            for (const spec::SearchStyle style : {spec::SearchStyle::marian, spec::SearchStyle::ctranslate2})
                check(context, members, Combination::log_probabilities, style);
    });
}

TEST_CASE("ensembles: averaged probabilities") {
    test::for_every_held_device([](const Context& context) {
        for (const spec::SearchStyle style : {spec::SearchStyle::marian, spec::SearchStyle::ctranslate2})
            check(context, {{0.7f, 0.3f}, true}, Combination::probabilities, style);
    });
}

TEST_CASE("ensembles: a model beside itself is the model alone") {
    test::for_every_held_device([](const Context& context) {
        const test::BigramModel alone(context, kVocabulary, 7);
        test::BlockingSearch single(context, alone);
        for (const Combination combination : {Combination::log_probabilities, Combination::probabilities}) {
            const Together twice(context, {{0.5f, 0.5f}}, combination, true);
            test::BlockingSearch search(context, *twice.model);
            for (const spec::SearchStyle style :
                 {spec::SearchStyle::marian, spec::SearchStyle::ctranslate2, spec::SearchStyle::huggingface})
                for (const SearchRules& rules : rules_of(style)) {
                    // Only Marian's penalty is one on log-probabilities, which these are, not on logits.
                    if (style != spec::SearchStyle::marian && rules.repetition_penalty != 1.0f) continue;
                    CAPTURE(int(style));
                    CAPTURE(rules.beam_size);
                    const auto batch = inputs();
                    const auto outputs = search.run(batch, rules), expected = single.run(batch, rules);
                    for (std::size_t i = 0; i < batch.size(); ++i)
                        check_same(outputs[i].hypotheses, expected[i].hypotheses, true);
                }
        }
    });
}

TEST_CASE("ensembles: scores of forced tokens") {
    test::for_every_held_device([](const Context& context) {
        const Together together(context, {{0.7f, 0.6f}}, Combination::log_probabilities);
        test::BlockingSearch search(context, *together.model);
        const std::vector<uint32_t> target{5, 9, 9, 30, kEnd};
        const std::vector<SearchInput> one{{.source = {3},
                                            .start_id = kStart,
                                            .context = target,
                                            .prefix = {},
                                            .max_length = uint32_t(target.size()),
                                            .min_length = 0}};
        const auto outputs = search.run(one, {.style = spec::SearchStyle::marian, .forced_scores = true});
        REQUIRE(outputs[0].forced_scores.size() == target.size());
        for (std::size_t t = 0; t < target.size(); ++t) {
            const uint32_t last = t == 0 ? kStart : target[t - 1];
            CHECK(outputs[0].forced_scores[t] ==
                  doctest::Approx(together.table[last * kVocabulary + target[t]]).epsilon(1e-5));
        }
    });
}

}  // namespace

}  // namespace ensemble_test
