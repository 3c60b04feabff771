// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "translate/results.h"
#include "translate/scheduler.h"

namespace dragoman::translate {

// How options search; throws invalid_argument. What does not depend on the requests is checked here.
struct SearchPlan {
    SearchPlan(const LoadedModel& model, const TranslateOptions& options);
    decode::StreamLimits limits(const decode::SearchRules& rules) const;

    const LoadedModel& model;
    TranslateOptions options;
    spec::SearchDefaults search;
    decode::SearchRules rules;
    const spec::Shortlist* shortlist = nullptr;
};
decode::StreamLimits stream_limits(vulkan::DeviceKind kind, const nn::Seq2SeqInfo& info, uint32_t beam_size);
decode::StreamLimits stream_limits(const LoadedModel& model, uint32_t beam_size);

struct TaskCounters {
    std::atomic<uint64_t> sentences = 0, source_tokens = 0, target_tokens = 0;
};

// translate() while it is under way: searches in a scheduler, and what becomes of their events. One thread at a time.
class Task {
public:
    struct Sink {
        std::function<void(std::size_t request, Result)> finished;
        std::function<void(std::size_t request, std::span<const std::string> tokens)> partial;  // empty: not wanted
    };
    // All of these outlive the task; results of empty requests come at once. Throws invalid_argument.
    Task(Scheduler& scheduler, std::shared_ptr<Mailbox> mailbox, TaskCounters& counters, const SearchPlan& plan,
         std::span<const Request> requests, int priority, Sink sink);
    ~Task() { cancel(); }
    Task(const Task&) = delete;

    bool owns(const SearchEvent& event) const { return job_ != 0 && event.job == job_; }
    void handle(SearchEvent event);  // one that it owns
    bool over() const { return over_; }
    const std::exception_ptr& error() const { return error_; }  // null: every request is finished
    std::size_t done() const;                                   // of the requests, about
    void cancel();

private:
    struct Alternative {
        std::size_t input;
        float log_prob;
        std::size_t context;
    };
    void prepare();
    void submit(const decode::SearchRules& rules, std::vector<decode::SearchInput> inputs);
    void finish_one(std::size_t n, decode::SearchOutput output);
    void finish_expansion();
    void expand();
    void continue_alternatives();
    void emit(std::size_t request, Result result);
    void conclude();

    enum class Phase : uint8_t { whole, expansion, continuation };
    Scheduler& scheduler_;
    const std::shared_ptr<Mailbox> mailbox_;
    TaskCounters& counters_;
    const SearchPlan& plan_;
    const Finishing finishing_;
    const std::span<const Request> requests_;
    const int priority_;
    const Sink sink_;

    Phase phase_ = Phase::whole;
    std::vector<std::size_t> request_of_;   // of every input
    std::vector<std::size_t> source_lengths_;
    std::vector<decode::SearchInput> inputs_;
    // Of return_alternatives: the prefix' best next tokens, each continued on its own.
    std::vector<decode::SearchOutput> outputs_;
    std::vector<Alternative> alternatives_;
    std::vector<Result> results_;
    JobId job_ = 0;
    std::size_t searched_ = 0, emitted_ = 0;
    bool over_ = false, cancel_asked_ = false;
    std::exception_ptr error_;
};

}  // namespace dragoman::translate
