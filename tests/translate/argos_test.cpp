// SPDX-License-Identifier: Apache-2.0
// Translations by a package agree with what Argos Translate does with it (tests/tools/make_argos_expectations.py).
#include <doctest/doctest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/argos_package.h"
#include "translate/translator.h"

using namespace dragoman;

namespace {

TEST_CASE("a package translates as Argos Translate does with it") {
    const test::TempDir folder;
    const auto path = folder.write("toy.argosmodel", test::ArgosPackage().zipped());
    const auto model = translate::Model::load(path.string(), {.device = {}, .compute_type = translate::ComputeType::f32});
    CHECK(model->info().format == "argos");
    CHECK(model->info().has_tokenizer);
    const auto translator = translate::Translator::create(model);
    std::ifstream file(DRAGOMAN_TEST_DATA "/toy-text/argos.json");
    const auto recorded = nlohmann::json::parse(file);
    REQUIRE(recorded.size() > 10);
    for (const auto& item : recorded) {
        const auto text = item.at("text").get<std::string>();
        CAPTURE(text);
        const translate::Request request{model->tokenize(text), {}};
        const auto results = translator->translate(
            std::span(&request, 1),
            {.beam_size = 4, .length_penalty = 0.2f, .return_scores = true, .replace_unknowns = true});
        const auto& best = results.at(0).hypotheses.at(0);
        CHECK(model->detokenize(best.tokens) == item.at("translation").get<std::string>());
        CHECK(std::abs(best.score - item.at("score").get<float>()) < 1e-4f);
    }
}

}  // namespace
