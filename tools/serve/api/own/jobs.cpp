// SPDX-License-Identifier: Apache-2.0
#include "serve/api/own/jobs.h"

#include <algorithm>
#include <exception>
#include <utility>

namespace serve::api {
namespace {

constexpr std::size_t kOwnMostJobs = 100;  // those that have ended are forgotten first

}  // namespace

struct OwnJobs::Kept {
    OwnJob job;
    bool cancelled = false;
    std::vector<OnChange> watchers;
    std::vector<OnChange> fresh;  // watchers who have heard nothing yet
    bool changed = false, telling = false;
};

OwnJobs::OwnJobs(Bring bring) : bring_(std::move(bring)), thread_([this] { run(); }) {}

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
    }
    change(*kept, [](OwnJob& job) {
        if (job.state != "queued") return false;  // the one at work sees it
        job.state = "cancelled";
        return true;
    });
}

void OwnJobs::watch(const std::string& id, OnChange on_change) {
    std::unique_lock lock(mutex_);
    const auto kept = find(id);
    kept->fresh.push_back(std::move(on_change));
    tell(*kept, lock);
}

bool OwnJobs::change(Kept& kept, const std::function<bool(OwnJob&)>& edit) {
    std::unique_lock lock(mutex_);
    if (kept.job.has_ended() || !edit(kept.job)) return false;
    if (kept.job.has_ended()) kept.job.ended = std::chrono::system_clock::now();
    kept.changed = true;
    tell(kept, lock);
    return true;
}

// Whoever tells already tells this, too: so no change is lost, and none comes after a later one.
void OwnJobs::tell(Kept& kept, std::unique_lock<std::mutex>& lock) {
    if (std::exchange(kept.telling, true)) return;
    while (kept.changed || !kept.fresh.empty()) {
        const OwnJob now = kept.job;
        std::vector<OnChange> told = std::exchange(kept.fresh, {}), quiet;
        std::vector<OnChange>& others = kept.changed ? told : quiet;
        others.insert(others.end(), kept.watchers.begin(), kept.watchers.end());
        kept.watchers.clear();
        kept.changed = false;
        lock.unlock();
        std::erase_if(told, [&](const OnChange& on_change) {
            try {
                return !on_change(now);
            } catch (const std::exception&) {  // a client whom nothing can be told
                return true;
            }
        });
        lock.lock();
        if (now.has_ended()) continue;
        kept.watchers = std::move(quiet);
        kept.watchers.insert(kept.watchers.end(), told.begin(), told.end());
    }
    kept.telling = false;
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

bool OwnJobs::is_stopped(const Kept& kept) const {
    const std::lock_guard lock(mutex_);
    return ends_ || kept.cancelled;
}

void OwnJobs::work(const std::shared_ptr<Kept>& kept) {
    const auto begin = [](OwnJob& job) {
        job.state = "running";
        return true;
    };
    if (!change(*kept, begin)) return;  // it was cancelled meanwhile
    try {
        bring_(kept->job.model, [this, kept](std::uint64_t done, std::uint64_t total) {
            change(*kept, [&](OwnJob& job) {
                job.done_bytes = done;
                job.total_bytes = total;
                return true;
            });
            return !is_stopped(*kept);
        });
        change(*kept, [](OwnJob& job) {
            job.state = "done";
            return true;
        });
    } catch (const std::exception& error) {
        const bool cancelled = is_stopped(*kept);
        change(*kept, [&](OwnJob& job) {
            job.state = cancelled ? "cancelled" : "error";
            if (!cancelled) job.error = error.what();
            return true;
        });
    }
}

}  // namespace serve::api
