// SPDX-License-Identifier: Apache-2.0
// Several models on one device: each gets its share of it, room is shared, and what happens to one leaves the others
// alone.
#include <algorithm>

#include "engine/search.h"
#include "engine/tasks.h"
#include "nn/seq2seq.h"
#include "spec/random_model.h"
#include "support/device.h"

namespace models_test {

using namespace dragoman;
using decode::SearchInput;
using engine::TaskId;
using engine::Scheduler;
using test::check_outputs;
using test::Diary;
using test::TestJob;

namespace {

// A task with so many steps for every source token.
TestJob task_of(std::size_t inputs, uint32_t steps_per_token, uint32_t beam = 1, uint32_t slots = 4) {
    TestJob task = test::task_of(inputs, beam, slots);
    for (std::size_t i = 0; i < inputs; ++i) {
        task.inputs[i].source.assign(3 + i * 5 % 13, 3);
        task.inputs[i].max_length = task.inputs[i].min_length = uint32_t(task.inputs[i].source.size()) *
                                                                steps_per_token;
    }
    return task;
}

// Reads until a task has ended, and counts source tokens that the tasks got until then.
std::map<TaskId, std::size_t> tokens_until_first_end(Diary& diary, const std::map<TaskId, TestJob>& tasks) {
    diary.read_until_ended(1);
    std::map<TaskId, std::size_t> tokens;
    for (const auto& [id, task] : tasks) tokens[id] = 0;
    for (const auto& [id, outputs] : diary.at_end[diary.ended.front()])
        for (const std::size_t input : outputs) tokens[id] += tasks.at(id).inputs[input].source.size();
    return tokens;
}

double share(std::size_t one, std::size_t other) { return double(one) / double(one + other); }

// A device's room: the rows of all states together.
struct Room {
    std::atomic<uint32_t> left;
};

class CrampedModel final : public test::BigramModel {
public:
    CrampedModel(std::shared_ptr<vulkan::Context> context, uint32_t seed, Room& room)
        : BigramModel(std::move(context), test::kVocabulary, seed), room_(room) {}
    std::unique_ptr<nn::State> make_state(uint32_t rows, uint32_t) const override {
        if (rows > room_.left) fail(Status::out_of_memory, "{} rows, {} are left", rows, room_.left.load());
        return std::make_unique<Rows>(room_, rows);
    }

private:
    struct Rows final : nn::State {
        Rows(Room& from, uint32_t count) : room(from), rows(count) { room.left -= rows; }
        ~Rows() override { room.left += rows; }
        Room& room;
        uint32_t rows;
    };
    Room& room_;
};

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

}  // namespace

TEST_CASE("two models share the device by source tokens, also where one is slower") {
    const auto context = vulkan::Context::create({});
    const test::FragileModel quick(context, test::kVocabulary, 3), slow(context, test::kVocabulary, 4);
    struct Case {
        uint32_t steps, beam, slots;
    };
    for (const auto& [steps, beam, slots] : {Case{1, 1, 4}, {4, 1, 4}, {1, 5, 4}, {2, 3, 2}}) {
        CAPTURE(steps);
        CAPTURE(beam);
        CAPTURE(slots);
        Scheduler scheduler(context);
        Diary diary;
        std::map<TaskId, TestJob> tasks;
        const TestJob one = task_of(300, 1), other = task_of(300, steps, beam, slots);
        const TaskId a = test::submit(scheduler, quick, one, diary.mailbox);
        const TaskId b = test::submit(scheduler, slow, other, diary.mailbox);
        tasks = {{a, one}, {b, other}};
        const auto tokens = tokens_until_first_end(diary, tasks);
        CHECK(share(tokens.at(a), tokens.at(b)) > 0.4);
        CHECK(share(tokens.at(a), tokens.at(b)) < 0.6);
        diary.read_until_ended(2);
    }
}

TEST_CASE("of three tasks each gets a third, whichever models they are of") {
    const auto context = vulkan::Context::create({});
    const test::FragileModel one(context, test::kVocabulary, 3), other(context, test::kVocabulary, 4);
    Scheduler scheduler(context);
    Diary diary;
    std::map<TaskId, TestJob> tasks;
    for (const auto* model : {&one, &one, &other}) {
        const TestJob task = task_of(300, 2);
        tasks.emplace(test::submit(scheduler, *model, task, diary.mailbox), task);
    }
    const auto tokens = tokens_until_first_end(diary, tasks);
    std::size_t all = 0;
    for (const auto& [id, count] : tokens) all += count;
    for (const auto& [id, count] : tokens) {
        CHECK(double(count) / double(all) > 0.25);
        CHECK(double(count) / double(all) < 0.42);
    }
    diary.read_until_ended(3);
}

TEST_CASE("a model that had nothing to do has no claim for it") {
    const auto context = vulkan::Context::create({});
    const test::FragileModel busy(context, test::kVocabulary, 3), late(context, test::kVocabulary, 4);
    Scheduler scheduler(context);
    Diary before;
    test::submit(scheduler, late, task_of(2, 1), before.mailbox);  // so that its lane is there
    before.read_until_ended(1);
    test::submit(scheduler, busy, task_of(300, 1), before.mailbox);
    before.read_until_ended(2);

    Diary diary;
    const TestJob task = task_of(200, 1);
    const TaskId a = test::submit(scheduler, busy, task, diary.mailbox);
    const TaskId b = test::submit(scheduler, late, task, diary.mailbox);
    const auto tokens = tokens_until_first_end(diary, {{a, task}, {b, task}});
    CHECK(share(tokens.at(a), tokens.at(b)) > 0.4);
    CHECK(share(tokens.at(a), tokens.at(b)) < 0.6);
    diary.read_until_ended(2);
}

TEST_CASE("one that finds no end does not keep the device to itself") {
    const auto context = vulkan::Context::create({});
    const test::FragileModel endless(context, test::kVocabulary, 3), usual(context, test::kVocabulary, 4);
    Scheduler scheduler(context);
    Diary diary;
    TestJob never = task_of(4, 1);
    for (SearchInput& input : never.inputs) input.max_length = input.min_length = 60'000;
    const TaskId a = test::submit(scheduler, endless, never, diary.mailbox);
    const TaskId b = test::submit(scheduler, usual, task_of(300, 1), diary.mailbox);
    diary.read_until_ended(1);
    CHECK(diary.ended == std::vector<TaskId>{b});
    scheduler.cancel(a);
    diary.read_until_ended(2);
    CHECK(diary.statuses[a] == Status::cancelled);
}

TEST_CASE("what fits alone never fails because another model is busy") {
    const auto context = vulkan::Context::create({});
    for (const uint32_t rows : {2u, 3u, 5u, 9u}) {
        CAPTURE(rows);
        Room room{1000};
        const CrampedModel one(context, 3, room), other(context, 4, room), third(context, 5, room);
        const TestJob task = task_of(40, 2, 2, 8);
        std::vector<std::vector<decode::SearchOutput>> expected;
        for (const auto* model : {&one, &other, &third}) expected.push_back(test::alone(context, *model, task));
        room.left = rows;
        Diary diary;
        Scheduler scheduler(context);
        std::vector<TaskId> ids;
        for (const auto* model : {&one, &other, &third})
            ids.push_back(test::submit(scheduler, *model, task, diary.mailbox));
        TestJob urgent = task;
        urgent.options.priority = 1;
        ids.push_back(test::submit(scheduler, third, urgent, diary.mailbox));
        expected.push_back(expected.back());
        diary.read_until_ended(4);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            CHECK(diary.statuses[ids[i]] == Status::ok);
            check_outputs(*context, diary.outputs[ids[i]], expected[i]);
        }
        CHECK(diary.ended.front() == ids.back());
    }
}

TEST_CASE("what does not fit alone fails, and the others go on") {
    const auto context = vulkan::Context::create({});
    Room room{1000};
    const CrampedModel one(context, 3, room), other(context, 4, room);
    const TestJob fits = task_of(30, 2, 2), does_not = task_of(30, 2, 5);
    const auto expected = test::alone(context, one, fits);
    room.left = 4;
    Diary diary;
    Scheduler scheduler(context);
    const TaskId a = test::submit(scheduler, one, fits, diary.mailbox);
    const TaskId b = test::submit(scheduler, other, does_not, diary.mailbox);
    diary.read_until_ended(2);
    CHECK(diary.statuses[b] == Status::out_of_memory);
    CHECK(diary.statuses[a] == Status::ok);
    check_outputs(*context, diary.outputs[a], expected);
}

TEST_CASE("the memory limit holds for all models together") {
    const test::RandomModel weights(small_config(), {.seed = 5}), others(small_config(), {.seed = 6});
    TestJob task = task_of(12, 4, 3);
    for (SearchInput& input : task.inputs) {
        input.start_id = 1;
        input.max_length = 120;
        input.min_length = 100;
    }
    const auto load = [](const std::shared_ptr<engine::Device>& device, const test::RandomModel& model) {
        return std::make_shared<const engine::Model>(device, model.config, model.weights, engine::ComputeType::f32,
                                                     "random");
    };
    const auto device = engine::Device::open({});
    const auto one = load(device, weights), other = load(device, others);
    const uint64_t held = device->context().stats().memory_bytes;
    std::vector<std::vector<decode::SearchOutput>> expected;
    uint64_t least = 0;
    for (const auto& model : {one, other}) {
        expected.emplace_back();
        for (const SearchInput& input : task.inputs) {
            device->context().reset_stats();
            const TestJob one_input{.options = task.options, .inputs = {input}};
            expected.back().push_back(test::alone(device->shared_context(), model->network(), one_input)[0]);
            least = std::max(least, device->context().stats().memory_peak_bytes - held);
        }
    }
    // Room for one sentence at least, for a few, for all of one model.
    for (const uint64_t room : {least, least * 3 / 2, least * 5}) {
        CAPTURE(room);
        const uint64_t limit = held + room;
        const auto small = engine::Device::open({.memory_limit_bytes = limit});
        const auto first = load(small, weights), second = load(small, others);
        Diary diary;
        const TaskId a = test::submit(small->scheduler(), first->network(), task, diary.mailbox);
        const TaskId b = test::submit(small->scheduler(), second->network(), task, diary.mailbox);
        diary.read_until_ended(2);
        CHECK(diary.messages[a] == "");
        CHECK(diary.messages[b] == "");
        check_outputs(small->context(), diary.outputs[a], expected[0]);
        check_outputs(small->context(), diary.outputs[b], expected[1]);
        CHECK(small->context().stats().memory_peak_bytes <= limit);
        small->trim();
        CHECK(small->context().stats().memory_bytes <= held);
    }
}

TEST_CASE("a model is loaded at the cost of what is idle") {
    const test::RandomModel weights(small_config(), {.seed = 5}), others(small_config(), {.seed = 6});
    const auto measure = engine::Device::open({});
    const engine::Model model(measure, weights.config, weights.weights, engine::ComputeType::f32, "random");
    const uint64_t each = measure->context().stats().memory_bytes;
    const TestJob task = task_of(30, 4, 3, 16);
    const auto run = [&](engine::Device& device, const engine::Model& on) {
        Diary diary;
        const TaskId id = test::submit(device.scheduler(), on.network(), task, diary.mailbox);
        diary.read_until_ended(1);
        CHECK(diary.statuses[id] == Status::ok);
    };
    run(*measure, model);
    const uint64_t kept = measure->context().stats().memory_bytes - each;
    // Both models, and what is kept of a search for half of one.
    const auto device = engine::Device::open({.memory_limit_bytes = 2 * each + kept / 2});
    const engine::Model first(device, weights.config, weights.weights, engine::ComputeType::f32, "first");
    run(*device, first);
    const uint64_t idle = device->context().stats().memory_bytes - each;
    REQUIRE(idle > kept / 2);
    const engine::Model second(device, others.config, others.weights, engine::ComputeType::f32, "second");
    run(*device, second);
    run(*device, first);
}

TEST_CASE("what ends the tasks of one model leaves those of the other alone") {
    const auto context = vulkan::Context::create({});
    const test::FragileModel one(context, test::kVocabulary, 3), other(context, test::kVocabulary, 4);
    Scheduler scheduler(context);
    const TestJob kept = task_of(60, 2);
    const auto expected = test::alone(context, other, kept);
    for (const bool forget : {false, true}) {
        Diary diary;
        const TaskId a = test::submit_open(scheduler, one, task_of(2000, 2), diary.mailbox);
        const TaskId b = test::submit(scheduler, other, kept, diary.mailbox);
        if (forget) scheduler.forget(one);
        else scheduler.cancel(a);
        diary.read_until_ended(2);
        CHECK(diary.statuses[a] == Status::cancelled);
        CHECK(diary.statuses[b] == Status::ok);
        check_outputs(*context, diary.outputs[b], expected);
    }
}

TEST_CASE("a lost device ends the tasks of all models, and those that wait for inputs") {
    const auto context = vulkan::Context::create({});
    test::FragileModel one(context, test::kVocabulary, 3);
    const test::FragileModel other(context, test::kVocabulary, 4);
    Scheduler scheduler(context);
    Diary diary;
    test::submit_open(scheduler, other, task_of(2000, 4), diary.mailbox);
    const TaskId open = scheduler.open(other, test::task_of(0).options, diary.mailbox);
    one.lost = true;
    test::submit(scheduler, one, task_of(5, 1), diary.mailbox);
    diary.read_until_ended(3);
    CHECK(diary.statuses.contains(open));
    for (const auto& [id, status] : diary.statuses) CHECK(status == Status::device_lost);
}

}  // namespace models_test
