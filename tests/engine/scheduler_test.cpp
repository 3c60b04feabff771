// SPDX-License-Identifier: Apache-2.0
// Tasks that share a search, or take turns, each get what they would get alone, and none is forgotten.
#include "engine/scheduler.h"

#include <algorithm>
#include <atomic>
#include <limits>

#include "base/error.h"
#include "engine/tasks.h"

namespace scheduler_test {

using namespace dragoman;
using decode::SearchInput;
using engine::TaskId;
using engine::Scheduler;
using test::alone;
using test::check_outputs;
using test::Diary;
using test::task_of;
using test::submit;
using test::submit_open;
using test::TestJob;

namespace {

struct Fixture {
    std::shared_ptr<vulkan::Context> context = vulkan::Context::create({});
    test::FragileModel model{context, test::kVocabulary, 3};
    // Everything is submitted before the first of it is done.
    void together(const auto& submit_all) {
        model.hold();
        submit_all();
        model.let_go();
    }
};

}  // namespace

TEST_CASE("tasks of equal and of other rules, all at once") {
    const Fixture f;
    Scheduler scheduler(f.context);
    Diary diary;
    std::map<TaskId, TestJob> tasks;
    for (const auto& [inputs, beam] : {std::pair(40, 1), {7, 3}, {1, 1}, {30, 3}, {3, 1}}) {
        const TestJob task = task_of(std::size_t(inputs), uint32_t(beam));
        tasks.emplace(submit(scheduler, f.model, task, diary.mailbox), task);
    }
    diary.read_until_ended(tasks.size());
    for (const auto& [id, task] : tasks) {
        CAPTURE(id);
        CHECK(diary.statuses[id] == Status::ok);
        check_outputs(*f.context, diary.outputs[id], alone(f.context, f.model, task));
    }
    CHECK(scheduler.stats(f.model).decoder_steps > 0);
    scheduler.forget(f.model);
    CHECK(scheduler.stats(f.model).decoder_steps == 0);
}

TEST_CASE("a short task overtakes a long one; equal ones share; more urgent ones go first") {
    Fixture f;
    Scheduler scheduler(f.context);
    for (const int32_t priority : {0, 1'000'000, std::numeric_limits<int32_t>::min()}) {
        Diary diary;
        TestJob many = task_of(600), one = task_of(1);
        many.options.priority = one.options.priority = priority;
        TaskId bulk = 0, single = 0;
        f.together([&] {
            bulk = submit(scheduler, f.model, many, diary.mailbox);
            single = submit(scheduler, f.model, one, diary.mailbox);
        });
        diary.read_until_ended(2);
        CHECK(diary.ended == std::vector<TaskId>{single, bulk});
        CHECK(diary.finished_at_end[single][bulk] < 60);
    }
    {
        Diary diary;
        TaskId one = 0, two = 0, other_rules = 0;
        f.together([&] {
            one = submit(scheduler, f.model, task_of(300), diary.mailbox);
            two = submit(scheduler, f.model, task_of(300), diary.mailbox);
            other_rules = submit(scheduler, f.model, task_of(300, 2), diary.mailbox);
        });
        diary.read_until_ended(3);
        const TaskId first = diary.ended.front();
        for (const TaskId id : {one, two, other_rules})
            if (id != first) CHECK(diary.finished_at_end[first][id] > 60);
    }
    {
        Diary diary;
        TestJob urgent = task_of(200);
        urgent.options.priority = 1;
        TaskId usual = 0, first = 0;
        f.together([&] {
            usual = submit(scheduler, f.model, task_of(200), diary.mailbox);
            first = submit(scheduler, f.model, urgent, diary.mailbox);
        });
        diary.read_until_ended(2);
        CHECK(diary.ended.front() == first);
        CHECK(diary.finished_at_end[first][usual] < 30);
    }
}

TEST_CASE("a more urgent task of other rules is not left alone once it runs") {
    Fixture f;
    Scheduler scheduler(f.context);
    for (const int32_t lower : {1, -7}) {
        Diary diary;
        TestJob urgent = task_of(3, 2), usual = task_of(600);
        for (SearchInput& input : urgent.inputs) input.max_length = input.min_length = 150;
        urgent.options.priority = lower + 1;
        usual.options.priority = lower;
        TaskId second = 0, first = 0;
        f.together([&] {
            second = submit(scheduler, f.model, usual, diary.mailbox);
            first = submit(scheduler, f.model, urgent, diary.mailbox);
        });
        diary.read_until_ended(2);
        CHECK(diary.ended.front() == first);
        CHECK(diary.finished_at_end[first][second] < 60);
    }
}

TEST_CASE("cancelled tasks end, say nothing more, and leave the others alone") {
    const Fixture f;
    Diary diary;
    Scheduler scheduler(f.context);
    const TestJob kept = task_of(50);
    const TaskId long_one = submit_open(scheduler, f.model, task_of(2000), diary.mailbox);
    const TaskId other = submit(scheduler, f.model, kept, diary.mailbox);
    scheduler.cancel(long_one);
    scheduler.cancel(long_one);
    diary.read_until_ended(2);
    CHECK(diary.statuses[long_one] == Status::cancelled);
    CHECK(diary.statuses[other] == Status::ok);
    check_outputs(*f.context, diary.outputs[other], alone(f.context, f.model, kept));
    scheduler.cancel(other);  // too late
    scheduler.cancel(12345);
}

TEST_CASE("a closed scheduler ends what is at work") {
    const Fixture f;
    Diary diary;
    {
        Scheduler scheduler(f.context);
        for (int i = 0; i < 3; ++i) submit(scheduler, f.model, task_of(500, 1 + uint32_t(i)), diary.mailbox);
    }
    diary.read_until_ended(3);
    for (const auto& [id, status] : diary.statuses) CHECK((status == Status::cancelled || status == Status::ok));
}

TEST_CASE("a lost device ends all tasks with its status, and those that come later") {
    Fixture f;
    Diary diary;
    Scheduler scheduler(f.context);
    submit_open(scheduler, f.model, task_of(400), diary.mailbox);
    submit_open(scheduler, f.model, task_of(400, 2), diary.mailbox);
    f.model.lost = true;
    submit(scheduler, f.model, task_of(2), diary.mailbox);
    diary.read_until_ended(3);
    submit(scheduler, f.model, task_of(2), diary.mailbox);
    diary.read_until_ended(4);
    for (const auto& [id, status] : diary.statuses) CHECK(status == Status::device_lost);
    f.model.lost = false;
    const TestJob again = task_of(5);
    const TaskId works = submit(scheduler, f.model, again, diary.mailbox);
    diary.read_until_ended(5);
    CHECK(diary.statuses[works] == Status::ok);
    check_outputs(*f.context, diary.outputs[works], alone(f.context, f.model, again));
}

TEST_CASE("out of memory: fewer slots, the same results") {
    Fixture f;
    Diary diary;
    Scheduler scheduler(f.context);
    const TestJob task = task_of(60, 2, 16);
    const auto expected = alone(f.context, f.model, task);
    f.model.most_rows = 9;
    const TaskId id = submit(scheduler, f.model, task, diary.mailbox);
    diary.read_until_ended(1);
    CHECK(diary.statuses[id] == Status::ok);
    check_outputs(*f.context, diary.outputs[id], expected);
    f.model.most_rows = 1;  // not even one sentence of two beams
    scheduler.trim();
    const TaskId none = submit(scheduler, f.model, task, diary.mailbox);
    diary.read_until_ended(2);
    CHECK(diary.statuses[none] == Status::out_of_memory);
}

}  // namespace scheduler_test
