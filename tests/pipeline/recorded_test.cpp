// SPDX-License-Identifier: Apache-2.0
// Tokens, scores, attention and log-probabilities of CTranslate2 on the same files, over its option matrix.
#include <filesystem>

#include "pipeline/compare.h"

namespace recorded_test {

using namespace dragoman;

namespace {

void run(const std::string& directory) {
    CAPTURE(directory);
    const auto model = pipeline::Model::load(directory, {.compute_type = pipeline::ComputeType::f32});
    const auto translator = pipeline::Translator::create(model);
    test::compare_all(*translator, test::read_recorded(directory));
}

}  // namespace

TEST_CASE("the real model and its stored types agree with CTranslate2") {
    const auto models = test::recorded_models();
    REQUIRE(models.size() >= 10);
    for (const auto& directory : models) run(directory);
}

TEST_CASE("every shape of Transformer agrees with CTranslate2") {
    const auto models = test::recorded_models("random");
    REQUIRE(models.size() >= 12);
    for (const auto& directory : models) run(directory);
}

TEST_CASE("text goes in and comes out") {
    const std::string directory = std::string(DRAGOMAN_TEST_DATA) + "/toy-text";
    const auto model = pipeline::Model::load(directory, {.compute_type = pipeline::ComputeType::f32});
    CHECK(model->info().has_tokenizer);
    const auto translator = pipeline::Translator::create(model);
    const auto recorded = test::read_recorded(directory);
    REQUIRE(recorded.texts.size() >= 10);
    test::compare_texts(*model, *translator, recorded);
}

}  // namespace recorded_test
