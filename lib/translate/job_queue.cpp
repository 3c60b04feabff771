// SPDX-License-Identifier: Apache-2.0
// The simplest queue: one thread, which translates some sentences of the most urgent job at a time.
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/worker_thread.h"
#include "translate/callback_scope.h"
#include "translate/job_work.h"
#include "translate/jobs.h"

namespace dragoman::translate {
namespace {

// A turn is what a more urgent job may have to wait for, and the sentences whose events come together.
std::size_t requests_per_turn(const JobWork& job) { return job.wants_sentences() || job.wants_partials() ? 32 : 512; }

// What the worker shares with the queue, and outlives it when a callback ends the queue.
struct Shared {
    explicit Shared(std::shared_ptr<Translator> used) : translator(std::move(used)) {}

    const std::shared_ptr<Translator> translator;
    std::mutex mutex;
    std::condition_variable changed;
    std::vector<std::shared_ptr<JobWork>> jobs;  // in the order they came
    bool stop = false;

    // Null: stopped, and nothing is left.
    std::shared_ptr<JobWork> most_urgent() {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return stop || !jobs.empty(); });
        const auto cancelled = std::ranges::find_if(jobs, [](const auto& job) { return job->cancelled(); });
        if (cancelled != jobs.end()) return *cancelled;
        const auto first = std::ranges::max_element(jobs, {}, [](const auto& job) { return job->priority(); });
        return first == jobs.end() ? nullptr : *first;
    }
    void remove(const std::shared_ptr<JobWork>& job) {
        const std::lock_guard lock(mutex);
        std::erase(jobs, job);
    }
};

// true: the job has ended.
bool take_turn(Translator& translator, JobWork& job) {
    try {
        if (job.cancelled()) fail(Status::cancelled, "the job was cancelled");
        if (!job.begun()) job.begin();
        const std::size_t first = job.finished();
        const auto left = job.requests().subspan(first);
        const auto now = left.first(std::min(left.size(), requests_per_turn(job)));
        std::vector<Result> results =
            translator.translate(now, job.translate_options(),
                                 [&](std::size_t done, std::size_t) { return job.go_on(first + done); });
        for (std::size_t i = 0; i < results.size(); ++i) job.finish(first + i, std::move(results[i]));
        if (job.finished() < job.requests().size()) return false;
        job.end();
    } catch (...) {
        job.end(std::current_exception());
    }
    return true;
}

void work(const std::shared_ptr<Shared>& shared) {
    while (const std::shared_ptr<JobWork> job = shared->most_urgent())
        if (take_turn(*shared->translator, *job)) shared->remove(job);
}

class TurnQueue final : public JobQueue {
public:
    explicit TurnQueue(std::shared_ptr<Translator> translator)
        : shared_(std::make_shared<Shared>(std::move(translator))) {}

    ~TurnQueue() override {
        {
            const std::lock_guard lock(shared_->mutex);
            shared_->stop = true;
            for (const auto& job : shared_->jobs) job->cancel();
        }
        shared_->changed.notify_all();
        if (!thread_.joinable()) return;
        if (CallbackScope::inside_any()) thread_.detach();
        else thread_.join();
    }

    std::shared_ptr<Job> submit(JobInput input, JobOptions options) override {
        Translator& translator = *shared_->translator;
        translator.translate({}, input.options);  // checks them
        if (std::holds_alternative<std::vector<OwnedText>>(input.inputs))
            TextPlan(translator.model(), {}, input.text, input.options);  // likewise
        auto job = std::make_shared<JobWork>(translator, std::move(input), std::move(options));
        {
            const std::lock_guard lock(shared_->mutex);
            if (!thread_.joinable()) thread_ = start_worker_thread([shared = shared_] { work(shared); });
            shared_->jobs.push_back(job);
        }
        shared_->changed.notify_all();
        return job;
    }

private:
    std::shared_ptr<Shared> shared_;
    std::thread thread_;  // with the first job
};

}  // namespace

bool JobQueue::has_partials() { return false; }

std::unique_ptr<JobQueue> JobQueue::create(std::shared_ptr<Translator> translator) {
    return std::make_unique<TurnQueue>(std::move(translator));
}

}  // namespace dragoman::translate
