// SPDX-License-Identifier: Apache-2.0
// MarianMT models as transformers saves them give the tokens, scores and log-probabilities transformers gives.
#include <filesystem>
#include <fstream>

#include "pipeline/compare.h"

namespace huggingface_test {

using namespace dragoman;
using nlohmann::json;

namespace {

std::vector<std::string> models() {
    auto found = test::recorded_models("huggingface");
    REQUIRE(found.size() == 2);
    return found;
}

std::shared_ptr<const pipeline::Model> load(const std::string& directory) {
    return pipeline::Model::load(directory, {.device = {}, .compute_type = pipeline::ComputeType::f32});
}

json read_json(const std::filesystem::path& path) {
    std::ifstream file(path);
    return json::parse(file);
}

TEST_CASE("greedy, beam search and forced targets agree with transformers") {
    for (const auto& directory : models()) {
        CAPTURE(directory);
        const auto recorded = test::read_recorded(directory);
        REQUIRE(recorded.cases.size() == 2);
        for (const auto& c : recorded.cases) REQUIRE(c.requests.size() >= 30);
        REQUIRE(recorded.scores.size() >= 8);
        const auto translator = pipeline::Translator::create(load(directory));
        test::compare_all(*translator, recorded);
    }
}

TEST_CASE("the whole distribution of the first token agrees with transformers") {
    for (const auto& directory : models()) {
        CAPTURE(directory);
        const std::filesystem::path folder = directory;
        const auto target = folder / "target_vocab.json";
        const json vocabulary = read_json(std::filesystem::exists(target) ? target : folder / "vocab.json");
        const auto translator = pipeline::Translator::create(load(directory));
        const json recorded = read_json(folder / "expected.json").at("first_step");
        REQUIRE(recorded.size() == 2);
        for (const json& step : recorded) {
            std::vector<pipeline::Request> pairs;
            std::vector<float> expected;
            for (const auto& [token, id] : vocabulary.items()) {
                pairs.push_back({step.at("source").get<pipeline::Tokens>(), {token}});
                expected.push_back(step.at("log_probs").at(id.get<std::size_t>()));
            }
            const auto results = translator->score(pairs);
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                CAPTURE(pairs[i].target_prefix[0]);
                CHECK(std::abs(results[i].log_probs.at(0) - expected[i]) <= 1e-4f);
            }
        }
    }
}

TEST_CASE("text goes in and comes out, with the language code as its first token") {
    for (const auto& directory : models()) {
        CAPTURE(directory);
        const auto model = load(directory);
        CHECK(model->info().format == "huggingface");
        CHECK(model->info().has_tokenizer);
        const auto translator = pipeline::Translator::create(model);
        const auto recorded = test::read_recorded(directory);
        REQUIRE(recorded.texts.size() >= 30);
        test::compare_texts(*model, *translator, recorded);
    }
    const auto model = load(DRAGOMAN_TEST_DATA "/huggingface/shared");
    CHECK(model->tokenize(">>xx<<").tokens == pipeline::Tokens{">>xx<<"});
    CHECK(model->tokenize(">>xx<< >>yy<<").tokens[0] == ">>xx<<");
    CHECK(model->tokenize(" >>xx<<").tokens[0] != ">>xx<<");   // only at the start
    CHECK(model->tokenize(">>zz<< a").tokens[0] != ">>zz<<");  // only codes of the vocabulary
    CHECK(model->tokenize(">>xx").tokens[0] != ">>xx");
    CHECK_THROWS_WITH(model->tokenize(">>xx<< \xff"), doctest::Contains("byte 7"));
}

TEST_CASE("padding is never generated") {
    // Its bias makes <pad> the likeliest first token of this model.
    const std::string directory = DRAGOMAN_TEST_DATA "/huggingface/shared";
    const auto recorded = test::read_recorded(directory);
    const auto translator = pipeline::Translator::create(load(directory));
    const json step = read_json(directory + "/expected.json").at("first_step").at(0);
    const json vocabulary = read_json(directory + "/vocab.json");
    const auto& log_probs = step.at("log_probs");
    REQUIRE(log_probs.at(vocabulary.at("<pad>").get<std::size_t>()).get<float>() > std::log(0.5f));
    pipeline::TranslateOptions options{.beam_size = 12, .num_hypotheses = 12};
    for (const bool alternatives : {false, true}) {
        options.return_alternatives = alternatives;
        for (const auto& result : translator->translate(std::span(recorded.cases[0].requests).first(8), options))
            for (const auto& hypothesis : result.hypotheses)
                CHECK(std::ranges::find(hypothesis.tokens, "<pad>") == hypothesis.tokens.end());
    }
}

}  // namespace

}  // namespace huggingface_test
