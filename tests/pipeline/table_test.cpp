// SPDX-License-Identifier: Apache-2.0
// What CTranslate2's own test suite expects of this model (tests/translator_test.cc there), as data and as rules.
#include <cmath>
#include <set>

#include "pipeline/model_fixture.h"

namespace table_test {

using namespace dragoman;
using test::letters;
using test::real_model;
using test::text_of;
using pipeline::Request;
using pipeline::Tokens;
using pipeline::TranslateOptions;

namespace {

const std::string A = "آتزمون", B = "آزا";

struct Row {
    const char* name;
    std::vector<Request> requests;
    TranslateOptions options;
    std::vector<std::string> expected;  // the best hypothesis of each request
};

Request request(const std::string& source, const Tokens& prefix = {}) { return {letters(source), prefix}; }

std::vector<pipeline::Result> run(const std::vector<Request>& requests, const TranslateOptions& options) {
    return pipeline::Translator::create(real_model())->translate(requests, options);
}

const std::vector<Row>& rows() {
    static const std::vector<Row> table = [] {
        std::vector<Row> t{
            {"defaults", {request(A)}, {}, {"atzmon"}},
            {"hard prefixes in one batch",
             {request(A, letters("ats")), request(A), request(A, letters("atzo")), request(""), request(B)},
             {.beam_size = 2},
             {"atsumon", "atzmon", "atzomon", "", "azza"}},
            {"strong bias",
             {request(A, letters("ats")), request(A), request(A, letters("atzo")), request(B)},
             {.beam_size = 2, .prefix_bias_beta = 0.99f},
             {"atsumon", "atzmon", "atzomon", "azza"}},
            {"weak bias",
             {request(A, letters("atsss")), request(A), request(A, letters("atzo")), request(B)},
             {.beam_size = 2, .prefix_bias_beta = 0.01f},
             {"atzmon", "atzmon", "atzmon", "azza"}},
            {"prefix and a large beam", {request("أوليسس", letters("ulise"))}, {.beam_size = 5}, {"ulises"}},
            {"empty inputs",
             {request(""), request(B), request(""), request(A), request("")},
             {},
             {"", "azza", "", "atzmon", ""}},
        };
        for (const uint32_t beam : {1u, 4u}) {
            t.push_back({"batch", {request(B), request(A)}, {.beam_size = beam}, {"azza", "atzmon"}});
            t.push_back({"prefix", {request(A, letters("ats"))}, {.beam_size = beam}, {"atsumon"}});
            t.push_back({"unknown prefix token", {request(A, {"<unk>", "t"})}, {.beam_size = beam}, {"<unk>tzmon"}});
            t.push_back({"replace unknowns",
                         {request(A, {"<unk>", "t"})},
                         {.beam_size = beam, .replace_unknowns = true},
                         {"تtzmon"}});
            t.push_back(
                {"return end token", {request(A)}, {.beam_size = beam, .return_end_token = true}, {"atzmon</s>"}});
            t.push_back({"suppress sequences",
                         {request(A)},
                         {.beam_size = beam, .suppress_sequences = {{"o"}, {"t", "z", "m"}}},
                         {"atzumun"}});
            t.push_back({"end token", {request(A)}, {.beam_size = beam, .end_tokens = {"m"}}, {"atz"}});
        }
        return t;
    }();
    return table;
}

}  // namespace

TEST_CASE("expected translations") {
    for (const Row& row : rows()) {
        CAPTURE(row.name);
        CAPTURE(row.options.beam_size);
        const auto results = run(row.requests, row.options);
        REQUIRE(results.size() == row.expected.size());
        for (std::size_t i = 0; i < results.size(); ++i)
            CHECK(text_of(results[i].hypotheses.at(0).tokens) == row.expected[i]);
    }
}

TEST_CASE("lengths") {
    for (const uint32_t beam : {1u, 4u}) {
        CAPTURE(beam);
        auto results = run({request(A)}, {.beam_size = beam, .max_decoding_length = 3});
        CHECK(results[0].hypotheses[0].tokens.size() == 3);
        results = run({request(A)}, {.beam_size = beam, .min_decoding_length = 8});
        CHECK(results[0].hypotheses[0].tokens.size() == 8);
    }
}

TEST_CASE("attention has a row per target token and a column per source token") {
    for (const uint32_t beam : {1u, 4u}) {
        CAPTURE(beam);
        const auto results = run({request(B), request(A), request(A, letters("ats"))},
                                 {.beam_size = beam, .num_hypotheses = beam, .return_attention = true});
        const std::size_t targets[] = {4, 6, 7}, sources[] = {3, 6, 6};
        for (std::size_t i = 0; i < results.size(); ++i) {
            REQUIRE(results[i].hypotheses.size() == beam);
            const auto& best = results[i].hypotheses[0];
            REQUIRE(best.attention.rows == targets[i]);
            for (std::size_t t = 0; t < best.attention.rows; ++t) {
                const auto row = best.attention[t];
                REQUIRE(row.size() == sources[i]);
                float sum = 0.0f;
                for (const float weight : row) sum += weight;
                CHECK(sum == doctest::Approx(1.0f).epsilon(1e-5));
            }
        }
    }
}

TEST_CASE("a cut input gets no attention where it was cut") {
    const auto results = run({request(A)}, {.max_input_length = 3, .return_attention = true});
    const auto& best = results[0].hypotheses[0];
    CHECK(best.tokens.size() == 3);
    for (std::size_t t = 0; t < best.attention.rows; ++t) {
        const auto row = best.attention[t];
        REQUIRE(row.size() == 6);
        for (std::size_t j = 3; j < 6; ++j) CHECK(row[j] == 0.0f);
    }
}

TEST_CASE("repetition penalty and repeated n-grams") {
    for (const uint32_t beam : {1u, 4u}) {
        CAPTURE(beam);
        auto results = run({request("ننننن")}, {.beam_size = beam, .repetition_penalty = 100.0f});
        const Tokens& distinct = results[0].hypotheses[0].tokens;
        CHECK(std::set<std::string>(distinct.begin(), distinct.end()).size() == distinct.size());

        std::string many;
        for (int i = 0; i < 50; ++i) many += "ن";
        results = run({request(many)}, {.beam_size = beam, .no_repeat_ngram_size = 3});
        const Tokens& tokens = results[0].hypotheses[0].tokens;
        std::set<std::string> ngrams;
        for (std::size_t i = 0; i + 3 <= tokens.size(); ++i)
            CHECK(ngrams.insert(tokens[i] + " " + tokens[i + 1] + " " + tokens[i + 2]).second);
    }
}

TEST_CASE("scores are divided by the length with its end token") {
    for (const uint32_t max_length : {256u, 6u}) {
        CAPTURE(max_length);
        for (const uint32_t beam : {1u, 4u}) {
            TranslateOptions options{.beam_size = beam, .max_decoding_length = max_length, .return_scores = true};
            const auto normalised = run({request(A)}, options)[0].hypotheses[0];
            options.length_penalty = 0.0f;
            const auto sum = run({request(A)}, options)[0].hypotheses[0];
            const float length = float(sum.tokens.size()) + (max_length == 256 ? 1.0f : 0.0f);
            CHECK(normalised.score == doctest::Approx(sum.score / length).epsilon(1e-5));
        }
    }
}

TEST_CASE("greedy and beam search agree on this model") {
    const auto greedy = run({request(A)}, {.beam_size = 1, .return_scores = true})[0].hypotheses[0];
    const auto beam = run({request(A)}, {.beam_size = 2, .return_scores = true})[0].hypotheses[0];
    CHECK(greedy.tokens == beam.tokens);
    CHECK(std::abs(greedy.score - beam.score) < 1e-5f);
    CHECK(greedy.score == doctest::Approx(-0.151679).epsilon(1e-5));
}

TEST_CASE("alternatives") {
    const auto first_and_second = [](const pipeline::Result& result) {
        return text_of(result.hypotheses.at(0).tokens) + " " + text_of(result.hypotheses.at(1).tokens);
    };
    const TranslateOptions ten{.num_hypotheses = 10, .return_alternatives = true};
    auto results = run({request(A, letters("at"))}, ten);
    REQUIRE(results[0].hypotheses.size() == 10);
    CHECK(first_and_second(results[0]) == "atzmon atsumon");
    std::set<std::string> thirds;
    for (const auto& hypothesis : results[0].hypotheses) thirds.insert(hypothesis.tokens.at(2));
    CHECK(thirds.size() == 10);

    TranslateOptions likely = ten;
    likely.min_alternative_expansion_prob = 0.001f;
    CHECK(run({request(A, letters("at"))}, likely)[0].hypotheses.size() == 6);
    likely.min_alternative_expansion_prob = 1.0f;  // no token is so probable; the best one is given all the same
    likely.return_scores = true;
    const auto best = run({request(A, letters("at"))}, likely)[0].hypotheses;
    REQUIRE(best.size() == 1);
    CHECK(best[0].tokens == results[0].hypotheses[0].tokens);

    results = run({request(B, letters("a")), request(A, letters("at"))}, ten);
    CHECK(first_and_second(results[0]) == "azza asza");
    CHECK(first_and_second(results[1]) == "atzmon atsumon");

    results = run({request(A), request(B)}, ten);
    CHECK(first_and_second(results[0]) == "atzmon etzmon");
    CHECK(first_and_second(results[1]) == "azza ezza");

    TranslateOptions four{.num_hypotheses = 4, .return_alternatives = true};
    CHECK(text_of(run({request(A, letters("atzmon"))}, four)[0].hypotheses.at(0).tokens) == "atzmone");

    TranslateOptions two{
        .max_decoding_length = 2, .num_hypotheses = 10, .return_scores = true, .return_alternatives = true};
    const std::vector<Tokens> prefixes{{}, letters("a"), letters("at"), letters("atz")};
    for (const Tokens& prefix : prefixes) {
        CAPTURE(prefix.size());
        results = run({request(A, prefix)}, two);
        for (const auto& hypothesis : results[0].hypotheses) {
            CHECK(hypothesis.tokens.size() == 2);
            for (std::size_t t = 0; t < std::min<std::size_t>(prefix.size(), 2); ++t)
                CHECK(hypothesis.tokens[t] == prefix[t]);
            CHECK((hypothesis.score != 0.0f) == (prefix.size() < 2));
        }
    }
}

TEST_CASE("patience and large beams give as many hypotheses as asked for") {
    CHECK(run({request(A)}, {.beam_size = 4, .patience = 2.0f, .num_hypotheses = 8})[0].hypotheses.size() == 8);
    // 2 x 22 candidates are more than the 43 tokens of the vocabulary.
    CHECK(run({request(A)}, {.beam_size = 22, .num_hypotheses = 22})[0].hypotheses.size() == 22);
}

TEST_CASE("scores of given translations") {
    struct Pair {
        std::string source, target;
        std::vector<float> expected;
    };
    const std::vector<Pair> pairs{
        {A, "atzmon", {-0.106023f, -0.065410f, -0.056002f, -0.447953f, -0.230714f, -0.092184f, -0.063463f}},
        {"آتشيسون",
         "achison",
         {-0.072660f, -0.300309f, -0.181187f, -0.395671f, -0.025631f, -0.123466f, -0.002034f, -0.012639f}},
        {"آرباكه", "arbake", {-0.103136f, -0.089504f, -0.063889f, -0.007327f, -0.452072f, -0.060154f, -0.016636f}},
        {"", "", {0.0f}},
        {"آرثر", "arther", {-0.076704f, -0.036037f, -0.029253f, -0.030273f, -0.149276f, -0.002440f, -0.003742f}},
    };
    std::vector<Request> requests;
    for (const Pair& pair : pairs) requests.push_back(request(pair.source, letters(pair.target)));
    const auto translator = pipeline::Translator::create(real_model());
    const auto results = translator->score(requests);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        CAPTURE(i);
        CHECK(results[i].tokens.back() == "</s>");
        REQUIRE(results[i].log_probs.size() == pairs[i].expected.size());
        for (std::size_t t = 0; t < pairs[i].expected.size(); ++t)
            CHECK(std::abs(results[i].log_probs[t] - pairs[i].expected[t]) < 1e-5f);
    }
    const auto cut = translator->score(std::vector{request(A, letters("atzmon"))}, 4);
    CHECK(text_of(cut[0].tokens) == "atz</s>");
    CHECK(cut[0].log_probs.size() == 4);
}

}  // namespace table_test
