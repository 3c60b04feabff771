// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "bigram_model.h"
#include "decode/search.h"
#include "plain_search.h"
#include "support/blocking_search.h"
#include "support/device.h"

namespace search_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchRules;
using decode::SearchOutput;

namespace {

constexpr uint32_t kVocabulary = 37, kEnd = 2, kStart = 1;

struct Case {
    const char* name;
    SearchRules rules;
};

std::vector<Case> cases() {
    std::vector<Case> list{
        {"greedy", {.beam_size = 1}},
        {"beam 2", {.beam_size = 2}},
        {"beam 5", {.beam_size = 5, .num_hypotheses = 5}},
        {"early exit", {.beam_size = 4, .early_exit = true}},
        {"early exit, several", {.beam_size = 4, .early_exit = true, .num_hypotheses = 3}},
        {"patience", {.beam_size = 3, .patience = 2.0f, .num_hypotheses = 6}},
        {"impatience", {.beam_size = 4, .patience = 0.5f, .num_hypotheses = 2}},
        {"greedy, repetition penalty", {.beam_size = 1, .repetition_penalty = 1.5f}},
        {"beam, repetition penalty", {.beam_size = 3, .repetition_penalty = 1.3f}},
        {"unigrams once", {.beam_size = 3, .no_repeat_ngram_size = 1}},
        {"trigrams once", {.beam_size = 3, .no_repeat_ngram_size = 3}},
        {"weak bias", {.beam_size = 3, .prefix_bias_beta = 0.1f}},
        {"strong bias", {.beam_size = 1, .prefix_bias_beta = 0.9f}},
    };
    list.push_back({"suppressed", {.beam_size = 3}});
    list.back().rules.suppressed = {{5}, {9, 11}, {3, 4, 6}, {7, 8}};
    list.push_back({"two end tokens", {.beam_size = 4, .num_hypotheses = 2}});
    for (auto& c : list) c.rules.end_ids = {kEnd};
    list.back().rules.end_ids = {kEnd, 9};
    return list;
}

std::vector<SearchInput> inputs() {
    std::vector<SearchInput> list;
    for (uint32_t i = 0; i < 12; ++i) {
        SearchInput input{.source = std::vector<uint32_t>(1 + i % 4, 3),
                          .start_id = kStart + i % 2,
                          .context = {},
                          .prefix = {},
                          .max_length = 20,
                          .min_length = 1};
        if (i % 4 == 1) input.prefix = {10 + i, 5};
        if (i % 4 == 2) input.context = {6, 10 + i, 7};
        if (i % 4 == 3) input.max_length = 1 + i % 7;
        if (i == 5) input.prefix.assign(24, 4);  // longer than allowed
        if (i >= 8) input.min_length = std::min(input.max_length, 6u);
        list.push_back(input);
    }
    return list;
}

void check_same(const std::vector<decode::Hypothesis>& found, std::vector<decode::Hypothesis> expected,
                const SearchRules& rules) {
    // With early exit, what does not fit the store is the worst.
    if (rules.early_exit) {
        std::ranges::stable_sort(expected, std::greater<>(), &decode::Hypothesis::score);
        expected.resize(std::min(expected.size(), found.size()));
    }
    REQUIRE(found.size() == expected.size());
    for (const auto& hypothesis : expected) {
        const auto same = [&](const decode::Hypothesis& h) {
            return h.tokens == hypothesis.tokens &&
                   std::abs(h.score - hypothesis.score) <= 2e-5f * (1.0f + std::abs(hypothesis.score));
        };
        CHECK(std::ranges::any_of(found, same));
    }
}

}  // namespace

TEST_CASE("the search agrees with a plain one") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        for (const uint32_t seed : {1u, 2u}) {
            const test::BigramModel model(context, kVocabulary, seed);
            test::BlockingSearch search(context, model);
            for (const Case& c : cases()) {
                CAPTURE(c.name);
                CAPTURE(seed);
                const auto batch = inputs();
                const auto outputs = search.run(batch, c.rules);
                REQUIRE(outputs.size() == batch.size());
                for (std::size_t i = 0; i < batch.size(); ++i) {
                    CAPTURE(i);
                    check_same(outputs[i].hypotheses,
                               test::PlainSearch(model.table, kVocabulary, c.rules, batch[i]).run(), c.rules);
                }
            }
        }
    });
}

TEST_CASE("with a shortlist, the search agrees with a plain one over those tokens") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 5);
        test::BlockingSearch search(context, model);
        for (const uint32_t missing : {7u, 3u, 0u}) {  // sizes change, then the whole vocabulary again
            for (Case c : cases()) {
                CAPTURE(c.name);
                CAPTURE(missing);
                // Some forced tokens are not in it; its order is of no account.
                const std::vector<uint32_t> left_out = {5, 12, 20, 21, 33, 36, 4};
                for (uint32_t id = kVocabulary; id-- > 0 && missing > 0;)
                    if (std::find(left_out.begin(), left_out.begin() + missing, id) == left_out.begin() + missing)
                        c.rules.allowed.push_back(id);
                const auto batch = inputs();
                const auto outputs = search.run(batch, c.rules);
                for (std::size_t i = 0; i < batch.size(); ++i) {
                    CAPTURE(i);
                    check_same(outputs[i].hypotheses,
                               test::PlainSearch(model.table, kVocabulary, c.rules, batch[i]).run(), c.rules);
                }
            }
        }
    });
}

TEST_CASE("a shortlist of few tokens, and one with a token that does not exist") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 6);
        test::BlockingSearch search(context, model);
        const std::vector<SearchInput> one{
            {.source = {3}, .start_id = kStart, .context = {}, .prefix = {}, .max_length = 8, .min_length = 0}};
        SearchRules rules{.beam_size = 3, .num_hypotheses = 3};
        rules.end_ids = {kEnd};
        for (const std::vector<uint32_t>& allowed : {std::vector<uint32_t>{30, kEnd}, {kEnd}}) {
            rules.allowed = allowed;
            const auto outputs = search.run(one, rules);
            REQUIRE(!outputs[0].hypotheses.empty());
            const auto best = std::ranges::max_element(outputs[0].hypotheses, {}, &decode::Hypothesis::score);
            for (const uint32_t token : best->tokens) CHECK(std::ranges::find(allowed, token) != allowed.end());
            CHECK(best->tokens.back() == kEnd);
        }
        rules.allowed = {1, kVocabulary};
        try {
            search.run(one, rules);
            FAIL("no error");
        } catch (const Error& error) {
            CHECK(std::string(error.what()).find("token 37 is outside the target vocabulary of 37") !=
                  std::string::npos);
        }
    });
}

TEST_CASE("the largest beam, more than the vocabulary can fill") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 3);
        test::BlockingSearch search(context, model);
        SearchRules rules{.beam_size = decode::kMaxBeam, .num_hypotheses = decode::kMaxBeam};
        rules.end_ids = {kEnd};
        const std::vector<SearchInput> one{
            {.source = {3}, .start_id = kStart, .context = {}, .prefix = {}, .max_length = 6, .min_length = 1}};
        const auto outputs = search.run(one, rules);
        CHECK(outputs[0].hypotheses.size() >= decode::kMaxBeam);
        for (const auto& hypothesis : outputs[0].hypotheses) CHECK(hypothesis.tokens.size() <= 6);
    });
}

TEST_CASE("forced tokens are scored") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 4);
        test::BlockingSearch search(context, model);
        const std::vector<uint32_t> target{5, 9, 9, 30, kEnd};
        const std::vector<SearchInput> one{{.source = {3},
                                            .start_id = kStart,
                                            .context = target,
                                            .prefix = {},
                                            .max_length = uint32_t(target.size()),
                                            .min_length = 0}};
        const auto outputs = search.run(one, {.forced_scores = true});
        REQUIRE(outputs[0].forced_scores.size() == target.size());
        uint32_t last = kStart;
        for (std::size_t t = 0; t < target.size(); ++t) {
            double sum = 0;
            for (uint32_t j = 0; j < kVocabulary; ++j) sum += std::exp(double(model.table[last * kVocabulary + j]));
            const double expected = model.table[last * kVocabulary + target[t]] - std::log(sum);
            CHECK(outputs[0].forced_scores[t] == doctest::Approx(expected).epsilon(1e-5));
            last = target[t];
        }
    });
}

}  // namespace search_test
