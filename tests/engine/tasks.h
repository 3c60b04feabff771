// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <set>

#include "base/error.h"
#include "decode/bigram_model.h"
#include "engine/scheduler.h"
#include "nn/seq2seq.h"
#include "support/blocking_search.h"
#include "support/same_results.h"

namespace dragoman::test {

inline constexpr uint32_t kVocabulary = 40, kEnd = 2;

// A model that can be told to fail, and to wait: from hold() to let_go() its tasks get no further than their first step.
class FragileModel final : public BigramModel {
public:
    using BigramModel::BigramModel;
    std::unique_ptr<nn::State> make_state(uint32_t rows, uint32_t places) const override {
        if (rows > most_rows) fail(Status::out_of_memory, "{} rows", rows);
        return BigramModel::make_state(rows, places);
    }
    void encode(nn::Recorder& rec, const nn::EncodeInput& input, nn::EncoderMemory& memory) const override {
        held_.wait(true);
        if (lost) fail(Status::device_lost, "gone");
        BigramModel::encode(rec, input, memory);
    }
    void hold() { held_ = true; }
    void let_go() {
        held_ = false;
        held_.notify_all();
    }
    std::atomic<uint32_t> most_rows = 1000;
    std::atomic<bool> lost = false;

private:
    std::atomic<bool> held_ = false;
};

inline decode::SearchRules rules_of(uint32_t beam) {
    decode::SearchRules rules{.beam_size = beam};
    rules.end_ids = {kEnd};
    return rules;
}

struct TestJob {
    engine::TaskOptions options;
    std::vector<decode::SearchInput> inputs;
};

inline TestJob task_of(std::size_t inputs, uint32_t beam = 1, uint32_t slots = 4) {
    TestJob task{.options = {.rules = rules_of(beam), .limits = {.slots = slots, .source_tokens = 1000}}, .inputs = {}};
    for (std::size_t i = 0; i < inputs; ++i)
        task.inputs.push_back({.source = std::vector<uint32_t>(1 + i % 5, 3),
                               .start_id = uint32_t(3 + i % 30),
                               .context = {},
                               .prefix = {},
                               .max_length = 5 + uint32_t(i % 20),
                               .min_length = 3});
    return task;
}

inline engine::TaskId submit(engine::Scheduler& scheduler, const nn::Seq2Seq& model, const TestJob& task,
                             const std::shared_ptr<engine::Mailbox>& mailbox, bool last = true) {
    const engine::TaskId id = scheduler.open(model, task.options, mailbox);
    scheduler.add(id, task.inputs, engine::Scheduler::urgency_of_whole(task.inputs), last);
    return id;
}

// A task that waits for more inputs, so that only a failure ends it.
inline engine::TaskId submit_open(engine::Scheduler& scheduler, const nn::Seq2Seq& model, const TestJob& task,
                                  const std::shared_ptr<engine::Mailbox>& mailbox) {
    return submit(scheduler, model, task, mailbox, false);
}

// The events of a mailbox's tasks, in the order in which they came.
struct Diary {
    std::shared_ptr<engine::Mailbox> mailbox = std::make_shared<engine::Mailbox>();
    std::map<engine::TaskId, std::map<std::size_t, decode::SearchOutput>> outputs;
    std::vector<engine::TaskId> ended;
    std::map<engine::TaskId, Status> statuses;
    std::map<engine::TaskId, std::string> messages;
    // When a task ended: how many inputs of the others were finished, and which.
    std::map<engine::TaskId, std::map<engine::TaskId, std::size_t>> finished_at_end;
    std::map<engine::TaskId, std::map<engine::TaskId, std::set<std::size_t>>> at_end;

    void read_until_ended(std::size_t tasks) {
        while (ended.size() < tasks)
            for (engine::Event& event : mailbox->take()) {
                if (event.kind == engine::Event::Kind::finished) {
                    CHECK(!statuses.contains(event.task));
                    CHECK(outputs[event.task].emplace(event.input, std::move(event.output)).second);
                }
                if (event.kind != engine::Event::Kind::ended) continue;
                CHECK(statuses.emplace(event.task, event.failure.status).second);
                messages[event.task] = event.failure.message;
                ended.push_back(event.task);
                for (const auto& [task, found] : outputs) {
                    finished_at_end[event.task][task] = found.size();
                    for (const auto& [input, output] : found) at_end[event.task][task].insert(input);
                }
            }
    }
};

// The same hypotheses with the same scores, to the bit.
inline void check_same(const std::map<std::size_t, decode::SearchOutput>& found,
                       const std::map<std::size_t, decode::SearchOutput>& expected) {
    REQUIRE(found.size() == expected.size());
    for (const auto& [i, output] : found) {
        CAPTURE(i);
        const auto& same = expected.at(i).hypotheses;
        REQUIRE(output.hypotheses.size() == same.size());
        for (std::size_t h = 0; h < same.size(); ++h) {
            CHECK(output.hypotheses[h].tokens == same[h].tokens);
            CHECK(output.hypotheses[h].score == same[h].score);
        }
    }
}

inline std::vector<decode::SearchOutput> alone(const std::shared_ptr<vulkan::Context>& context,
                                               const nn::Seq2Seq& model, const TestJob& task) {
    BlockingSearch search(context, model);
    std::vector<decode::SearchOutput> outputs;
    for (const decode::SearchInput& input : task.inputs)
        outputs.push_back(search.run(std::span(&input, 1), task.options.rules, task.options.limits)[0]);
    return outputs;
}

// GPUs may add up few rows in another order (support/same_results.h).
inline void check_outputs(const vulkan::Context& context, const std::map<std::size_t, decode::SearchOutput>& found,
                          const std::vector<decode::SearchOutput>& expected) {
    REQUIRE(found.size() == expected.size());
    for (const auto& [i, output] : found) {
        CAPTURE(i);
        REQUIRE(output.hypotheses.size() == expected[i].hypotheses.size());
        for (std::size_t h = 0; h < output.hypotheses.size(); ++h) {
            CHECK(output.hypotheses[h].tokens == expected[i].hypotheses[h].tokens);
            CHECK(same_result(context, output.hypotheses[h].score, expected[i].hypotheses[h].score));
        }
    }
}

}  // namespace dragoman::test
