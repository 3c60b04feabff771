// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <atomic>
#include <map>
#include <set>

#include "base/error.h"
#include "decode/bigram_model.h"
#include "engine/scheduler.h"
#include "support/blocking_search.h"

namespace dragoman::test {

inline constexpr uint32_t kVocabulary = 40, kEnd = 2;

// A model that can be told to fail.
class FragileModel final : public BigramModel {
public:
    using BigramModel::BigramModel;
    std::unique_ptr<nn::State> make_state(uint32_t rows, uint32_t places) const override {
        if (rows > most_rows) fail(Status::out_of_memory, "{} rows", rows);
        return BigramModel::make_state(rows, places);
    }
    void encode(nn::Recorder& rec, const nn::EncodeInput& input, nn::EncoderMemory& memory) const override {
        if (lost) fail(Status::device_lost, "gone");
        BigramModel::encode(rec, input, memory);
    }
    std::atomic<uint32_t> most_rows = 1000;
    std::atomic<bool> lost = false;
};

inline decode::SearchRules rules_of(uint32_t beam) {
    decode::SearchRules rules{.beam_size = beam};
    rules.end_ids = {kEnd};
    return rules;
}

struct TestJob {
    engine::JobOptions options;
    std::vector<decode::SearchInput> inputs;
};

inline TestJob job_of(std::size_t inputs, uint32_t beam = 1, uint32_t slots = 4) {
    TestJob job{.options = {.rules = rules_of(beam), .limits = {.slots = slots, .source_tokens = 1000}}, .inputs = {}};
    for (std::size_t i = 0; i < inputs; ++i)
        job.inputs.push_back({.source = std::vector<uint32_t>(1 + i % 5, 3), .start_id = uint32_t(3 + i % 30),
                              .context = {}, .prefix = {}, .max_length = 5 + uint32_t(i % 20), .min_length = 3});
    return job;
}

inline engine::JobId submit(engine::Scheduler& scheduler, const nn::Seq2Seq& model, const TestJob& job,
                            const std::shared_ptr<engine::Mailbox>& mailbox) {
    const engine::JobId id = scheduler.open(model, job.options, mailbox);
    scheduler.add(id, job.inputs, engine::Scheduler::urgency_of_whole(job.inputs), true);
    return id;
}

// What happened to the jobs of a mailbox, in the order it was told.
struct Diary {
    std::shared_ptr<engine::Mailbox> mailbox = std::make_shared<engine::Mailbox>();
    std::map<engine::JobId, std::map<std::size_t, decode::SearchOutput>> outputs;
    std::vector<engine::JobId> ended;
    std::map<engine::JobId, Status> statuses;
    std::map<engine::JobId, std::string> messages;
    // When a job ended: how many inputs of the others were finished, and which.
    std::map<engine::JobId, std::map<engine::JobId, std::size_t>> finished_at_end;
    std::map<engine::JobId, std::map<engine::JobId, std::set<std::size_t>>> at_end;

    void read_until_ended(std::size_t jobs) {
        while (ended.size() < jobs)
            for (engine::Event& event : mailbox->take()) {
                if (event.kind == engine::Event::Kind::finished) {
                    CHECK(!statuses.contains(event.job));
                    CHECK(outputs[event.job].emplace(event.input, std::move(event.output)).second);
                }
                if (event.kind != engine::Event::Kind::ended) continue;
                CHECK(statuses.emplace(event.job, event.failure.status).second);
                messages[event.job] = event.failure.message;
                ended.push_back(event.job);
                for (const auto& [job, found] : outputs) {
                    finished_at_end[event.job][job] = found.size();
                    for (const auto& [input, output] : found) at_end[event.job][job].insert(input);
                }
            }
    }
};

inline std::vector<decode::SearchOutput> alone(const std::shared_ptr<vulkan::Context>& context,
                                               const nn::Seq2Seq& model, const TestJob& job) {
    BlockingSearch search(context, model);
    std::vector<decode::SearchOutput> outputs;
    for (const decode::SearchInput& input : job.inputs)
        outputs.push_back(search.run(std::span(&input, 1), job.options.rules, job.options.limits)[0]);
    return outputs;
}

inline void check_outputs(const std::map<std::size_t, decode::SearchOutput>& found,
                          const std::vector<decode::SearchOutput>& expected) {
    REQUIRE(found.size() == expected.size());
    for (const auto& [i, output] : found) {
        CAPTURE(i);
        REQUIRE(output.hypotheses.size() == expected[i].hypotheses.size());
        for (std::size_t h = 0; h < output.hypotheses.size(); ++h) {
            CHECK(output.hypotheses[h].tokens == expected[i].hypotheses[h].tokens);
            CHECK(output.hypotheses[h].score == expected[i].hypotheses[h].score);
        }
    }
}

}  // namespace dragoman::test
