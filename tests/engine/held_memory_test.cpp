// SPDX-License-Identifier: Apache-2.0
// What a model and its searches held is the device's again as soon as the device is done with it, without anybody asking
// for it: no call below lets the library collect anything.
#include <chrono>
#include <thread>

#include "base/background.h"
#include "engine/model.h"
#include "engine/tasks.h"
#include "spec/random_model.h"
#include "vulkan/context_impl.h"

namespace held_memory_test {

using namespace dragoman;

namespace {

spec::TransformerConfig config() {
    return {.d_model = 64,
            .encoder_ffn = 128,
            .decoder_ffn = 128,
            .source_vocabulary = test::kVocabulary,
            .target_vocabulary = test::kVocabulary,
            .encoder = {.layers = 2, .heads = 2, .head_dim = 32},
            .decoder = {.layers = 2, .heads = 2, .head_dim = 32, .final_norm = true},
            .start_from_zero_embedding = true};
}

// On a GPU, kernels are compiled and checked in the background; what that takes is the device's, not a model's.
uint64_t held(engine::Device& device) {
    device.context().background().wait();
    return device.context().impl().memory.held_bytes();
}

std::unique_ptr<engine::Model> load(const std::shared_ptr<engine::Device>& device, const test::RandomModel& weights) {
    return std::make_unique<engine::Model>(device, weights.config, weights.weights, engine::ComputeType::f32, "random");
}

test::TestJob long_task() {
    test::TestJob task = test::task_of(60, 3, 16);
    for (decode::SearchInput& input : task.inputs) {
        input.source.assign(20, 3);
        input.start_id = 1;
        input.max_length = input.min_length = 60;
    }
    return task;
}

}  // namespace

TEST_CASE("a model that goes with a task in flight leaves nothing") {
    const test::RandomModel weights(config(), {.seed = 5});
    const auto device = engine::Device::open({});
    CHECK(held(*device) == 0);
    for (int round = 0; round < 8; ++round) {
        CAPTURE(round);
        auto model = load(device, weights);
        const uint64_t loaded = held(*device);
        test::Diary diary;
        const auto task = test::submit(device->scheduler(), model->network(), long_task(), diary.mailbox);
        for (int i = 0; i < 1000 && round % 4 && held(*device) == loaded; ++i)  // until it runs
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::this_thread::sleep_for(std::chrono::milliseconds(5 * (round % 4)));
        if (round % 2) device->scheduler().cancel(task);
        model.reset();
        diary.read_until_ended(1);
        CHECK(diary.statuses[task] == Status::cancelled);
        CHECK(held(*device) == 0);
    }
}

TEST_CASE("with another model at work, what a model held goes all the same") {
    const test::RandomModel weights(config(), {.seed = 5}), others(config(), {.seed = 6});
    const auto device = engine::Device::open({});
    auto other = load(device, others);
    test::Diary diary;
    test::submit(device->scheduler(), other->network(), long_task(), diary.mailbox);
    diary.read_until_ended(1);
    REQUIRE(diary.statuses.begin()->second == Status::ok);
    const uint64_t before = held(*device);
    auto model = load(device, weights);
    test::submit(device->scheduler(), model->network(), long_task(), diary.mailbox);
    model.reset();
    diary.read_until_ended(2);
    CHECK(held(*device) == before);
}

TEST_CASE("a model that was never asked anything leaves nothing") {
    const test::RandomModel weights(config(), {.seed = 5});
    const auto device = engine::Device::open({});
    load(device, weights).reset();
    CHECK(device->context().stats().memory_bytes == 0);
}

}  // namespace held_memory_test
