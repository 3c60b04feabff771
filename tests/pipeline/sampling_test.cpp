// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "base/error.h"
#include "pipeline/model_fixture.h"

namespace sampling_test {

using namespace dragoman;
using pipeline::Request;
using pipeline::Result;
using pipeline::Tokens;
using pipeline::TranslateOptions;
using spec::Sampling;
using test::letters;
using test::real_model;

namespace {

const std::vector<Request>& requests() {
    static const std::vector<Request> list = {{letters("آتزمون"), {}},
                                              {letters("قرغو"), {}},
                                              {letters("آزا"), {}},
                                              {letters("آتسموسفر"), {}},
                                              {letters("ارباكه"), {}}};
    return list;
}

std::vector<Result> translate(std::span<const Request> some, const TranslateOptions& options) {
    return pipeline::Translator::create(real_model())->translate(some, options);
}

std::vector<Tokens> samples(const Result& result) {
    std::vector<Tokens> tokens;
    for (const pipeline::Hypothesis& hypothesis : result.hypotheses) tokens.push_back(hypothesis.tokens);
    return tokens;
}

TranslateOptions drawn(float temperature, uint32_t count, uint32_t seed = 1) {
    return {.sampling = Sampling::on,
            .temperature = temperature,
            .seed = seed,
            .num_hypotheses = count,
            .return_scores = true};
}

void check_refused(const TranslateOptions& options, const std::string& names) {
    CAPTURE(names);
    try {
        translate(requests(), options);
        FAIL("accepted");
    } catch (const Error& error) {
        CHECK(error.status() == Status::invalid_argument);
        CHECK_MESSAGE(std::string(error.what()).find(names) != std::string::npos, error.what());
    }
}

}  // namespace

TEST_CASE("as many independent samples as hypotheses, the same alone, in a batch and in any order") {
    const auto together = translate(requests(), drawn(2.0f, 6));
    for (std::size_t i = 0; i < requests().size(); ++i) {
        const auto& hypotheses = together[i].hypotheses;
        REQUIRE(hypotheses.size() == 6);
        CHECK(std::ranges::is_sorted(hypotheses, std::greater<>(), &pipeline::Hypothesis::score));
        const auto own = samples(together[i]);
        CHECK(std::set<Tokens>(own.begin(), own.end()).size() > 2);
        CHECK(samples(translate(std::span(&requests()[i], 1), drawn(2.0f, 6))[0]) == own);
    }
    std::vector<Request> reversed(requests().rbegin(), requests().rend());
    reversed.push_back(requests()[2]);
    const auto backwards = translate(reversed, drawn(2.0f, 6));
    for (std::size_t i = 0; i < requests().size(); ++i) CHECK(samples(backwards[4 - i]) == samples(together[i]));
    CHECK(samples(backwards[5]) == samples(together[2]));
    CHECK(samples(translate(requests(), drawn(2.0f, 6, 2))[0]) != samples(together[0]));
    // The first sample is among several.
    const auto first = samples(translate(requests(), drawn(2.0f, 1))[0]), six = samples(together[0]);
    CHECK(std::ranges::count(six, first[0]) > 0);
}

TEST_CASE("one token left is greedy search, and its scores") {
    const auto greedy = translate(requests(), {.beam_size = 1, .return_scores = true});
    TranslateOptions one = drawn(0.7f, 1);
    one.top_k = 1;
    TranslateOptions best = drawn(1.5f, 2);
    best.min_p = 1.0f;
    TranslateOptions least = drawn(1.0f, 1);
    least.top_p = 0.0f;
    for (const TranslateOptions& options : {one, best, least}) {
        const auto found = translate(requests(), options);
        for (std::size_t i = 0; i < found.size(); ++i)
            for (const pipeline::Hypothesis& hypothesis : found[i].hypotheses) {
                CHECK(hypothesis.tokens == greedy[i].hypotheses[0].tokens);
                CHECK(hypothesis.score == doctest::Approx(greedy[i].hypotheses[0].score).epsilon(1e-5));
            }
    }
}

TEST_CASE("the score of a sample is what scoring gives it") {
    TranslateOptions options = drawn(2.0f, 4);
    options.top_k = 8;
    options.length_penalty = 0.0f;
    options.min_decoding_length = 0;
    options.return_end_token = true;
    const auto found = translate(requests(), options);
    std::vector<Request> pairs;
    std::vector<float> scores;
    for (std::size_t i = 0; i < requests().size(); ++i)
        for (const pipeline::Hypothesis& hypothesis : found[i].hypotheses) {
            REQUIRE(hypothesis.tokens.back() == "</s>");
            pairs.push_back({requests()[i].source, {hypothesis.tokens.begin(), hypothesis.tokens.end() - 1}});
            scores.push_back(hypothesis.score);
        }
    const auto expected = pipeline::Translator::create(real_model())->score(pairs);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        float sum = 0;
        for (const float log_prob : expected[i].log_probs) sum += log_prob;
        CHECK(scores[i] == doctest::Approx(sum).epsilon(1e-4));
    }
}

TEST_CASE("samples beside beams at the same time") {
    const auto translator = pipeline::Translator::create(real_model());
    const TranslateOptions beams{.beam_size = 4, .return_scores = true};
    const auto alone = translator->translate(requests(), beams);
    const auto drawn_alone = translator->translate(requests(), drawn(1.5f, 3));
    std::vector<std::shared_ptr<pipeline::Job>> jobs;
    for (int i = 0; i < 4; ++i) {
        pipeline::JobInput input{.documents = {}, .texts = false, .options = i % 2 == 0 ? beams : drawn(1.5f, 3)};
        for (const Request& request : requests()) input.documents.push_back({.text = {}, .source = request.source});
        jobs.push_back(translator->submit(std::move(input), {}));
    }
    for (int i = 0; i < 4; ++i) {
        const auto results = jobs[std::size_t(i)]->take().results;
        for (std::size_t r = 0; r < requests().size(); ++r)
            CHECK(samples(results[r]) == samples(i % 2 == 0 ? alone[r] : drawn_alone[r]));
    }
}

TEST_CASE("options of sampling that cannot be are refused by name") {
    check_refused({.sampling = Sampling::on, .temperature = 0.0f},
                  "temperature: 0 is not allowed; expected more than 0");
    check_refused({.sampling = Sampling::on, .temperature = 1001.0f}, "temperature: 1001");
    check_refused({.sampling = Sampling::on, .top_k = (1u << 26) + 1}, "top_k: 67108865");
    check_refused({.sampling = Sampling::on, .top_p = 1.5f}, "top_p: 1.5 is not allowed; expected 0 to 1");
    check_refused({.sampling = Sampling::on, .min_p = -0.5f}, "min_p: -0.5 is not allowed; expected 0 to 1");
    check_refused({.sampling = Sampling(3)}, "sampling: 3 is not allowed; expected 1 to 2");
    check_refused({.beam_size = 4, .sampling = Sampling::on}, "beam_size: 4 is not allowed; expected 1 with sampling");
    check_refused({.sampling = Sampling::on, .prefix_bias_beta = 0.5f}, "prefix_bias_beta: 0.5");
    check_refused({.sampling = Sampling::on, .return_alternatives = true}, "return_alternatives");
    check_refused({.temperature = 0.5f}, "temperature: 0.5 needs sampling on");
    check_refused({.sampling = Sampling::off, .top_k = 5}, "top_k: 5 needs sampling on");
    check_refused({.top_p = 0.5f}, "top_p: 0.5 needs sampling on");
    check_refused({.min_p = 0.5f}, "min_p: 0.5 needs sampling on");
    check_refused({.seed = 5}, "seed: 5 needs sampling on, which is off; expected 0");
}

}  // namespace sampling_test
