// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/job_thread.h"

#include <algorithm>
#include <chrono>

#include "base/error.h"
#include "base/log.h"
#include "base/start_thread.h"
#include "pipeline/run/callback_scope.h"
#include "pipeline/run/run.h"
#include "pipeline/run/translator.h"

namespace dragoman::pipeline {
namespace {

constexpr std::chrono::milliseconds kPause{10};  // until there may be memory again

}  // namespace

struct JobThread::Shared {
    explicit Shared(const Translator& translator) : counters(translator.counters_), stops(translator.stops_) {}

    const std::shared_ptr<Translator::Counters> counters;
    const std::vector<Translator::Stop> stops;
    const std::shared_ptr<engine::Mailbox> mailbox = std::make_shared<engine::Mailbox>();
    std::mutex mutex;
    std::vector<std::shared_ptr<Job>> jobs;  // not begun, in the order they came
    bool stop = false;

    // Takes the most urgent job; cancelled ones come first. Null: none.
    std::shared_ptr<Job> next() {
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
struct JobThread::Active {
    std::shared_ptr<Job> job;
    std::unique_ptr<Run> run;
    bool cancelled = false;

    void report(JobEvent::Kind kind, const Document& document, const Sentence& sentence, const Hypothesis& hypothesis) {
        if (kind == JobEvent::Kind::sentence) job->count(run->counts(), run->all_found());
        job->report(kind, document, sentence, hypothesis);
    }
    void check_cancelled(bool tell_progress) {
        if (cancelled || run->over()) return;
        bool go_on = false;
        try {
            go_on = tell_progress ? job->go_on(run->done(), run->total()) : !job->cancelled();
        } catch (...) {  // the caller's
        }
        if (go_on) return;
        cancelled = true;
        run->cancel();
    }
    // True: it has ended.
    bool end_if_over(Translator::Counters& counters) noexcept {
        if (!run->over()) return false;
        job->count(run->counts(), run->all_found());
        counters.add(run->counts());
        Failure failure = Failure::of(run->error());
        run.reset();  // before what it refers to
        if (cancelled && failure) failure = Failure::make(Status::cancelled, "the job was cancelled");
        job->end(failure);
        return true;
    }
};

// Null: it has ended already.
std::unique_ptr<JobThread::Active> JobThread::begin(Shared& shared, std::shared_ptr<Job> job) {
    std::unique_ptr<Active> active;
    try {
        active = std::make_unique<Active>();
        active->job = job;
        if (job->cancelled()) fail(Status::cancelled, "the job was cancelled");
        job->begin();
        if (!job->go_on(0, job->documents())) fail(Status::cancelled, "the job was cancelled by its progress callback");
        Run::Sink sink{.sentence =
                           [&to = *active](const Document& document, const Sentence& sentence) {
                               to.report(JobEvent::Kind::sentence, document, sentence, sentence.hypotheses.front());
                           },
                       .partial = {},
                       .document = [job](std::unique_ptr<Document> document) { job->put(std::move(document)); },
                       .results_before_error = job->fed()};
        if (job->wants_partials())
            sink.partial = [&to = *active](const Document& document, const Sentence& sentence, const Hypothesis& best) {
                to.report(JobEvent::Kind::partial, document, sentence, best);
            };
        const JobInput& input = job->input();
        active->run = std::make_unique<Run>(
            Translator::legs(shared.stops, input.texts ? Plan::Inputs::texts : Plan::Inputs::tokens, input.text,
                             input.options),
            [job] {
                auto [document, ended] = job->next_document();
                return NextDocument{std::move(document), ended};
            },
            job->documents(), job->priority(), shared.mailbox, std::move(sink));
        active->run->work();
    } catch (...) {
        job->end(Failure::current());
        return nullptr;
    }
    return active->end_if_over(*shared.counters) ? nullptr : std::move(active);
}

// False: the thread ends. Where memory runs out it may be called again: jobs and events that were taken are not lost.
bool JobThread::turn(Shared& shared, std::vector<std::unique_ptr<Active>>& all) {
    if (all.size() == all.capacity()) all.reserve(2 * all.size() + 1);
    const std::shared_ptr<Job> job = shared.next();
    if (job)
        if (auto active = begin(shared, job)) all.push_back(std::move(active));
    if (!job && all.empty() && shared.stopped()) return false;
    bool more = job != nullptr;
    // A job that ends in work() gets no further event: the wake of Job::finish() may have been taken before.
    for (const auto& active : all) {
        const bool worked = active->run->work();
        if (worked) active->check_cancelled(true);  // what needs no model has no events
        more |= worked || active->run->over();
    }
    for (engine::Event& event : more ? shared.mailbox->try_take() : shared.mailbox->take()) {
        const bool progress = event.kind == engine::Event::Kind::progress;
        if (progress || event.kind == engine::Event::Kind::woken) {
            for (const auto& active : all) active->check_cancelled(progress);
            continue;
        }
        const auto at = std::ranges::find_if(all, [&](const auto& active) { return active->run->owns(event); });
        if (at == all.end()) continue;
        (*at)->run->handle(std::move(event));
        if ((*at)->end_if_over(*shared.counters)) all.erase(at);
    }
    std::erase_if(all, [&](const auto& active) { return active->end_if_over(*shared.counters); });
    return true;
}

void JobThread::work(const std::shared_ptr<Shared>& shared) noexcept {
    std::vector<std::unique_ptr<Active>> all;
    for (bool go_on = true; go_on;) try {
            go_on = turn(*shared, all);
        } catch (const std::exception& error) {
            log(LogLevel::debug, "a thread of jobs tries again: {}", error.what());
            std::this_thread::sleep_for(kPause);
        }
}

JobThread::JobThread(const Translator& owner) : shared_(std::make_shared<Shared>(owner)) {}

JobThread::~JobThread() {
    {
        const std::lock_guard lock(shared_->mutex);
        shared_->stop = true;
        for (const auto& job : shared_->jobs) job->cancel();
    }
    for (const std::weak_ptr<Job>& weak : submitted_)
        if (const auto job = weak.lock()) job->cancel();
    shared_->mailbox->wake();
    if (!thread_.joinable()) return;
    if (CallbackScope::inside_any()) thread_.detach();
    else thread_.join();
}

std::shared_ptr<Job> JobThread::submit(JobInput input, JobOptions options) {
    auto job = std::make_shared<Job>(shared_->counters->owner, std::move(input), std::move(options), shared_->mailbox);
    {
        const std::lock_guard lock(shared_->mutex);
        std::erase_if(submitted_, [](const auto& weak) { return weak.expired(); });
        if (submitted_.size() == submitted_.capacity()) submitted_.reserve(2 * submitted_.size() + 1);
        if (!thread_.joinable()) thread_ = start_thread("a translator's jobs", [shared = shared_] { work(shared); });
        shared_->jobs.push_back(job);
        submitted_.push_back(job);
    }
    shared_->mailbox->wake();
    return job;
}

}  // namespace dragoman::pipeline
