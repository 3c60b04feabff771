// SPDX-License-Identifier: Apache-2.0
// Models in Marian's own containers give the tokens, scores, log-probabilities and alignments Marian gives.
#include <filesystem>

#include "translate/compare.h"

using namespace dragoman;
namespace fs = std::filesystem;

namespace {

constexpr const char* kData = DRAGOMAN_TEST_DATA "/marian";

std::shared_ptr<const translate::Model> load(const fs::path& path) {
    return translate::Model::load(path.string(), {.device = {}, .compute_type = translate::ComputeType::f32});
}

std::vector<fs::path> model_files(const fs::path& folder) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".npz" || entry.path().extension() == ".bin") files.push_back(entry.path());
    std::ranges::sort(files);
    return files;
}

bool is_rounded(const fs::path& file) { return file.filename() == "model.f16.bin"; }
bool is_integer(const fs::path& folder) { return folder.filename().string().starts_with("int8"); }

TEST_CASE("greedy, beam search and forced targets agree with Marian") {
    const auto folders = test::recorded_models("marian");
    REQUIRE(folders.size() >= 17);
    for (const fs::path folder : folders) {
        if (is_integer(folder)) continue;
        const auto recorded = test::read_recorded(folder);
        REQUIRE(recorded.cases.size() >= 1);
        REQUIRE(recorded.cases[0].requests.size() >= 20);
        REQUIRE(recorded.scores.size() >= 5);
        const auto files = model_files(folder);
        REQUIRE(!files.empty());
        for (const fs::path& file : files) {
            if (is_rounded(file)) continue;
            CAPTURE(file);
            const auto translator = translate::Translator::create(load(file));
            CHECK(translator->model().info().format == "marian");
            test::compare_all(*translator, recorded);
        }
    }
}

std::size_t equal_sentences(const fs::path& file, const test::RecordedCase& c) {
    const auto results = translate::Translator::create(load(file))->translate(c.requests, c.options);
    std::size_t equal = 0;
    for (std::size_t i = 0; i < results.size(); ++i)
        if (results[i].hypotheses.at(0).tokens == c.expected[i].tokens[0]) ++equal;
    return equal;
}

TEST_CASE("weights rounded to 16 bits give nearly all of the same translations") {
    const fs::path folder = fs::path(kData) / "post";
    const auto recorded = test::read_recorded(folder);
    const std::size_t sentences = recorded.cases[0].requests.size();
    const std::size_t equal = equal_sentences(folder / "model.f16.bin", recorded.cases[0]);
    MESSAGE("16-bit weights: " << equal << " of " << sentences << " as in 32 bits");
    CHECK(equal * 10 >= sentences * 9);
}

TEST_CASE("integer products are those of exact arithmetic") {
    for (const char* name : {"int8-fork", "int8-upstream"}) {
        CAPTURE(name);
        const fs::path folder = fs::path(kData) / name;
        const auto recorded = test::read_recorded(folder);
        REQUIRE(recorded.cases[0].requests.size() >= 200);
        const auto translator = translate::Translator::create(load(folder / "model.bin"));
        test::compare_all(*translator, recorded);
    }
}

}  // namespace
