// SPDX-License-Identifier: Apache-2.0
// How sure translations are, with the shipped model.
#include "pipeline/shipped.h"
#include "pipeline/value/quality_scores.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "pipeline/compare.h"
#include "support/refused.h"
#include "text/words.h"

namespace quality_test {

using namespace dragoman;
using pipeline::Quality;
using pipeline::SentenceFlags;
using pipeline::TextOptions;
using pipeline::TextResult;
using pipeline::TranslateOptions;
using pipeline::Translator;
using spec::SentenceFeature;
using spec::WordFeature;

namespace {

Translator& shipped() {
    static const auto translator = Translator::create(test::shipped_model());
    return *translator;
}

const TextOptions kJudged{.target_language = "de", .return_quality = true};

TextResult translate(std::string_view text, const TextOptions& how = kJudged, const TranslateOptions& options = {}) {
    const pipeline::Text input{text, {}};
    return shipped().translate_texts({&input, 1}, how, options).at(0);
}

const Quality& quality(const TextResult& result, std::size_t sentence = 0) {
    return result.hypotheses.at(0).sentences.at(sentence).quality;
}

void check_shape(const TextResult& result) {
    for (const auto& hypothesis : result.hypotheses) {
        const std::string& text = hypothesis.plain.empty() ? hypothesis.text : hypothesis.plain;
        CHECK(hypothesis.quality > 0.0f);
        CHECK(hypothesis.quality <= 1.0f);
        for (const auto& sentence : hypothesis.sentences) {
            const Quality& of_sentence = sentence.quality;
            std::vector<text::Range> words = text::words(text::part(text, sentence.range()));
            for (text::Range& word : words) word = {word.begin + sentence.begin, word.end + sentence.begin};
            CHECK(of_sentence.words == words);
            REQUIRE(of_sentence.scores.size() == words.size());
            for (const float score : of_sentence.scores) CHECK((score >= 0.0f && score <= 1.0f));
        }
    }
}

float score_of(const TextResult& result, std::string_view word) {
    const auto& hypothesis = result.hypotheses.at(0);
    const std::string& text = hypothesis.plain.empty() ? hypothesis.text : hypothesis.plain;
    for (const auto& sentence : hypothesis.sentences)
        for (std::size_t w = 0; w < sentence.quality.words.size(); ++w)
            if (text::part(text, sentence.quality.words[w]) == word) return sentence.quality.scores[w];
    FAIL("no word ", std::string(word), " in ", text);
    return 0;
}

}  // namespace

TEST_CASE("log-probabilities are those of scoring the translation") {
    for (const uint32_t beam : {1u, 4u}) {
        const std::string text = "My brother wants to buy a new car in the old town.";
        const TextResult result = translate(text, kJudged, {.beam_size = beam, .return_end_token = true});
        check_shape(result);
        const auto& sentence = result.hypotheses.at(0).sentences.at(0);
        const pipeline::Request pair{result.sentences.at(0).tokens(), {}};
        pipeline::Tokens target = result.hypotheses.at(0).tokens(0);
        const bool starts = !test::shipped_model()->decoder_start_token();
        pipeline::Request whole{result.sentences.at(0).tokens(), target};
        whole.target_prefix.pop_back();  // the end, which scoring adds
        if (starts) whole.target_prefix.insert(whole.target_prefix.begin(), test::shipped_model()->bos_token());
        const auto scored = shipped().score(std::span(&whole, 1));
        const std::vector<float>& log_probs = scored.at(0).log_probs;
        REQUIRE(log_probs.size() == target.size());
        const auto& features = sentence.quality.evidence.sentence;
        const float sum = std::accumulate(log_probs.begin(), log_probs.end(), 0.0f);
        CHECK(features[std::size_t(SentenceFeature::log_prob)] ==
              doctest::Approx(sum / float(log_probs.size())).epsilon(2e-3));
        CHECK(features[std::size_t(SentenceFeature::least)] ==
              doctest::Approx(std::ranges::min(log_probs)).epsilon(2e-3));
        CHECK(features[std::size_t(SentenceFeature::end)] == doctest::Approx(log_probs.back()).epsilon(2e-3));
    }
}

TEST_CASE("asking changes no translation, and needs neither tokens nor attention in the result") {
    const std::string text = "Tom is very tired. He wants to sleep. I bought \u6771\u4eac tickets.";
    TextOptions few = kJudged;
    few.return_tokens = false;
    for (const uint32_t beam : {1u, 3u}) {
        TranslateOptions options{.beam_size = beam};
        options.num_hypotheses = beam;
        const TextResult with = translate(text, kJudged, options),
                         plain = translate(text, {.target_language = "de"}, options),
                         without = translate(text, few, options);
        check_shape(with);
        check_shape(without);
        REQUIRE(with.hypotheses.size() == plain.hypotheses.size());
        for (std::size_t h = 0; h < with.hypotheses.size(); ++h) {
            CHECK(with.hypotheses[h].text == plain.hypotheses[h].text);
            CHECK(with.hypotheses[h].quality == without.hypotheses[h].quality);
            CHECK(plain.hypotheses[h].quality == 0.0f);
            for (std::size_t s = 0; s < with.hypotheses[h].sentences.size(); ++s) {
                CHECK(with.hypotheses[h].sentences[s].attention.empty());
                CHECK(without.hypotheses[h].ranges(s).empty());
                CHECK(plain.hypotheses[h].sentences[s].quality.empty());
            }
        }
    }
}

TEST_CASE("what is carried over is sure, and so is what is copied") {
    const TextResult carried = translate("I bought \u6771\u4eac tickets at www.example.com/a?b=1 yesterday.");
    check_shape(carried);
    CHECK(score_of(carried, "\u6771\u4eac") == 1.0f);
    CHECK(score_of(carried, "example") == 1.0f);
    CHECK(quality(carried).score < 1.0f);
    const TextResult copied = translate("\u6771\u4eac \u5927\u962a");
    check_shape(copied);
    CHECK(quality(copied).score == 1.0f);
    CHECK(std::ranges::all_of(quality(copied).scores, [](float score) { return score == 1.0f; }));
    const TextResult blank = translate(" ");
    CHECK(blank.hypotheses.at(0).sentences.empty());
}

TEST_CASE("words of a text without sense are less sure than those of a plain one") {
    const TextResult plain = translate("The house is big.");
    const TextResult senseless = translate("Blorft the gnarl of quux besmeared zyx under fronk it's.");
    CHECK(std::ranges::min(quality(plain).scores) > std::ranges::min(quality(senseless).scores) + 0.1f);
}

TEST_CASE("the whole text's is the mean by words, and jobs and alignments go with it") {
    const std::string text = "The house is big. I have a dog and two cats, and they sleep all day.";
    TextOptions aligned = kJudged;
    aligned.return_alignment = true;
    const TextResult result = translate(text, aligned);
    check_shape(result);
    const Quality &first = quality(result, 0), &second = quality(result, 1);
    CHECK(result.hypotheses.at(0).quality ==
          doctest::Approx((first.score * float(first.words.size()) + second.score * float(second.words.size())) /
                          float(first.words.size() + second.words.size())));
    CHECK(result.hypotheses.at(0).sentences.at(1).alignment.target == second.words);
}

TEST_CASE("features of words, from numbers by hand") {
    const std::vector<text::Range> tokens{{0, 2}, {2, 5}, {6, 9}, {9, 10}};  // "un" "bel" "Tom" "."
    const std::vector<decode::Certainty> certainty{
        {-1.0f, 2.0f, 0.5f, -0.5f}, {-3.0f, 1.0f, 1.5f, -0.5f}, {-0.5f, 0.5f, 4.0f, -0.5f}, {0.0f, 0.0f, 9.0f, 0.0f}};
    const Matrix attention{{0.5f, 0.5f, 0}, {0, 1, 0}, {0, 1, 0}, {0, 1, 0}};
    const std::vector<text::Range> words{{0, 5}, {6, 9}, {9, 10}};
    const pipeline::Evidence found = pipeline::evidence({.source = "Tom unheard.",
                                                         .target = "unbel Tom.",
                                                         .tokens = tokens,
                                                         .certainty = certainty,
                                                         .attention = attention,
                                                         .end_log_prob = -0.25f},
                                                        words);
    const auto word = [&](std::size_t w, WordFeature which) { return found.words.at(w)[std::size_t(which)]; };
    const auto sentence = [&](SentenceFeature which) { return found.sentence[std::size_t(which)]; };
    CHECK(word(0, WordFeature::log_prob) == doctest::Approx(-2));
    CHECK(word(0, WordFeature::least) == doctest::Approx(-3));
    CHECK(word(0, WordFeature::entropy) == doctest::Approx(1.5));
    CHECK(word(0, WordFeature::gap) == doctest::Approx(1.5));
    CHECK(word(0, WordFeature::margin) == doctest::Approx(0.5));
    CHECK(word(0, WordFeature::tokens) == doctest::Approx(std::log(3)));
    CHECK(word(0, WordFeature::focus) == doctest::Approx(std::log(2) / 2));
    CHECK(word(0, WordFeature::copied) == 0);
    CHECK(word(1, WordFeature::copied) == 1);
    CHECK(word(1, WordFeature::around) == doctest::Approx(-1));
    CHECK(word(2, WordFeature::spoken) == 0);
    CHECK(word(2, WordFeature::sentence) == doctest::Approx(-4.75 / 5));
    CHECK(sentence(SentenceFeature::log_prob) == doctest::Approx(-4.75 / 5));
    CHECK(sentence(SentenceFeature::least) == doctest::Approx(-3));
    CHECK(sentence(SentenceFeature::left_out) == doctest::Approx(1.0 / 3));
    CHECK(sentence(SentenceFeature::repeated) == doctest::Approx(1.0 / 3));
    CHECK(sentence(SentenceFeature::copied) == doctest::Approx(2.0 / 3));
    CHECK(sentence(SentenceFeature::ratio) == doctest::Approx(std::log(5.0 / 4)));
    spec::QualityWeights weights;
    weights.word.fill(0);
    weights.sentence.fill(0);
    weights.word[std::size_t(WordFeature::log_prob)] = 1;
    weights.sentence[std::size_t(SentenceFeature::words)] = 2;
    weights.sentence[std::size_t(SentenceFeature::worst)] = -1;
    Quality judged{.words = words};
    const text::Range sure{6, 7};
    pipeline::judge(found, weights, {&sure, 1}, judged);
    const auto sigmoid = [](double x) { return 1 / (1 + std::exp(-x)); };
    CHECK(judged.scores.at(0) == doctest::Approx(sigmoid(-2)));
    CHECK(judged.scores.at(1) == 1);
    CHECK(judged.scores.at(2) == doctest::Approx(0.5));
    CHECK(judged.score == doctest::Approx(sigmoid(2 * (sigmoid(-2) + 1.5) / 3 - sigmoid(-2))));
}

TEST_CASE("marks in HTML") {
    const std::string page =
        "<title>Blorft quux</title><p>The <b>house</b> is &lt; a blorft quux zyx.<img alt='A blorft'>";
    TextOptions how{.source_language = "en", .target_language = "de", .markup = pipeline::Markup::html};
    const std::string plain = translate(page, how).hypotheses.at(0).text;
    how.quality_marks = 0.99f;
    const TextResult result = translate(page, how);
    check_shape(result);
    std::string marked = result.hypotheses.at(0).text;
    std::size_t marks = 0;
    for (std::size_t at; (at = marked.find("<span class=\"dragoman-unsure\" data-score=\"0.")) != std::string::npos;
         ++marks) {
        CHECK(marked.find("<title>") < at);
        CHECK(marked.find("</title>") < at);  // a title and an attribute have none
        marked.erase(at, marked.find('>', at) + 1 - at);
        marked.erase(marked.find("</span>", at), 7);
    }
    CHECK(marks >= 3);
    CHECK(marked == plain);
    how.quality_marks = 1e-6f;
    CHECK(translate(page, how).hypotheses.at(0).text == plain);
    how.quality_marks = 0.5f;
    how.markup = pipeline::Markup::xml;
    test::check_refused(Status::invalid_argument, {"quality_marks: 0.5 needs markup html, it is xml"},
                        [&] { translate("<p/>", how); });
    how.quality_marks = 2;
    test::check_refused(Status::invalid_argument, {"quality_marks: 2 is not allowed"}, [&] { translate("<p/>", how); });
}

TEST_CASE("a route's words are as sure as both models are, and its sentences as the less sure one") {
    const std::vector<std::shared_ptr<const pipeline::Model>> models{test::shipped_model()};
    const auto there_and_back = Translator::create(models,
                                                   std::vector<pipeline::RouteStep>{{0, "en", "de"}, {0, "de", "en"}});
    const pipeline::Text text{"The old house is big.", {}};
    const TextOptions how{.return_quality = true};
    const TextResult both = there_and_back->translate_texts({&text, 1}, how, {.beam_size = 1}).at(0);
    check_shape(both);
    const TextResult first = translate("The old house is big.", kJudged, {.beam_size = 1});
    const TextResult second = translate(first.hypotheses.at(0).text, {.target_language = "en", .return_quality = true},
                                        {.beam_size = 1});
    CHECK(both.hypotheses.at(0).text == second.hypotheses.at(0).text);
    CHECK(both.hypotheses.at(0).quality == std::min(first.hypotheses[0].quality, second.hypotheses[0].quality));
    const auto& scores = quality(first).scores;
    const float mean = std::accumulate(scores.begin(), scores.end(), 0.0f) / float(scores.size());
    for (std::size_t w = 0; w < quality(second).scores.size(); ++w)
        CHECK(quality(both).scores.at(w) == doctest::Approx(quality(second).scores[w] * mean));
}

}  // namespace quality_test
