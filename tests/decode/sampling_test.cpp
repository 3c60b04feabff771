// SPDX-License-Identifier: Apache-2.0
// Searches that draw their tokens. That arrivals in any order change nothing is in stream_test.cpp.
#include <algorithm>
#include <cmath>
#include <set>

#include "bigram_model.h"
#include "decode/search.h"
#include "support/blocking_search.h"
#include "support/device.h"

namespace sampling_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchOutput;
using decode::SearchRules;

namespace {

constexpr uint32_t kVocabulary = 37, kEnd = 2, kStart = 1;
constexpr spec::SearchStyle kStyles[] = {spec::SearchStyle::ctranslate2, spec::SearchStyle::marian,
                                         spec::SearchStyle::huggingface};

SearchRules rules_of(spec::SearchStyle style) {
    SearchRules rules{.style = style, .beam_size = 1, .sampling = true};
    rules.end_ids = {kEnd};
    return rules;
}

std::vector<SearchInput> inputs(std::size_t count, const decode::Sampling& sampling) {
    std::vector<SearchInput> list(count);
    for (std::size_t i = 0; i < count; ++i) {
        list[i].source = {uint32_t(3 + i % 5), uint32_t(i / 5)};
        list[i].start_id = kStart;
        list[i].max_length = 30;
        list[i].min_length = 0;
        list[i].sampling = sampling;
    }
    return list;
}

// Log-probabilities of all tokens after `last`.
std::vector<double> log_probabilities(const test::BigramModel& model, uint32_t last, std::set<uint32_t> without = {}) {
    const float* row = model.table.data() + std::size_t(last) * kVocabulary;
    double sum = 0;
    for (uint32_t id = 0; id < kVocabulary; ++id)
        if (!without.contains(id)) sum += std::exp(double(row[id]));
    std::vector<double> result(kVocabulary);
    for (uint32_t id = 0; id < kVocabulary; ++id) result[id] = row[id] - std::log(sum);
    return result;
}

}  // namespace

TEST_CASE("tokens come with the model's probabilities, and scores are theirs") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        for (const bool records : {false, true}) {
            const test::BigramModel model(context, kVocabulary, 1, records);
            test::BlockingSearch search(context, model);
            for (const spec::SearchStyle style : kStyles) {
                CAPTURE(int(style));
                CAPTURE(records);
                const auto batch = inputs(300, {.seed = 3});
                const auto outputs = search.run(batch, rules_of(style));
                std::vector<double> counts(kVocabulary * kVocabulary), from(kVocabulary);
                for (const SearchOutput& output : outputs) {
                    REQUIRE(output.hypotheses.size() == 1);
                    const auto& [tokens, score, attention, certainty, met] = output.hypotheses[0];
                    CHECK(certainty.empty());
                    CHECK((tokens.back() == kEnd || tokens.size() == 30));
                    CHECK(std::find(tokens.begin(), tokens.end() - 1, kEnd) == tokens.end() - 1);
                    double expected = 0;
                    uint32_t last = kStart;
                    for (const uint32_t token : tokens) {
                        expected += log_probabilities(model, last)[token];
                        ++counts[last * kVocabulary + token];
                        ++from[last];
                        last = token;
                    }
                    CHECK(std::abs(score - expected) < 1e-4 * (1 + std::abs(expected)));
                }
                double chi_squared = 0, freedom = 0;
                for (uint32_t last = 0; last < kVocabulary; ++last)
                    for (uint32_t token = 0; token < kVocabulary; ++token) {
                        const double expected = from[last] * std::exp(log_probabilities(model, last)[token]);
                        if (expected < 5) continue;
                        const double difference = counts[last * kVocabulary + token] - expected;
                        chi_squared += difference * difference / expected;
                        freedom += 1;
                    }
                CHECK(freedom > 50);
                CHECK(chi_squared < freedom + 4 * std::sqrt(2 * freedom));
                CHECK(chi_squared > freedom - 6 * std::sqrt(2 * freedom));
            }
        }
    });
}

TEST_CASE("temperature 0 beside others is greedy search") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 2);
        test::BlockingSearch search(context, model);
        for (const spec::SearchStyle style : kStyles) {
            auto batch = inputs(20, {.temperature = 1.3f, .seed = 5});
            for (std::size_t i = 0; i < batch.size(); i += 2) batch[i].sampling.temperature = 0.0f;
            const auto drawn = search.run(batch, rules_of(style));
            SearchRules greedy = rules_of(style);
            greedy.sampling = false;
            const auto best = search.run(batch, greedy);
            std::set<std::vector<uint32_t>> different;
            for (std::size_t i = 0; i < batch.size(); ++i) {
                if (i % 2 == 0) {
                    CHECK(drawn[i].hypotheses[0].tokens == best[i].hypotheses[0].tokens);
                    CHECK(drawn[i].hypotheses[0].score == best[i].hypotheses[0].score);
                } else {
                    different.insert(drawn[i].hypotheses[0].tokens);
                }
            }
            CHECK(different.size() > 5);
        }
    });
}

TEST_CASE("seed, source and index choose the random numbers, place and company do not") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 3);
        test::BlockingSearch search(context, model);
        const SearchRules rules = rules_of(spec::SearchStyle::ctranslate2);
        auto batch = inputs(12, {.seed = 7});
        batch[6].source = batch[0].source;
        batch[7].source = batch[0].source;
        batch[7].sampling.index = 1;
        batch[8].source = batch[0].source;
        batch[8].sampling.seed = 7 + (1ull << 32);
        const auto tokens_of = [&](const std::vector<SearchInput>& some) {
            std::vector<std::vector<uint32_t>> tokens;
            for (const SearchOutput& output : search.run(some, rules)) tokens.push_back(output.hypotheses[0].tokens);
            return tokens;
        };
        const auto together = tokens_of(batch);
        CHECK(together[6] == together[0]);
        for (const std::size_t other : {1, 2, 7, 8}) CHECK(together[other] != together[0]);
        for (std::size_t i = 0; i < batch.size(); ++i) CHECK(tokens_of({batch[i]})[0] == together[i]);
        auto reversed = batch;
        std::ranges::reverse(reversed);
        auto backwards = tokens_of(reversed);
        std::ranges::reverse(backwards);
        CHECK(backwards == together);
    });
}

TEST_CASE("a drawn beginning as prefix is continued as it was") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 4);
        test::BlockingSearch search(context, model);
        for (const spec::SearchStyle style : kStyles) {
            auto batch = inputs(10, {.temperature = 1.5f, .seed = 9});
            const auto whole = search.run(batch, rules_of(style));
            for (std::size_t i = 0; i < batch.size(); ++i) {
                const auto& tokens = whole[i].hypotheses[0].tokens;
                const auto kept = std::ptrdiff_t(std::min<std::size_t>(3, tokens.size() - 1));
                batch[i].prefix.assign(tokens.begin(), tokens.begin() + kept);
            }
            const auto continued = search.run(batch, rules_of(style));
            for (std::size_t i = 0; i < batch.size(); ++i)
                CHECK(continued[i].hypotheses[0].tokens == whole[i].hypotheses[0].tokens);
        }
    });
}

TEST_CASE("rules on tokens hold for what is drawn") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, kVocabulary, 5);
        test::BlockingSearch search(context, model);
        for (const spec::SearchStyle style : kStyles) {
            CAPTURE(int(style));
            auto batch = inputs(40, {.temperature = 2.0f, .seed = 13});
            for (SearchInput& input : batch) {
                input.min_length = 6;
                input.max_length = 12;
            }
            SearchRules rules = rules_of(style);
            rules.suppressed = {{5}, {6}};
            rules.no_repeat_ngram_size = 2;
            for (const SearchOutput& output : search.run(batch, rules)) {
                const auto& tokens = output.hypotheses[0].tokens;
                CHECK(tokens.size() <= 12);
                CHECK(std::ranges::find(tokens, 5u) == tokens.end());
                CHECK(std::ranges::find(tokens, 6u) == tokens.end());
                CHECK(std::find(tokens.begin(), tokens.begin() + 6, kEnd) == tokens.begin() + 6);
                std::set<std::pair<uint32_t, uint32_t>> pairs;
                for (std::size_t t = 1; t < tokens.size(); ++t) CHECK(pairs.insert({tokens[t - 1], tokens[t]}).second);
            }
        }
    });
}

}  // namespace sampling_test
