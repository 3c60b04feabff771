// SPDX-License-Identifier: Apache-2.0
// Jobs on the translator's scheduler: one thread finds their sentences, hands them over, and makes results and events
// of what comes back.
#include <algorithm>
#include <mutex>
#include <thread>

#include "base/os/thread.h"
#include "translate/callback_scope.h"
#include "translate/job_work.h"
#include "translate/jobs.h"
#include "translate/search_translator.h"

namespace dragoman::translate {
namespace {

// What the worker shares with the queue, and outlives it when a callback ends the queue.
struct Shared {
    explicit Shared(std::shared_ptr<SearchTranslator> used) : translator(std::move(used)) {}

    const std::shared_ptr<SearchTranslator> translator;
    const std::shared_ptr<engine::Mailbox> mailbox = std::make_shared<engine::Mailbox>();
    std::mutex mutex;
    std::vector<std::shared_ptr<JobWork>> jobs;  // not begun, in the order they came
    bool stop = false;

    // The most urgent one; those that are cancelled first. Null: none.
    std::shared_ptr<JobWork> next() {
        const std::lock_guard lock(mutex);
        const auto at = std::ranges::max_element(jobs, {}, [](const auto& job) {
            return std::pair(job->cancelled(), job->priority());
        });
        if (at == jobs.end()) return nullptr;
        auto job = *at;
        jobs.erase(at);
        return job;
    }
    bool stopped() {
        const std::lock_guard lock(mutex);
        return stop;
    }
};

// A job that has begun.
struct Active {
    std::shared_ptr<JobWork> job;
    std::unique_ptr<SearchPlan> plan;
    std::unique_ptr<Task> task;
    bool cancelled = false;
};

// True: it has ended.
bool end_if_over(Active& active) {
    if (!active.task->over()) return false;
    const std::exception_ptr error = active.task->error();
    active.task.reset();  // before what it refers to
    active.job->end(active.cancelled && error
                        ? std::make_exception_ptr(Error(Status::cancelled, "the job was cancelled"))
                        : error);
    return true;
}

// Null: it has ended already.
std::unique_ptr<Active> begin(Shared& shared, std::shared_ptr<JobWork> job) {
    auto active = std::make_unique<Active>();
    active->job = job;
    try {
        if (job->cancelled()) fail(Status::cancelled, "the job was cancelled");
        job->begin();
        if (!job->go_on(0)) fail(Status::cancelled, "the job was cancelled by its progress callback");
        active->plan = std::make_unique<SearchPlan>(shared.translator->plan(job->translate_options()));
        Task::Sink sink{.finished = [&job = *job](std::size_t i, Result result) { job.finish(i, std::move(result)); },
                        .partial = {}};
        if (job->wants_partials())
            sink.partial = [&job = *job](std::size_t i, std::span<const std::string> tokens) {
                job.partial(i, tokens);
            };
        active->task = shared.translator->start(*active->plan, job->requests(), job->priority(), shared.mailbox,
                                                std::move(sink));
    } catch (...) {
        job->end(std::current_exception());
        return nullptr;
    }
    return end_if_over(*active) ? nullptr : std::move(active);
}

void handle(engine::Event event, std::vector<std::unique_ptr<Active>>& all) {
    const auto at = std::ranges::find_if(all, [&](const auto& active) { return active->task->owns(event); });
    if (at == all.end()) return;
    try {
        (*at)->task->handle(std::move(event));
        if (end_if_over(**at)) all.erase(at);
    } catch (...) {  // out of memory, at most
        (*at)->task.reset();
        (*at)->job->end(std::current_exception());
        all.erase(at);
    }
}

void check_cancelled(Active& active, bool tell_progress) {
    if (active.cancelled) return;
    bool go_on = false;
    try {
        go_on = tell_progress ? active.job->go_on(active.task->done()) : !active.job->cancelled();
    } catch (...) {  // the caller's
    }
    if (go_on) return;
    active.cancelled = true;
    active.task->cancel();
}

void work(const std::shared_ptr<Shared>& shared) {
    std::vector<std::unique_ptr<Active>> all;
    for (;;) {
        const std::shared_ptr<JobWork> job = shared->next();
        if (job)
            if (auto active = begin(*shared, job)) all.push_back(std::move(active));
        if (!job && all.empty() && shared->stopped()) return;
        if (job) shared->mailbox->wake();  // there may be more
        for (engine::Event& event : shared->mailbox->take()) {
            const bool progress = event.kind == engine::Event::Kind::progress;
            if (progress || event.kind == engine::Event::Kind::woken)
                for (const auto& active : all) check_cancelled(*active, progress);
            else
                handle(std::move(event), all);
        }
    }
}

class ScheduledQueue final : public JobQueue {
public:
    explicit ScheduledQueue(std::shared_ptr<SearchTranslator> translator)
        : shared_(std::make_shared<Shared>(std::move(translator))) {}

    ~ScheduledQueue() override {
        {
            const std::lock_guard lock(shared_->mutex);
            shared_->stop = true;
            for (const auto& job : shared_->jobs) job->cancel();
        }
        for (const std::weak_ptr<JobWork>& weak : submitted_)
            if (const auto job = weak.lock()) job->cancel();
        shared_->mailbox->wake();
        if (!thread_.joinable()) return;
        if (CallbackScope::inside_any()) thread_.detach();
        else thread_.join();
    }

    std::shared_ptr<Job> submit(JobInput input, JobOptions options) override {
        SearchTranslator& translator = *shared_->translator;
        translator.translate({}, input.options, {});  // checks them
        if (std::holds_alternative<std::vector<OwnedText>>(input.inputs))
            TextPlan(translator.model(), {}, input.text, input.options);  // likewise
        auto job = std::make_shared<JobWork>(translator, std::move(input), std::move(options));
        {
            const std::lock_guard lock(shared_->mutex);
            if (!thread_.joinable()) thread_ = os::start_worker_thread([shared = shared_] { work(shared); });
            shared_->jobs.push_back(job);
            std::erase_if(submitted_, [](const auto& weak) { return weak.expired(); });
            submitted_.push_back(job);
        }
        shared_->mailbox->wake();
        return job;
    }

private:
    std::shared_ptr<Shared> shared_;
    std::vector<std::weak_ptr<JobWork>> submitted_;
    std::thread thread_;  // with the first job
};

}  // namespace

bool JobQueue::has_partials() { return true; }

std::unique_ptr<JobQueue> JobQueue::create(std::shared_ptr<Translator> translator) {
    auto used = std::dynamic_pointer_cast<SearchTranslator>(std::move(translator));
    DRAGOMAN_ASSERT(used != nullptr);
    return std::make_unique<ScheduledQueue>(std::move(used));
}

}  // namespace dragoman::translate
