// SPDX-License-Identifier: Apache-2.0
// Models in Marian's own containers give the tokens, scores, log-probabilities and alignments Marian gives.
#include <filesystem>
#include <fstream>

#include "pipeline/compare.h"
#include "text/token_ranges.h"

namespace marian_test {

using namespace dragoman;
namespace fs = std::filesystem;

namespace {

constexpr const char* kData = DRAGOMAN_TEST_DATA "/marian";

using pipeline::ComputeType;

std::shared_ptr<const pipeline::Model> load(const fs::path& path, ComputeType type = ComputeType::f32) {
    return pipeline::Model::load(path.string(), {.device = {}, .compute_type = type});
}

// The files of a model each, or the folder when it is found by what lies in it.
std::vector<fs::path> model_files(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const fs::path& file = entry.path();
        const bool shortlist = file.filename().string().starts_with("lex.");
        if (file.extension() == ".npz" || file.extension() == ".zip" || (file.extension() == ".bin" && !shortlist))
            files.push_back(file);
    }
    if (files.empty()) files.push_back(folder);
    std::ranges::sort(files);
    return files;
}

bool is_rounded(const fs::path& file) { return file.filename() == "model.f16.bin"; }
bool is_integer(const fs::path& folder) { return folder.filename().string().starts_with("int8"); }

TEST_CASE("greedy, beam search and forced targets agree with Marian") {
    const auto folders = test::recorded_models("marian");
    REQUIRE(folders.size() >= 30);
    for (const fs::path folder : folders) {
        if (is_integer(folder)) continue;
        const auto recorded = test::read_recorded(folder.string());
        REQUIRE(recorded.cases.size() >= 1);
        REQUIRE(recorded.cases[0].requests.size() >= 20);
        REQUIRE(recorded.scores.size() >= 5);
        const auto files = model_files(folder);
        REQUIRE(!files.empty());
        for (const fs::path& file : files) {
            if (is_rounded(file)) continue;
            CAPTURE(file);
            const auto translator = pipeline::Translator::create(load(file));
            CHECK(translator->model().info().format == "marian");
            test::compare_all(*translator, recorded);
        }
    }
}

std::size_t equal_sentences(const fs::path& file, const test::RecordedCase& c) {
    const auto results = pipeline::Translator::create(load(file))->translate(c.requests, c.options);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i].hypotheses.at(0).tokens == c.expected[i].tokens[0]) ++equal;
    return equal;
}

TEST_CASE("weights rounded to 16 bits give nearly all of the same translations") {
    for (const char* name : {"post", "s2s"}) {
        const fs::path folder = fs::path(kData) / name;
        const auto recorded = test::read_recorded(folder.string());
        const std::size_t sentences = recorded.cases[0].requests.size();
        const std::size_t equal = equal_sentences(folder / "model.f16.bin", recorded.cases[0]);
        MESSAGE(std::string(name) << ", 16-bit weights: " << equal << " of " << sentences << " as in 32 bits");
        CHECK(equal * 10 >= sentences * 9);
    }
}

TEST_CASE("integer products are those of exact arithmetic") {
    for (const char* name : {"int8-fork", "int8-upstream", "int8-marian", "int8-firefox"}) {
        CAPTURE(name);
        const fs::path folder = fs::path(kData) / name;
        const auto recorded = test::read_recorded(folder.string());
        REQUIRE(recorded.cases[0].requests.size() >= (recorded.texts.empty() ? 200 : 30));
        const auto translator = pipeline::Translator::create(load(model_files(folder).at(0), ComputeType::int8));
        CHECK(translator->model().info().compute_type == "int8");
        // A product of whole numbers that falls on the other side of a half moves the score more than 1e-4.
        const auto results = translator->translate(recorded.cases[0].requests, recorded.cases[0].options);
        std::size_t equal = 0;
        for (std::size_t i = 0; i < results.size(); ++i) {
            CAPTURE(i);
            const auto& expected = recorded.cases[0].expected[i];
            CHECK(test::joined(results[i].hypotheses.at(0).tokens) == test::joined(expected.tokens[0]));
            if (std::abs(results[i].hypotheses[0].score - expected.scores[0]) <= 1e-4f) ++equal;
        }
        MESSAGE(std::string(name) << ": scores equal to 1e-4 in " << equal << " of " << results.size());
        CHECK(equal * 10 >= results.size() * 8);
    }
}

TEST_CASE("text goes in and comes out of published folders") {
    for (const char* name : {"int8-firefox", "opus"}) {
        CAPTURE(name);
        const fs::path folder = fs::path(kData) / name;
        const auto recorded = test::read_recorded(folder.string());
        REQUIRE(recorded.texts.size() >= 20);
        // The recorded translations are those of the products that the model was made for.
        const auto model = load(model_files(folder).at(0), is_integer(folder) ? ComputeType::int8 : ComputeType::f32);
        CHECK(model->info().has_tokenizer);
        const auto translator = pipeline::Translator::create(model);
        for (const auto& text : recorded.texts) {
            CAPTURE(text.text);
            const pipeline::Request request{test::source_tokens(*model, text.text), {}};
            CHECK(request.source == text.pieces);
            pipeline::TranslateOptions options;
            options.beam_size = name == std::string("opus") ? 4 : 1;
            options.length_penalty = 1.0f;
            const auto results = translator->translate(std::span(&request, 1), options);
            CHECK(model->detokenize(results[0].hypotheses.at(0).tokens).text == text.translation);
        }
    }
}

TEST_CASE("a shortlist limits what may come") {
    const fs::path folder = fs::path(kData) / "int8-firefox";
    std::ifstream file(folder / "expected.json");
    const auto recorded = nlohmann::json::parse(file).at("shortlist").at(0);
    const auto translator = pipeline::Translator::create(load(folder, ComputeType::int8));
    std::vector<pipeline::Request> requests;
    for (const auto& source : recorded.at("source")) requests.push_back({source.get<pipeline::Tokens>(), {}});
    REQUIRE(requests.size() >= 30);
    pipeline::TranslateOptions options = test::options_from_json(recorded.at("options"));
    options.use_shortlist = true;
    const auto results = translator->translate(requests, options);
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(i);
        CHECK(results[i].hypotheses.at(0).tokens ==
              recorded.at("expected").at(i).at("hypotheses").at(0).get<pipeline::Tokens>());
    }
    const auto plain = pipeline::Translator::create(load(fs::path(kData) / "post"));
    CHECK_THROWS_WITH(plain->translate({}, options), doctest::Contains("use_shortlist"));
}

TEST_CASE("nothing in, nothing out") {
    const auto translator = pipeline::Translator::create(load(fs::path(kData) / "ssru"));
    const pipeline::Request empty;
    const auto results = translator->translate(std::span(&empty, 1), {.return_scores = true});
    CHECK(results[0].hypotheses.at(0).tokens.empty());
    CHECK(results[0].hypotheses[0].score == 0.0f);
}

}  // namespace

}  // namespace marian_test
