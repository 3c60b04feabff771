// SPDX-License-Identifier: Apache-2.0
// The real model made int8, as Marian makes its models: most translations stay, and scores are close by. Models that
// were not made for int8: as CTranslate2 has them.
#include <algorithm>
#include <cmath>
#include <deque>
#include <filesystem>
#include <iostream>

#include "base/error.h"
#include "families/families.h"
#include "pipeline/model/model.h"
#include "pipeline/model_fixture.h"
#include "pipeline/compare.h"
#include "pipeline/recorded.h"

namespace int8_test {

using namespace dragoman;

namespace {

// Keeps the numbers that its tensors view.
struct Int8Spec {
    spec::ModelSpec spec = families::load(test::kRealModel);
    std::deque<std::vector<int8_t>> values;

    explicit Int8Spec(float input_scale) {
        const spec::WeightMap floats = spec.weights;
        spec.weights = {};
        for (const auto& [name, tensor] : floats.tensors()) {
            if (!name.ends_with("/weight") || tensor.shape.size() != 2) {
                spec.weights.add(name, tensor);
                continue;
            }
            std::vector<float> rows(tensor.elements());
            spec::to_f32(tensor, 0, rows);
            float largest = 0;
            for (const float value : rows) largest = std::max(largest, std::abs(value));
            auto& whole = values.emplace_back();
            for (const float value : rows) whole.push_back(int8_t(std::lround(value * 127 / largest)));
            spec.weights.add(name, {.dtype = DType::i8,
                                    .shape = tensor.shape,
                                    .bytes = std::as_bytes(std::span(whole)),
                                    .scales = {127 / largest},
                                    .input_scales = {input_scale}});
        }
        for (const auto& [name, target] : floats.aliases()) spec.weights.alias(name, target);
    }
};

}  // namespace

TEST_CASE("an int8 model translates nearly as the float32 model does, alone as in a batch") {
    const Int8Spec int8(0.0f);
    const auto model = std::make_shared<pipeline::Model>(int8.spec, pipeline::ModelOptions{
                                                                        .compute_type = pipeline::ComputeType::int8});
    CHECK(model->info().compute_type == "int8");
    CHECK(model->info().stored_types.find("int8") != std::string::npos);
    CHECK(model->info().device_bytes < test::real_model()->info().device_bytes * 2 / 3);
    const auto translator = pipeline::Translator::create(model);
    std::size_t compared = 0, same = 0;
    for (const auto& recorded : test::read_recorded(test::kRealModel).cases) {
        if (recorded.name != "greedy" && recorded.name != "beam4") continue;
        const auto results = translator->translate(recorded.requests, recorded.options);
        for (std::size_t i = 0; i < results.size(); ++i, ++compared) {
            const auto& best = results[i].hypotheses.at(0);
            const auto alone = translator->translate({&recorded.requests[i], 1}, recorded.options);
            CHECK(alone[0].hypotheses.at(0).tokens == best.tokens);
            CHECK(alone[0].hypotheses.at(0).score == best.score);
            if (best.tokens != recorded.expected[i].tokens[0]) continue;
            ++same;
            CHECK(std::abs(best.score - recorded.expected[i].scores[0]) < 0.2f);
        }
    }
    std::cout << "int8: " << same << " of " << compared << " translations are those of float32\n";
    REQUIRE(compared >= 20);
    CHECK(same * 10 >= compared * 8);
}

TEST_CASE("compute types of models made for int8, and of others") {
    const Int8Spec int8(20.0f);
    // On the device, and as GPUs have it: their float16 is faster.
    for (const bool gpu_kernels : {false, true}) {
        const auto device = engine::Device::open({.gpu_kernels = gpu_kernels});
        const vulkan::Caps& caps = device->context().caps();
        const auto info = [&](pipeline::ComputeType wanted) {
            return pipeline::Model(int8.spec, {.device = device, .compute_type = wanted}).info();
        };
        const bool halves = caps.f16 && !caps.is_cpu();
        const pipeline::ModelInfo automatic = info(pipeline::ComputeType::automatic);
        CHECK(automatic.compute_type == (halves ? "float16" : "int8"));
        CHECK(automatic.compute_reason ==
              (halves ? "faster on GPUs than the model's int8" : "the model is made for it"));
        const pipeline::ModelInfo asked = info(pipeline::ComputeType::int8);
        CHECK(asked.compute_type == "int8");
        CHECK(asked.compute_reason == "asked for");
        CHECK(info(pipeline::ComputeType::f32).compute_type == "float32");
    }
    for (const auto wanted : {pipeline::ComputeType::int8, pipeline::ComputeType::int8_f16}) {
        const auto device = engine::Device::shared();
        const vulkan::Caps& caps = device->context().caps();
        const std::string name = wanted == pipeline::ComputeType::int8 ? "int8" : "int8_float16";
        try {
            const auto model = pipeline::Model::load(test::kRealModel, {.device = device, .compute_type = wanted});
            CHECK(model->info().compute_type == name);
            CHECK(model->info().compute_reason == "asked for");
            CHECK((caps.f16 || wanted == pipeline::ComputeType::int8));
        } catch (const Error& error) {
            CHECK(!caps.f16);
            CHECK(error.status() == Status::unsupported);
            CHECK(std::string(error.what()).find("compute type int8_float16: " + caps.name) == 0);
        }
    }
}

TEST_CASE("models in int8 agree with CTranslate2 in int8") {
    namespace fs = std::filesystem;
    std::size_t models = 0, sentences = 0;
    for (const auto& entry : fs::recursive_directory_iterator(DRAGOMAN_TEST_DATA)) {
        if (entry.path().filename() != "int8.json") continue;
        const std::string folder = entry.path().parent_path().string();
        CAPTURE(folder);
        const auto recorded = test::read_recorded(folder, "int8.json");
        REQUIRE(recorded.scores_apart > 0);
        const auto model = pipeline::Model::load(folder, {.device = {}, .compute_type = pipeline::ComputeType::int8});
        CHECK(model->info().compute_type == "int8");
        const auto translator = pipeline::Translator::create(model);
        ++models;
        for (const auto& c : recorded.cases) {
            CAPTURE(c.name);
            const auto results = translator->translate(c.requests, c.options);
            for (std::size_t i = 0; i < results.size(); ++i, ++sentences)
                for (std::size_t h = 0; h < c.expected[i].tokens.size(); ++h) {
                    CAPTURE(i);
                    CAPTURE(h);
                    const auto& found = results[i].hypotheses.at(h);
                    CHECK(test::joined(found.tokens) == test::joined(c.expected[i].tokens[h]));
                    const float score = c.expected[i].scores[h];
                    // Twice what the last bits of the arithmetic made of it in CTranslate2.
                    CHECK(std::abs(found.score - score) <= 2 * recorded.scores_apart * std::max(1.0f, std::abs(score)));
                }
        }
        std::vector<pipeline::Request> pairs;
        for (const auto& score : recorded.scores) pairs.push_back(score.pair);
        const auto results = translator->score(pairs);
        for (std::size_t i = 0; i < results.size(); ++i)
            for (std::size_t t = 0; t < results[i].log_probs.size(); ++t) {
                const float expected = recorded.scores[i].log_probs.at(t);
                CHECK(std::abs(results[i].log_probs[t] - expected) <=
                      2 * recorded.log_probs_apart * std::max(1.0f, std::abs(expected)));
            }
    }
    CHECK(models >= 12);
    CHECK(sentences >= 500);
}

}  // namespace int8_test
