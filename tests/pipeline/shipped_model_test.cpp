// SPDX-License-Identifier: Apache-2.0
// The model that comes with the library gives what transformers gives with the same files (float32).
#include <fstream>
#include <sstream>

#include "pipeline/compare.h"
#include "pipeline/shipped.h"
#include "support/sweep.h"

namespace shipped_model_test {

using namespace dragoman;

namespace {

struct Sentence {
    std::string text, greedy, beam;
    float score = 0.0f;
};

// A thousand, of which a usual run takes every third.
std::vector<Sentence> recorded() {
    std::ifstream file(DRAGOMAN_TEST_DATA "/en-de/expected.tsv");
    std::vector<Sentence> sentences;
    for (std::string line; std::getline(file, line);) {
        std::istringstream columns(line);
        Sentence s;
        std::string score;
        std::getline(columns, s.text, '\t');
        std::getline(columns, s.greedy, '\t');
        std::getline(columns, s.beam, '\t');
        std::getline(columns, score, '\t');
        s.score = std::stof(score);
        sentences.push_back(std::move(s));
    }
    return sentences;
}

std::vector<pipeline::Request> requests(const std::vector<Sentence>& sentences) {
    std::vector<pipeline::Request> list;
    for (const Sentence& s : sentences) list.push_back({test::source_tokens(*test::shipped_model(), s.text), {}});
    return list;
}

}  // namespace

TEST_CASE("sentences, greedy, as transformers translates them") {
    const auto all = recorded();
    REQUIRE(all.size() == 1000);
    const auto sentences = test::every(all, 3, 0);
    const auto translator = pipeline::Translator::create(test::shipped_model());
    const auto results = translator->translate(requests(sentences), {.beam_size = 1});
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        CAPTURE(sentences[i].text);
        CHECK(test::joined(results[i].hypotheses.at(0).tokens) == sentences[i].greedy);
    }
}

TEST_CASE("sentences, four beams, as transformers translates them") {
    const auto all = recorded();
    REQUIRE(all.size() == 1000);
    const auto sentences = test::every(all, 3, 1);
    const auto translator = pipeline::Translator::create(test::shipped_model());
    const auto results = translator->translate(requests(sentences), {.beam_size = 4, .return_scores = true});
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        CAPTURE(sentences[i].text);
        CHECK(test::joined(results[i].hypotheses.at(0).tokens) == sentences[i].beam);
        CHECK(std::abs(results[i].hypotheses[0].score - sentences[i].score) <= test::kScoreTolerance);
    }
}

TEST_CASE("sentences in int8, greedy, as CTranslate2 in int8 translates them with the same weights") {
    const auto model = pipeline::Model::load(DRAGOMAN_SHIPPED_MODEL,
                                             {.device = {}, .compute_type = pipeline::ComputeType::int8});
    CHECK(model->info().compute_type == "int8");
    const auto translator = pipeline::Translator::create(model);
    std::ifstream file(DRAGOMAN_TEST_DATA "/en-de/int8.tsv");
    std::vector<Sentence> sentences;
    for (std::string line; std::getline(file, line);) {
        const auto tab = line.find('\t');
        sentences.push_back({.text = line.substr(0, tab), .greedy = line.substr(tab + 1), .beam = {}});
    }
    REQUIRE(sentences.size() >= 180);
    const auto results = translator->translate(requests(sentences), {.beam_size = 1});
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        CAPTURE(sentences[i].text);
        CHECK(test::joined(results[i].hypotheses.at(0).tokens) == sentences[i].greedy);
    }
}

}  // namespace shipped_model_test
