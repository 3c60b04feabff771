// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>
#include <dragoman/dragoman.hpp>

#include <string>

namespace {

const std::string kModel = DRAGOMAN_TEST_DATA "/aren-transliteration";
const std::vector<std::vector<std::string>> kSources = {{"آ", "ز", "ا"}, {"آ", "ت", "ز", "م", "و", "ن"}};

std::string join(std::span<const dragoman_string> tokens) {
    std::string text;
    for (const dragoman_string& token : tokens) text += dragoman::view(token);
    return text;
}

}  // namespace

TEST_CASE("C++: translate, score, statistics") {
    const dragoman::Model model(kModel);
    CHECK(model.info().d_model == 32);
    CHECK(dragoman::describe_model(kModel).decoder_layers == 6);
    const auto devices = dragoman::devices();
    REQUIRE(model.device().index < devices.size());
    CHECK(std::string(devices[model.device().index].name) == model.device().name);

    dragoman::Translator translator(model);
    dragoman::TranslateOptions options;
    options.beam_size = 4;
    options.num_hypotheses = 2;
    options.return_scores = options.return_attention = 1;
    const dragoman::TokenViews sources(kSources);
    const dragoman::Result result = translator.translate(sources, options);
    REQUIRE(result.size() == 2);
    CHECK(result.hypotheses(0) == 2);
    CHECK(join(result.tokens(0)) == "azza");
    CHECK(join(result.tokens(1)) == "atzmon");
    CHECK(join(result.source_tokens(0)) == "آزا");
    CHECK(result.score(1) < 0);
    CHECK(result.attention(1).rows == 6);
    CHECK(result.attention(1).cols == 6);

    const std::vector<std::vector<std::string>> prefixes = {{}, {"a", "t", "s"}};
    CHECK(join(translator.translate(sources, {}, dragoman::TokenViews(prefixes)).tokens(1)) == "atsumon");

    const std::vector<std::vector<std::string>> targets = {{"a"}, {"a", "t", "z", "m", "o", "n"}};
    const dragoman::Scores scores = translator.score(sources, dragoman::TokenViews(targets));
    REQUIRE(scores.size() == 2);
    CHECK(scores.log_probs(1).size() == 7);
    CHECK(scores.log_probs(1)[0] == doctest::Approx(-0.106023).epsilon(1e-3));
    CHECK(join(scores.tokens(0)) == "a</s>");
    CHECK(translator.stats().sentences > 0);
    translator.reset_stats();
    translator.trim();
}

TEST_CASE("C++: errors are exceptions with status and message") {
    try {
        dragoman::Model("/no/such/model");
        FAIL("no exception");
    } catch (const dragoman::Error& error) {
        CHECK(error.status() == DRAGOMAN_IO_ERROR);
        CHECK(std::string(error.what()).find("/no/such/model") != std::string::npos);
    }
    const dragoman::Model model(kModel);
    dragoman::Translator translator(model);
    CHECK_THROWS_AS(translator.translate("text"), dragoman::Error);
    const std::span first(kSources.data(), 1);
    const dragoman::TokenViews sources(kSources), one(first);
    CHECK_THROWS_AS(translator.translate(sources, {}, one), dragoman::Error);
    CHECK_THROWS_AS(translator.score(sources, one), dragoman::Error);
    CHECK_THROWS_AS(translator.translate(dragoman::TokenViews{}), dragoman::Error);
}

TEST_CASE("C++: handles move") {
    dragoman::Model model(kModel);
    dragoman::Model moved = std::move(model);
    dragoman::Translator translator(moved);
    dragoman::Translator other = std::move(translator);
    CHECK(join(other.translate(dragoman::TokenViews(kSources)).tokens(0)) == "azza");
}
