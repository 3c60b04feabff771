// SPDX-License-Identifier: Apache-2.0
// What the search says of each token's certainty, against plain sums over the model's table.
#include <doctest/doctest.h>

#include <cmath>

#include "bigram_model.h"
#include "support/blocking_search.h"
#include "support/device.h"

namespace certainty_test {

using namespace dragoman;
using decode::Certainty;
using decode::SearchInput;
using decode::SearchRules;

namespace {

constexpr uint32_t kVocabulary = 333, kStart = 1, kEnd = 2;

Certainty expected(const test::BigramModel& model, uint32_t last, uint32_t next) {
    const float* const row = model.table.data() + std::size_t(last) * kVocabulary;
    double sum = 0, entropy = 0, first = -1e9, second = -1e9;
    for (uint32_t j = 0; j < kVocabulary; ++j) {
        sum += std::exp(double(row[j]));
        second = std::max(second, std::min(first, double(row[j])));
        first = std::max(first, double(row[j]));
    }
    for (uint32_t j = 0; j < kVocabulary; ++j) {
        const double p = std::exp(double(row[j])) / sum;
        entropy -= p * std::log(p);
    }
    return {.log_prob = float(double(row[next]) - std::log(sum)),
            .entropy = float(entropy),
            .margin = float(first - second),
            .best_log_prob = float(first - std::log(sum))};
}

void check(const test::BigramModel& model, const SearchInput& input, const decode::Hypothesis& found) {
    REQUIRE(found.certainty.size() == found.tokens.size());
    uint32_t last = input.start_id;
    const std::size_t given = input.context.size() + input.prefix.size();
    for (std::size_t t = 0; t < found.tokens.size(); ++t) {
        CAPTURE(t);
        const Certainty of_token = found.certainty[t], wanted = expected(model, last, found.tokens[t]);
        CHECK(of_token.log_prob == doctest::Approx(t < given ? 0.0f : wanted.log_prob).epsilon(1e-4));
        CHECK(of_token.entropy == doctest::Approx(wanted.entropy).epsilon(1e-4));
        CHECK(of_token.margin == doctest::Approx(wanted.margin).epsilon(1e-4));
        CHECK(of_token.best_log_prob == doctest::Approx(wanted.best_log_prob).epsilon(1e-4));
        last = found.tokens[t];
    }
}

std::vector<SearchInput> inputs() {
    std::vector<SearchInput> list;
    for (uint32_t i = 0; i < 9; ++i) {
        SearchInput& input = list.emplace_back();
        input.source.assign(1 + i % 5, 3);
        input.start_id = kStart + i;
        input.max_length = 12;
        input.min_length = 0;
        if (i % 3 == 1) input.prefix = {7, 9 + i};
        if (i % 3 == 2) input.context = {4, 8 + i};
    }
    return list;
}

std::vector<SearchRules> rules() {
    std::vector<SearchRules> list;
    for (const auto style : {spec::SearchStyle::ctranslate2, spec::SearchStyle::marian, spec::SearchStyle::huggingface})
        for (const uint32_t beam : {1u, 4u})
            list.push_back({.style = style,
                            .beam_size = beam,
                            .num_hypotheses = beam,
                            .end_ids = {kEnd},
                            .attention = true,
                            .certainty = true});
    list.push_back({.beam_size = 1, .end_ids = {kEnd}, .attention = true, .certainty = true, .sampling = true});
    return list;
}

}  // namespace

TEST_CASE("each token's numbers are those of the step that chose it") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        for (const bool records : {false, true}) {
            const test::BigramModel model(context, kVocabulary, 11, records);
            test::BlockingSearch search(context, model);
            for (const SearchRules& with : rules()) {
                CAPTURE(records);
                CAPTURE(int(with.style));
                CAPTURE(with.beam_size);
                const std::vector<SearchInput> batch = inputs();
                SearchRules without = with;
                without.certainty = false;
                const auto outputs = search.run(batch, with), plain = search.run(batch, without);
                for (std::size_t i = 0; i < batch.size(); ++i) {
                    CAPTURE(i);
                    REQUIRE(outputs[i].hypotheses.size() == plain[i].hypotheses.size());
                    for (std::size_t h = 0; h < outputs[i].hypotheses.size(); ++h) {
                        const decode::Hypothesis& found = outputs[i].hypotheses[h];
                        check(model, batch[i], found);
                        CHECK(found.tokens == plain[i].hypotheses[h].tokens);
                        CHECK(found.score == plain[i].hypotheses[h].score);
                        CHECK(found.attention.size() == found.tokens.size() * batch[i].source.size());
                        CHECK(plain[i].hypotheses[h].certainty.empty());
                    }
                }
            }
        }
    });
}

}  // namespace certainty_test
