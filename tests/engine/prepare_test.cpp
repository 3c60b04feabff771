// SPDX-License-Identifier: Apache-2.0
// What is measured and compiled before sentences ask for it. A CPU passes for a GPU.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "base/background.h"
#include "engine/search.h"
#include "engine/tasks.h"
#include "spec/random_model.h"
#include "support/temp_dir.h"
#include "vulkan/tuning.h"

namespace prepare_test {

using namespace dragoman;

namespace {

spec::TransformerConfig small_config() {
    return {.d_model = 16,
            .encoder_ffn = 20,
            .decoder_ffn = 24,
            .source_vocabulary = test::kVocabulary,
            .target_vocabulary = test::kVocabulary,
            .encoder = {.layers = 1, .heads = 2, .head_dim = 8},
            .decoder = {.layers = 2, .heads = 2, .head_dim = 8, .final_norm = true},
            .start_from_zero_embedding = true};
}

struct Fixture {
    explicit Fixture(vulkan::TuningMode tuning, const std::string& cache_dir = "-")
        : device(engine::Device::open(
              {.gpu_kernels = true, .tuning = tuning, .tuning_seconds = 1000, .cache_dir = cache_dir})),
          weights(small_config(), {.seed = 5}),
          model(std::make_shared<engine::Model>(device, small_config(), weights.weights, engine::ComputeType::f32,
                                                "small")) {}

    decode::SearchStats translate(std::size_t sentences, uint32_t beam) {
        const decode::SearchStats before = model->stats();
        test::Diary diary;
        test::submit(device->scheduler(), model->network(), test::task_of(sentences, beam, 64), diary.mailbox);
        diary.read_until_ended(1);
        decode::SearchStats stats = model->stats();
        stats.pipelines_awaited -= before.pipelines_awaited;
        stats.pipelines_late -= before.pipelines_late;
        return stats;
    }

    std::shared_ptr<engine::Device> device;
    test::RandomModel weights;
    std::shared_ptr<engine::Model> model;
};

}  // namespace

TEST_CASE("no pipeline is compiled while a sentence waits once the model is prepared") {
    for (const vulkan::TuningMode tuning : {vulkan::TuningMode::off, vulkan::TuningMode::background}) {
        Fixture f(tuning);
        f.model->prepare(test::rules_of(3));
        f.device->context().background().wait();
        CHECK(f.translate(1, 3).pipelines_awaited == 0);
        CHECK(f.translate(50, 3).pipelines_awaited == 0);  // and as they become fewer
        CHECK(f.device->context().tuning().empty() == (tuning == vulkan::TuningMode::off));
    }
}

TEST_CASE("what a search of other rules will need is compiled beside its first steps") {
    Fixture f(vulkan::TuningMode::off);
    CHECK(f.translate(50, 2).pipelines_awaited > 0);  // of its first steps, since nothing was prepared
    f.device->context().background().wait();
    CHECK(f.translate(50, 2).pipelines_awaited == 0);
    CHECK(f.translate(12, 2).pipelines_awaited == 0);
    CHECK(f.translate(1, 2).pipelines_awaited == 0);
}

TEST_CASE("a load measures once, and its choices are found by the next") {
    const test::TempDir folder;
    const auto load = [&](bool measured) {
        Fixture f(vulkan::TuningMode::at_load, folder.path().string());
        CHECK(f.device->context().tuning().empty() != measured);
        f.model->prepare(test::rules_of(1));
        CHECK(!f.device->context().tuning().empty());
    };
    const auto kept = [&] {
        for (const auto& file : std::filesystem::directory_iterator(folder.path())) {
            if (!file.path().filename().string().starts_with("tuning-")) continue;
            std::ostringstream text;
            text << std::ifstream(file.path()).rdbuf();
            return text.str();
        }
        return std::string();
    };
    load(false);
    const std::string choices = kept();
    CHECK(choices.find("matmul_") != std::string::npos);
    load(true);
    CHECK(kept() == choices);
}

TEST_CASE("a model may go while it is prepared, and a device, too") {
    Fixture f(vulkan::TuningMode::background);
    f.model->prepare(test::rules_of(4));
    f.model.reset();
    f.device->context().background().wait();
    const auto again = std::make_shared<engine::Model>(f.device, small_config(), f.weights.weights,
                                                       engine::ComputeType::f32, "small");
    again->prepare(test::rules_of(4));
}

TEST_CASE("CPU devices prepare nothing") {
    const auto device = engine::Device::open({.tuning = vulkan::TuningMode::at_load, .cache_dir = "-"});
    if (!device->context().caps().is_cpu()) return;
    const test::RandomModel weights(small_config(), {.seed = 5});
    engine::Model model(device, small_config(), weights.weights, engine::ComputeType::f32, "small");
    model.prepare(test::rules_of(1));
    CHECK(device->context().tuning().empty());
    CHECK(!device->context().background().started());
}

}  // namespace prepare_test
