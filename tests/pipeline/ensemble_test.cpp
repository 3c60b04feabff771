// SPDX-License-Identifier: Apache-2.0
// Several models that predict together give what Marian makes of them, and what does not fit together is refused.
#include <filesystem>

#include "convert/convert.h"
#include "formats/yaml_map.h"
#include "pipeline/compare.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace dragoman::test::ensemble_test {
namespace {

namespace fs = std::filesystem;
using pipeline::ComputeType;

const fs::path kData = DRAGOMAN_TEST_DATA;

// decoder.yml, and the models and the vocabulary that it names.
void write_folder(const fs::path& recorded, const TempDir& folder) {
    const std::string decoder = read_file(recorded / "decoder.yml");
    folder.write("decoder.yml", decoder);
    for (const std::string& name : formats::YamlMap("decoder.yml", decoder).list("models"))
        folder.write(name, read_file(kData / "marian" / fs::path(name).stem() / "model.npz"));
    folder.write("vocab.yml", read_file(kData / "marian/post/vocab.yml"));
}

std::string model(const char* name) { return (kData / "marian" / name / "model.npz").string(); }

std::shared_ptr<pipeline::Translator> translator(const fs::path& path, pipeline::ModelOptions options = {}) {
    options.compute_type = ComputeType::f32;
    return pipeline::Translator::create(pipeline::Model::load(path.string(), options));
}

TEST_CASE("ensembles: folders with several models agree with Marian") {
    const auto folders = recorded_models("ensembles");
    REQUIRE(folders.size() == 4);
    for (const fs::path recorded : folders) {
        CAPTURE(recorded);
        const TempDir folder;
        write_folder(recorded, folder);
        const auto expected = read_recorded(recorded.string());
        REQUIRE(expected.cases.at(0).requests.size() >= 40);
        REQUIRE(expected.cases.at(1).expected.at(0).tokens.size() == 4);
        REQUIRE(expected.scores.size() >= 5);
        const auto together = translator(folder.path());
        const bool three = recorded.filename() == "three" || recorded.filename() == "kinds";
        CHECK(together->model().info().networks == (three ? 3u : 2u));
        compare_all(*together, expected);
    }
}

TEST_CASE("ensembles: models that are named one by one agree with Marian") {
    compare_all(*translator(model("post"), {.more_models = {model("ssru")}}),
                read_recorded((kData / "ensembles/sum").string()));
    compare_all(*translator(model("post"), {.more_models = {model("average")}, .weights = {0.7f, 0.3f}}),
                read_recorded((kData / "ensembles/weighted").string()));
}

std::vector<pipeline::Result> translated(pipeline::Translator& translator) {
    const auto recorded = read_recorded((kData / "marian/post").string());
    return translator.translate(recorded.cases.at(1).requests, recorded.cases.at(1).options);
}

TEST_CASE("ensembles: a model beside itself is the model alone, in logarithms and in probabilities") {
    const auto alone = translated(*translator(model("post")));
    const auto check = [&](pipeline::ModelOptions options) {
        const auto results = translated(*translator(model("post"), options));
        for (std::size_t i = 0; i < alone.size(); ++i) {
            CAPTURE(i);
            REQUIRE(results[i].hypotheses.size() == alone[i].hypotheses.size());
            for (std::size_t h = 0; h < alone[i].hypotheses.size(); ++h) {
                CHECK(joined(results[i].hypotheses[h].tokens) == joined(alone[i].hypotheses[h].tokens));
                CHECK(std::abs(results[i].hypotheses[h].score - alone[i].hypotheses[h].score) <= 1e-5f);
            }
        }
    };
    check({.more_models = {model("post")}, .weights = {0.5f, 0.5f}});
    check({.more_models = {model("post")}, .weights = {0.25f, 0.75f}, .average_probabilities = true});
}

TEST_CASE("ensembles: one model with a weight has scores so many times as large") {
    const TempDir folder;
    for (const char* name : {"model.npz", "vocab.yml"}) folder.write(name, read_file(kData / "marian/post" / name));
    folder.write("decoder.yml", "models: [model.npz]\nvocabs: [vocab.yml, vocab.yml]\nweights: [0.5]\n");
    const auto recorded = read_recorded((kData / "marian/post").string());
    const auto& greedy = recorded.cases.at(0);
    const auto results = translator(folder.path())->translate(greedy.requests, greedy.options);
    for (std::size_t i = 0; i < results.size(); ++i) {
        CHECK(joined(results[i].hypotheses.at(0).tokens) == joined(greedy.expected[i].tokens[0]));
        CHECK(std::abs(results[i].hypotheses[0].score - greedy.expected[i].scores[0] / 2) <= kScoreTolerance);
    }
}

TEST_CASE("ensembles: alignments are those of the first model") {
    const auto recorded = read_recorded((kData / "marian/post").string());
    const auto& greedy = recorded.cases.at(0);
    const auto aligned = [&](const char* other) {
        // So little of the other that the tokens stay.
        auto together = translator(model("post"), {.more_models = {model(other)}, .weights = {1.0f, 1e-6f}});
        return together->translate(greedy.requests, greedy.options);
    };
    const auto results = aligned("ssru");
    for (std::size_t i = 0; i < results.size(); ++i) {
        CAPTURE(i);
        compare(results[i], greedy.expected[i]);
    }
}

TEST_CASE("ensembles: what does not fit together is refused, with both values") {
    const auto refused = [](Status status, std::initializer_list<const char*> parts, const std::string& first,
                            pipeline::ModelOptions options) {
        check_refused(status, parts, [&] { pipeline::Model::load(first, options); });
    };
    using Options = pipeline::ModelOptions;
    const std::string post = model("post"), firefox = (kData / "marian/int8-firefox").string();
    refused(Status::invalid_argument, {"int8-firefox", "source vocabulary of 30 tokens as in", "has "}, post,
            Options{.more_models = {firefox}});
    refused(Status::invalid_argument, {"weights: expected 2 numbers", "got 1"}, post,
            Options{.more_models = {post}, .weights = {1.0f}});
    refused(Status::invalid_argument, {"weights: expected finite numbers above 0, got 0"}, post,
            Options{.more_models = {post}, .weights = {1.0f, 0.0f}});
    refused(Status::invalid_argument, {"weights: expected finite numbers above 0, got inf"}, post,
            Options{.more_models = {post}, .weights = {1.0f, INFINITY}});
    refused(Status::invalid_argument, {"weights: expected finite numbers above 0, got nan"}, post,
            Options{.more_models = {post}, .weights = {NAN, 1.0f}});
    refused(Status::invalid_argument, {"average_probabilities: expected several models, got 1"}, post,
            Options{.average_probabilities = true});
    refused(Status::invalid_argument, {"right to left", "expected \"false\"", "has \"true\""}, post,
            Options{.more_models = {model("right-left")}});
    const std::string int8 = (kData / "marian/int8-fork/model.bin").string();
    refused(Status::unsupported, {"int8-fork", "expected float weights", "has int8 weights"}, post,
            Options{.more_models = {int8}});
    refused(Status::unsupported, {"post", "expected int8 weights", "has float weights"}, int8,
            Options{.more_models = {post}});
    const auto both = pipeline::Model::load(post, Options{.compute_type = ComputeType::f32, .more_models = {int8}});
    CHECK(both->info().networks == 2);
    const auto rounded = pipeline::Model::load(post, Options{.compute_type = ComputeType::int8, .more_models = {int8}});
    CHECK(rounded->info().compute_type == "int8");
    CHECK(rounded->info().device_bytes < both->info().device_bytes);

    const TempDir folder;
    folder.write("model.npz", read_file(post));
    std::string vocabulary = read_file(kData / "marian/post/vocab.yml");
    vocabulary.replace(vocabulary.find("s5:"), 3, "S5:");
    folder.write("vocab.yml", vocabulary);
    refused(Status::invalid_argument, {"source vocabulary: expected \"s5\" as token 7", "has \"S5\""}, post,
            Options{.more_models = {folder.path().string()}});

    const TempDir ensemble;
    write_folder(kData / "ensembles/weighted", ensemble);
    refused(Status::unsupported, {"expected one network", "has 2"}, post,
            Options{.more_models = {ensemble.path().string()}});
    check_refused(Status::unsupported, {"GGUF", "ensemble has 2"},
                  [&] { convert::convert(ensemble.path().string(), (ensemble.path() / "model.gguf").string(), {}); });
}

TEST_CASE("ensembles: a shortlist is refused") {
    const std::string firefox = (kData / "marian/int8-firefox").string();
    const auto together = pipeline::Translator::create(pipeline::Model::load(firefox, {.more_models = {firefox}}));
    check_refused(Status::unsupported, {"use_shortlist", "ensemble of 2"},
                  [&] { together->translate({}, {.use_shortlist = true}); });
}

}  // namespace
}  // namespace dragoman::test::ensemble_test
