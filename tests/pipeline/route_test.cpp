// SPDX-License-Identifier: Apache-2.0
// Routes over several models: what comes out is what translating sentence by sentence with one model after the other
// gives.
#include "pipeline/model/route.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "markup/check_units.h"
#include "pipeline/run/relay.h"
#include "pipeline/run/translator.h"
#include "text/glossary.h"

namespace route_test {

using namespace dragoman;
using pipeline::Model;
using pipeline::ModelInfo;
using pipeline::RouteStep;
using pipeline::Translator;

namespace {

ModelInfo info(std::vector<spec::Language> from, std::vector<spec::Language> to, uint64_t parameters) {
    ModelInfo result;
    result.languages = {std::move(from), std::move(to)};
    result.parameters = parameters;
    return result;
}

std::string route(std::span<const ModelInfo> models, const std::string& from, const std::string& to) {
    std::string text;
    for (const RouteStep& step : pipeline::find_route(models, from, to))
        text += std::to_string(step.model) + ":" + step.from + "-" + step.to + " ";
    return text;
}

// German to English by the shipped model, from there to French by a tiny one.
struct Models {
    std::shared_ptr<const Model> shipped = Model::load(DRAGOMAN_TEST_DATA "/../../models/en-de", options());
    std::shared_ptr<const Model> many = Model::load(DRAGOMAN_TEST_DATA "/huggingface/m2m100", options());

    static pipeline::ModelOptions options() { return {.device = {}, .compute_type = pipeline::ComputeType::f32}; }
    // The second model could go straight, too.
    std::shared_ptr<Translator> both() const {
        const std::vector<std::shared_ptr<const Model>> models{shipped, many};
        return Translator::create(models, std::vector<RouteStep>{{0, "de", "en"}, {1, "en", "fr"}});
    }
};

const Models& models() {
    static const Models all;
    return all;
}

const std::string kText = "Wo ist der Bahnhof? Der letzte Zug fährt um zehn.\n\nIch habe Hunger.";

std::vector<pipeline::TextResult> translate(Translator& translator, std::vector<std::string> texts,
                                            const pipeline::TextOptions& text = {},
                                            const pipeline::TranslateOptions& options = {.beam_size = 2}) {
    const std::vector<pipeline::Text> inputs(texts.begin(), texts.end());
    return translator.translate_texts(inputs, text, options);
}

}  // namespace

TEST_CASE("the way with the fewest models, then with the most parameters, then the first") {
    const std::vector<ModelInfo> models{info({"de"}, {"en"}, 10),
                                        info({"en"}, {"fr"}, 10),
                                        info({"en"}, {"fr"}, 20),
                                        info({"fr"}, {"br"}, 5),
                                        info({"de"}, {"es"}, 5),
                                        info({"es"}, {"fr"}, 25),
                                        info({"deu_Latn", "pt"}, {"eng_Latn", "ja"}, 10)};
    CHECK(route(models, "de", "en") == "0:de-en ");
    CHECK(route(models, "de", "fr") == "0:de-en 2:en-fr ");
    CHECK(route(models, "de", "br") == "0:de-en 2:en-fr 3:fr-br ");
    CHECK(route(models, "pt", "fr") == "6:pt-eng_Latn 2:en-fr ");
    CHECK(route(models, "de-AT", "fr") == "0:de-en 2:en-fr ");
    CHECK_THROWS_WITH(route(models, "fr", "de"), doctest::Contains("from fr to de, 7 models lead from fr to br"));
    CHECK_THROWS_WITH(route(models, "ko", "de"), doctest::Contains("from ko to nothing"));
    CHECK_THROWS_WITH(route(models, "de", "de"), doctest::Contains("both are de"));
    CHECK_THROWS_WITH(route(models, "de", "xq1"), doctest::Contains("xq1"));
}

TEST_CASE("attention and alignments go through the text between, by bytes") {
    pipeline::Translation first{
        .text = "ab cd", .ranges = {{0, 2}, {3, 5}}, .score = {-0.5f, 2}, .attention = {{0.75f, 0.25f}, {0.0f, 1.0f}}};
    first.alignment = {.source = {{0, 1}, {2, 3}}, .target = {{0, 2}, {3, 5}}, .weights = {0.75f, 0.25f, 0.0f, 1.0f}};
    // Its tokens are cut elsewhere: "a", "b c", "d".
    pipeline::SourceSentences between;
    between.add({.range = {0, 5}}, {"a", "b c", "d"}, std::vector<text::Range>{{0, 1}, {1, 4}, {4, 5}});
    pipeline::TextHypothesis second{.score = -0.25f};
    pipeline::Translation x{.text = "x", .tokens = {"x"}, .ranges = {{0, 1}}, .attention = {{0.5f, 0.25f, 0.25f}}};
    x.alignment = {.source = {{0, 2}, {3, 5}}, .target = {{0, 1}}, .weights = {0.25f, 0.75f}};
    add_sentence(second, std::move(x), "");
    const pipeline::Translation both = pipeline::compose(first, between, second);
    CHECK(both.text == "x");
    CHECK(both.score == -0.75f);
    CHECK(both.tokens == pipeline::Tokens{"x"});
    REQUIRE(both.attention.rows == 1);
    // 1/2 of a; 1/4 of "b c", of whose three bytes one is b, one c; 1/4 of d.
    const float b = 0.25f / 3, c = 0.25f / 3;
    CHECK(both.attention[0][0] == doctest::Approx(0.75f * (0.5f + b)));
    CHECK(both.attention[0][1] == doctest::Approx(0.25f * (0.5f + b) + c + 0.25f));
    CHECK(both.alignment.source == first.alignment.source);
    CHECK(both.alignment.at(0, 0) == doctest::Approx(0.25f * 0.75f));
    CHECK(both.alignment.at(0, 1) == doctest::Approx(0.25f * 0.25f + 0.75f));
}

TEST_CASE("tags and what stays as it is go over a route with their words") {
    const std::string source =
        "<p class=x>Wo ist der <b>Bahnhof</b>? Der <a href=y>letzte <i>Zug</i></a> fährt um "
        "<kbd>10&nbsp;Uhr</kbd>.</p>\n<img alt='Ich habe Hunger.'><!-- Zug -->";
    const auto found = translate(*models().both(), {source}, {.markup = pipeline::Markup::html},
                                 {.beam_size = 2, .num_hypotheses = 2});
    REQUIRE(found.at(0).hypotheses.size() == 2);
    for (const auto& hypothesis : found[0].hypotheses) {
        const std::string& text = hypothesis.text;
        auto before = markup::test::tags(source), after = markup::test::tags(text);
        CHECK_MESSAGE(text.find("<kbd>10&nbsp;Uhr</kbd>") != std::string::npos, text);
        CHECK(hypothesis.plain.find("10\u00a0Uhr") == hypothesis.plain.rfind("10\u00a0Uhr"));
        CHECK(text.find("<a href=y>") < text.find("<i>"));
        CHECK(text.find("</i>") < text.find("</a>"));
        std::erase_if(before, [](const std::string& tag) { return tag.starts_with("<img"); });
        std::erase_if(after, [](const std::string& tag) { return tag.starts_with("<img"); });
        std::ranges::sort(before);
        std::ranges::sort(after);
        CHECK_MESSAGE(before == after, text);
    }
    const std::string plain = "Wo ist der Bahnhof?\n\nIch habe Hunger.";
    const auto marked = translate(*models().both(), {"<p>Wo ist der <b>Bahnhof</b>?</p><p>Ich habe Hunger."},
                                  {.markup = pipeline::Markup::html});
    CHECK(marked[0].hypotheses[0].plain == translate(*models().both(), {plain})[0].hypotheses[0].text + "\n\n");
}

TEST_CASE("terms of a route's first text are in the last one") {
    const auto both = models().both();
    const auto terms = std::make_shared<const text::Glossary>(text::read_glossary("Bahnhof\tgare\nZug\t東\n"));
    const auto found = translate(*both, {kText, "Guten Morgen!"}, {.glossary = terms})[0];
    REQUIRE(found.hypotheses[0].sentences.size() == 3);
    const std::string& text = found.hypotheses[0].text;
    CAPTURE(text);
    CHECK(text.find("gare") != std::string::npos);
    CHECK(text.find("東") != std::string::npos);
    CHECK(text.find("gare") < text.find("東"));
    for (std::size_t s = 0; s < 2; ++s) {
        const auto& uses = found.hypotheses[0].sentences[s].terms;
        REQUIRE(uses.size() == 1);
        CHECK(uses[0].met);
        CHECK(text::part(kText, uses[0].source) == (s == 0 ? "Bahnhof" : "Zug"));
        CHECK(found.hypotheses[0].sentences[s].alignment == text::WordAlignment{});
    }
}

TEST_CASE("a route gives what its models give one after the other") {
    const auto both = models().both();
    const auto to_english = Translator::create(models().shipped), to_french = Translator::create(models().many);
    const auto found = translate(*both, {kText, "", "Guten Morgen!", kText});
    REQUIRE(found.size() == 4);
    const auto english = translate(*to_english, {kText}, {.source_language = "de", .target_language = "en"});
    REQUIRE(found[0].sentences.size() == 3);
    for (std::size_t s = 0; s < 3; ++s) {
        const auto& from = english[0].hypotheses[0];
        const std::string between(text::part(from.text, from.sentences[s].range()));
        const auto expected = translate(*to_french, {between}, {.source_language = "en", .target_language = "fr"});
        const auto& hypothesis = found[0].hypotheses[0];
        CAPTURE(between);
        CHECK(text::part(hypothesis.text, hypothesis.sentences[s].range()) == expected[0].hypotheses[0].text);
        CHECK(found[0].sentences[s].range == english[0].sentences[s].range);
    }
    CHECK(found[1].hypotheses[0].text.empty());
    CHECK(found[3].hypotheses[0].text == found[0].hypotheses[0].text);
}

TEST_CASE("scores add up, n-best lists are ordered and have no text twice, alignments are of the given text") {
    const auto both = models().both();
    const auto found =
        translate(*both, {"Wo ist der Bahnhof?"}, {.return_alignment = true},
                  {.beam_size = 4, .num_hypotheses = 3, .return_scores = true, .return_attention = true});
    const auto& hypotheses = found[0].hypotheses;
    REQUIRE(hypotheses.size() > 1);
    for (std::size_t h = 0; h < hypotheses.size(); ++h) {
        CHECK(hypotheses[h].score < 0);
        if (h > 0) CHECK(hypotheses[h].score <= hypotheses[h - 1].score);
        if (h > 0) CHECK(hypotheses[h].text != hypotheses[h - 1].text);
        const auto& sentence = hypotheses[h].sentences.at(0);
        REQUIRE(sentence.attention.rows == hypotheses[h].packed_at(0).size());
        REQUIRE(hypotheses[h].ranges(0).size() == hypotheses[h].packed_at(0).size());
        for (std::size_t t = 0; t < sentence.attention.rows; ++t) {
            const auto row = sentence.attention[t];
            REQUIRE(row.size() == found[0].sentences[0].packed.size());
            for (const float weight : row) CHECK(std::isfinite(weight));
        }
        REQUIRE(sentence.alignment.source.size() == 5);  // four words and the mark
        CHECK(sentence.alignment.weights.size() == 5 * sentence.alignment.target.size());
    }
}

TEST_CASE("jobs, cancelling and what a route refuses") {
    const auto both = models().both();
    const auto expected = translate(*both, {kText});
    const auto job = both->submit({.documents = {{.text = kText}}, .options = {.beam_size = 2}}, {});
    const auto output = job->take();
    REQUIRE(output.texts.size() == 1);
    CHECK(output.texts[0].hypotheses[0].text == expected[0].hypotheses[0].text);

    std::size_t last = 0, total = 0;
    const std::vector<pipeline::Text> inputs(20, pipeline::Text{kText, {}});
    both->translate_texts(inputs, {}, {.beam_size = 2}, [&](std::size_t done, std::size_t of) {
        CHECK(done >= last);
        last = done;
        total = of;
        return true;
    });
    CHECK(last <= total);
    CHECK_THROWS_WITH(both->translate_texts(inputs, {}, {.beam_size = 2},
                                            [](std::size_t, std::size_t) { return false; }),
                      doctest::Contains("cancelled"));

    const pipeline::Text prefixed{kText, {"\xe2\x96\x81x"}};
    CHECK_THROWS_WITH(both->translate_texts(std::span(&prefixed, 1), {}, {}), doctest::Contains("prefix"));
    const pipeline::Request tokens{{"a"}, {}};
    CHECK_THROWS_WITH(both->translate(std::span(&tokens, 1), {}), doctest::Contains("2 models"));
    CHECK_THROWS_WITH(both->score(std::span(&tokens, 1)), doctest::Contains("2"));
    CHECK_THROWS_WITH(translate(*both, {kText}, {.target_language = "es"}), doctest::Contains("fr"));
}

}  // namespace route_test
