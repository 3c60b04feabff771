// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <optional>

#include "engine/search.h"
#include "translate/results.h"

namespace dragoman::translate {

// How options search; throws invalid_argument. What does not depend on the requests is checked here.
struct SearchPlan {
    SearchPlan(const LoadedModel& model, const TranslateOptions& options);
    engine::SearchOptions search_options(int priority, bool partial) const;

    const LoadedModel& model;
    TranslateOptions options;
    spec::SearchDefaults search;
    decode::SearchRules rules;
    const spec::Shortlist* shortlist = nullptr;
};

struct TaskCounters {
    std::atomic<uint64_t> sentences = 0, source_tokens = 0, target_tokens = 0;
};

// translate() while it is under way: an engine's search, and what becomes of its events. One thread at a time.
class Task {
public:
    struct Sink {
        std::function<void(std::size_t request, Result)> finished;
        std::function<void(std::size_t request, std::span<const std::string> tokens)> partial;  // empty: not wanted
    };
    // All of these outlive the task; results of empty requests come at once. Throws invalid_argument.
    Task(std::shared_ptr<engine::Mailbox> mailbox, TaskCounters& counters, const SearchPlan& plan,
         std::span<const Request> requests, int priority, Sink sink);
    Task(const Task&) = delete;

    bool owns(const engine::Event& event) const { return search_ && search_->owns(event); }
    void handle(engine::Event event);  // one that it owns
    bool over() const { return over_; }
    const std::exception_ptr& error() const { return error_; }  // null: every request is finished
    std::size_t done() const { return emitted_; }               // of the requests
    void cancel();

private:
    std::vector<decode::SearchInput> prepare();
    void finish_one(std::size_t input, decode::SearchOutput output);
    void emit(std::size_t request, Result result);
    void conclude();

    TaskCounters& counters_;
    const SearchPlan& plan_;
    const Finishing finishing_;
    const std::span<const Request> requests_;
    const Sink sink_;

    std::vector<std::size_t> request_of_;  // of every input
    std::vector<std::size_t> source_lengths_;
    std::size_t emitted_ = 0;
    bool over_ = false;
    std::exception_ptr error_;
    std::optional<engine::Search> search_;
};

}  // namespace dragoman::translate
