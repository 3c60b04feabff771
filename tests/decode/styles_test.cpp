// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <string>

#include "bigram_model.h"
#include "decode/search.h"
#include "plain_styles.h"
#include "support/blocking_search.h"
#include "support/device.h"

namespace styles_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchRules;

namespace {

constexpr uint32_t kVocabulary = 41, kEnd = 2, kStart = 1;

struct Case {
    std::string name;
    SearchRules rules;
};

std::vector<Case> marian_cases() {
    std::vector<Case> list;
    for (const uint32_t beam : {1u, 2u, 3u, 6u, 12u}) {
        list.push_back({"marian", {.beam_size = beam, .num_hypotheses = beam}});
        list.push_back({"marian, suppressed", {.beam_size = beam}});
        list.back().rules.suppressed = {{5}, {9}, {21}, {3, 4}, {7, 8, 10}};
        list.push_back({"marian, few suppressed", {.beam_size = beam}});
        list.back().rules.suppressed = {{5}, {35}, {21}};
        list.push_back({"marian, two end tokens", {.beam_size = beam}});
        list.back().rules.end_ids = {kEnd, 9};
        list.push_back({"marian, repetition", {.beam_size = beam, .repetition_penalty = 1.4f}});
        list.push_back({"marian, n-grams", {.beam_size = beam, .no_repeat_ngram_size = 2}});
    }
    for (auto& c : list) c.rules.style = spec::SearchStyle::marian;
    return list;
}

std::vector<Case> huggingface_cases() {
    std::vector<Case> list;
    for (const uint32_t beam : {1u, 2u, 4u, 5u, 9u}) {
        for (const spec::EarlyStopping stop :
             {spec::EarlyStopping::off, spec::EarlyStopping::on, spec::EarlyStopping::never})
            for (const float penalty : {-0.5f, 0.0f, 0.6f, 1.0f, 2.0f})
                list.push_back(
                    {"huggingface",
                     {.beam_size = beam, .num_hypotheses = beam, .length_penalty = penalty, .early_stopping = stop}});
        for (const bool renormalize : {true, false}) {
            list.push_back({"huggingface, forced end",
                            {.beam_size = beam, .forced_end = kEnd, .renormalize = renormalize}});
            list.push_back({"huggingface, bad words", {.beam_size = beam, .renormalize = renormalize}});
            list.back().rules.suppressed = {{5}, {9}, {kStart, 12}, {3, 4}, {7, 8, 10}};
            list.push_back({"huggingface, repetition",
                            {.beam_size = beam, .renormalize = renormalize, .repetition_penalty = 1.4f}});
            list.push_back({"huggingface, n-grams",
                            {.beam_size = beam, .renormalize = renormalize, .no_repeat_ngram_size = 2}});
            list.push_back({"huggingface, all of it",
                            {.beam_size = beam,
                             .length_penalty = 0.8f,
                             .early_stopping = spec::EarlyStopping::never,
                             .forced_end = kEnd,
                             .renormalize = renormalize,
                             .repetition_penalty = 0.9f,
                             .no_repeat_ngram_size = 3}});
            list.back().rules.suppressed = {{5}, {6}};
        }
        list.push_back({"huggingface, two end tokens", {.beam_size = beam, .length_penalty = 0.5f}});
        list.back().rules.end_ids = {kEnd, 9};
    }
    for (auto& c : list) c.rules.style = spec::SearchStyle::huggingface;
    return list;
}

std::vector<SearchInput> inputs() {
    std::vector<SearchInput> list;
    for (uint32_t i = 0; i < 14; ++i) {
        SearchInput input{.source = std::vector<uint32_t>(1 + i % 4, 3),
                          .start_id = kStart + i,
                          .context = {},
                          .prefix = {},
                          .max_length = 24,
                          .min_length = 0};
        if (i % 5 == 1) input.prefix = {10 + i, 5};
        if (i % 5 == 2) input.context = {6, 10 + i, 7};
        if (i % 5 == 3) input.max_length = 1 + i % 7;
        if (i == 6) input.prefix.assign(30, 4);  // longer than allowed
        if (i == 12) input.context.assign(24, 4);
        if (i >= 9) input.min_length = std::min(input.max_length, 6u);
        list.push_back(input);
    }
    return list;
}

// Hypotheses that go round the same bigrams in another order tie; which of them a full beam keeps is left open.
void check_same(const std::vector<decode::Hypothesis>& found, const std::vector<decode::Hypothesis>& expected) {
    REQUIRE(found.size() == expected.size());
    const auto close = [](const decode::Hypothesis& a, const decode::Hypothesis& b) {
        return std::abs(a.score - b.score) <= 2e-5f * (1.0f + std::abs(b.score));
    };
    for (const auto& hypothesis : expected) {
        const auto same = [&](const decode::Hypothesis& h) {
            return h.tokens == hypothesis.tokens && close(h, hypothesis);
        };
        const auto ties = [&](const decode::Hypothesis& h) {
            auto one = h.tokens, other = hypothesis.tokens;
            std::ranges::sort(one);
            std::ranges::sort(other);
            return one == other && close(h, hypothesis);
        };
        CHECK((std::ranges::any_of(found, same) || std::ranges::any_of(found, ties)));
    }
}

void check_cases(const std::vector<Case>& cases) {
    test::for_every_held_device([&](const std::shared_ptr<vulkan::Context>& context) {
        for (const uint32_t seed : {5u, 6u}) {
            const test::BigramModel model(context, kVocabulary, seed);
            test::BlockingSearch search(context, model);
            for (Case c : cases) {
                if (c.rules.end_ids.empty()) c.rules.end_ids = {kEnd};
                CAPTURE(c.name);
                CAPTURE(c.rules.beam_size);
                CAPTURE(int(c.rules.early_stopping));
                CAPTURE(c.rules.length_penalty);
                CAPTURE(c.rules.renormalize);
                CAPTURE(seed);
                const auto batch = inputs();
                const auto outputs = search.run(batch, c.rules);
                REQUIRE(outputs.size() == batch.size());
                for (std::size_t i = 0; i < batch.size(); ++i) {
                    CAPTURE(i);
                    check_same(outputs[i].hypotheses,
                               test::PlainStyles(model.table, kVocabulary, c.rules, batch[i]).run());
                }
            }
        }
    });
}

}  // namespace

TEST_CASE("Marian's search agrees with a plain one") { check_cases(marian_cases()); }

TEST_CASE("Hugging Face's search agrees with a plain one") { check_cases(huggingface_cases()); }

TEST_CASE("beams the vocabulary cannot fill end with what there is") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::BigramModel model(context, 5, 7);
        test::BlockingSearch search(context, model);
        for (const spec::SearchStyle style : {spec::SearchStyle::marian, spec::SearchStyle::huggingface}) {
            SearchRules rules{.style = style, .beam_size = decode::kMaxBeam, .num_hypotheses = decode::kMaxBeam};
            rules.end_ids = {kEnd};
            std::vector<SearchInput> batch{
                {.source = {3}, .start_id = kStart, .context = {}, .prefix = {}, .max_length = 2, .min_length = 0}};
            // An end token and four others; these four times five. Marian stops at the limit, as here.
            CHECK(search.run(batch, rules)[0].hypotheses.size() == 21);
            rules.suppressed = {{0}, {1}, {2}, {3}, {4}};
            const auto nothing = search.run(batch, rules);
            REQUIRE(nothing[0].hypotheses.size() == 1);
            CHECK(nothing[0].hypotheses[0].tokens.size() <= 2);
        }
    });
}

}  // namespace styles_test
