// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>

#include "translate/jobs.h"
#include "translate/text_plan.h"

namespace dragoman::translate {

// A job with the side that a queue's worker sees: requests to translate, and where their results go.
class JobWork final : public Job {
public:
    JobWork(const Translator& translator, JobInput input, JobOptions options);

    JobStatus status() const override;
    bool wait(std::optional<std::chrono::milliseconds> limit) const override;
    void cancel() override;
    void silence() override;
    JobOutput take() override;

    // For the worker, one thread at a time, between begin() and end() unless said otherwise.
    int priority() const { return options_.priority; }                       // always
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }  // always
    bool wants_partials() const { return options_.partials && options_.on_event; }  // always
    bool wants_sentences() const { return options_.sentences && options_.on_event; }  // always
    bool begun() const { return begun_; }
    // Finds the sentences; events tell of those that are only copied. What it throws belongs into end().
    void begin();
    const TranslateOptions& translate_options() const { return input_.options; }
    std::span<const Request> requests() const;
    std::size_t finished() const { return finished_; }  // of requests()
    // Target tokens so far of a request at work.
    void partial(std::size_t request, std::span<const std::string> tokens);
    // The result of one of requests(), each once, in any order.
    void finish(std::size_t request, Result result);
    // Tells the progress callback that so many requests are done; false: the job is to stop.
    bool go_on(std::size_t requests_done);
    // No error: every request is finished. Also instead of begin(). Nothing of the translator is used afterwards.
    void end(std::exception_ptr error = {}) noexcept;

private:
    bool is_text() const { return std::holds_alternative<std::vector<OwnedText>>(input_.inputs); }
    void emit(const JobEvent& event);
    void emit_sentence(JobEvent event, const TextPlan::Finished& finished);
    void count(std::size_t spots);

    const void* const owner_;  // for CallbackScope
    const Model& model_;
    JobInput input_;
    const JobOptions options_;
    std::vector<Text> views_;  // of the input's texts
    std::optional<TextPlan> plan_;
    std::vector<Result> results_;
    std::size_t finished_ = 0;
    bool begun_ = false;
    std::atomic<bool> cancelled_ = false;

    std::recursive_mutex callbacks_;  // held while one runs
    std::atomic<bool> silent_ = false;

    mutable std::mutex mutex_;  // for all below
    mutable std::condition_variable changed_;
    JobStatus status_;
    std::string message_;
    JobOutput output_;
    bool over_ = false, taken_ = false;
};

}  // namespace dragoman::translate
