// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/jobs.h"

#include <algorithm>
#include <utility>

namespace serve::api {
namespace {

constexpr std::size_t kOwnMostJobs = 100;  // those that have ended are forgotten first

}  // namespace

struct OwnJobs::Kept {
    OwnJob job;
    bool cancelled = false;
    std::vector<OnChange> watchers;
};

OwnJobs::OwnJobs(work::Models& models) : models_(models), thread_([this] { run(); }) {}

OwnJobs::~OwnJobs() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

std::shared_ptr<OwnJobs::Kept> OwnJobs::find(const std::string& id) const {
    for (const auto& kept : jobs_)
        if (kept->job.id == id) return kept;
    throw Problem(Problem::Kind::not_found, "there is no job " + id, "id");
}

OwnJob OwnJobs::add(const std::string& model) {
    const std::lock_guard lock(mutex_);
    for (const auto& kept : jobs_)
        if (kept->job.model == model && !kept->job.has_ended()) return kept->job;
    if (jobs_.size() >= kOwnMostJobs) {
        const auto ended = std::ranges::find_if(jobs_, [](const auto& kept) { return kept->job.has_ended(); });
        if (ended == jobs_.end()) throw Problem(Problem::Kind::busy, "too many models are being added", "", 60);
        jobs_.erase(ended);
    }
    auto kept = std::make_shared<Kept>();
    kept->job.id = "model-" + std::to_string(++count_);
    kept->job.model = model;
    kept->job.created = std::chrono::system_clock::now();
    jobs_.push_back(kept);
    changed_.notify_one();
    return kept->job;
}

OwnJob OwnJobs::get(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    return find(id)->job;
}

std::vector<OwnJob> OwnJobs::list() const {
    const std::lock_guard lock(mutex_);
    std::vector<OwnJob> list;
    for (const auto& kept : jobs_) list.push_back(kept->job);
    return list;
}

void OwnJobs::cancel(const std::string& id) {
    std::shared_ptr<Kept> kept;
    {
        const std::lock_guard lock(mutex_);
        kept = find(id);
        if (kept->job.has_ended()) {
            std::erase(jobs_, kept);
            return;
        }
        kept->cancelled = true;
        if (kept->job.state != "queued") return;  // the one at work sees it
    }
    change(*kept, [](OwnJob& job) { job.state = "cancelled"; });
}

void OwnJobs::watch(const std::string& id, OnChange on_change) {
    OwnJob now;
    {
        const std::lock_guard lock(mutex_);
        const auto kept = find(id);
        now = kept->job;
        if (!now.has_ended()) kept->watchers.push_back(on_change);
    }
    on_change(now);
}

void OwnJobs::change(Kept& kept, const std::function<void(OwnJob&)>& edit) {
    OwnJob now;
    std::vector<OnChange> watchers;
    {
        const std::lock_guard lock(mutex_);
        if (kept.job.has_ended()) return;
        edit(kept.job);
        if (kept.job.has_ended()) kept.job.ended = std::chrono::system_clock::now();
        now = kept.job;
        watchers.swap(kept.watchers);
    }
    std::erase_if(watchers, [&](const OnChange& on_change) { return !on_change(now); });
    const std::lock_guard lock(mutex_);
    if (!kept.job.has_ended()) kept.watchers.insert(kept.watchers.end(), watchers.begin(), watchers.end());
}

void OwnJobs::run() {
    for (;;) {
        std::shared_ptr<Kept> next;
        {
            std::unique_lock lock(mutex_);
            const auto queued = [](const auto& kept) { return kept->job.state == "queued"; };
            changed_.wait(lock, [&] { return ends_ || std::ranges::any_of(jobs_, queued); });
            if (ends_) return;
            next = *std::ranges::find_if(jobs_, queued);
        }
        work(next);
    }
}

void OwnJobs::work(const std::shared_ptr<Kept>& kept) {
    change(*kept, [](OwnJob& job) { job.state = "running"; });
    const auto stopped = [&] {
        const std::lock_guard lock(mutex_);
        return ends_ || kept->cancelled;
    };
    try {
        models_.add(kept->job.model, [&](std::uint64_t done, std::uint64_t total) {
            change(*kept, [&](OwnJob& job) {
                job.done_bytes = done;
                job.total_bytes = total;
            });
            return !stopped();
        });
        change(*kept, [](OwnJob& job) { job.state = "done"; });
    } catch (const std::exception& error) {
        const bool cancelled = stopped();
        change(*kept, [&](OwnJob& job) {
            job.state = cancelled ? "cancelled" : "error";
            if (!cancelled) job.error = error.what();
        });
    }
}

}  // namespace serve::api
