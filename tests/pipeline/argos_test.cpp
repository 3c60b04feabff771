// SPDX-License-Identifier: Apache-2.0
// Translations by a package agree with what Argos Translate does with it (tests/tools/make_argos_expectations.py).
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "families/argos_package.h"
#include "pipeline/recorded.h"
#include "text/token_ranges.h"

namespace argos_test {

using namespace dragoman;

namespace {

TEST_CASE("a package translates as Argos Translate does with it") {
    const test::TempDir folder;
    const auto path = folder.write("toy.argosmodel", test::ArgosPackage().zipped());
    const auto model = pipeline::Model::load(path.string(), {.device = {}, .compute_type = pipeline::ComputeType::f32});
    CHECK(model->info().format == "argos");
    CHECK(model->info().has_tokenizer);
    const auto translator = pipeline::Translator::create(model);
    std::ifstream file(DRAGOMAN_TEST_DATA "/toy-text/argos.json");
    const auto recorded = nlohmann::json::parse(file);
    REQUIRE(recorded.size() > 10);
    for (const auto& item : recorded) {
        const auto text = item.at("text").get<std::string>();
        CAPTURE(text);
        const pipeline::Request request{test::source_tokens(*model, text), {}};
        const auto results = translator->translate(std::span(&request, 1), {.return_scores = true});
        const auto& best = results.at(0).hypotheses.at(0);
        CHECK(model->detokenize(best.tokens).text == item.at("translation").get<std::string>());
        CHECK(std::abs(best.score - item.at("score").get<float>()) < 1e-4f);
    }
    // A package replaces unknown tokens unasked.
    const pipeline::Request unknown{test::source_tokens(*model, "bara min"), {"no piece of the vocabulary"}};
    const auto results = translator->translate(std::span(&unknown, 1), {});
    CHECK(std::ranges::find(unknown.source, results.at(0).hypotheses.at(0).tokens.at(0)) != unknown.source.end());
}

}  // namespace

}  // namespace argos_test
