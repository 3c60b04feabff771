// SPDX-License-Identifier: Apache-2.0
#include "serve/work/document_queue.h"

#include <algorithm>
#include <utility>

namespace serve::work {

DocumentQueue::DocumentQueue(const DocumentTools& tools, const DocumentsOptions& options)
    : tools_(tools), options_(options) {
    for (const auto& job : tools_.store.read(notes_)) {
        DocumentState& state = job->state;
        if (!has_ended(state) && !job->durable) {
            tools_.store.remove(state.id);
            continue;
        }
        jobs_[state.id] = job;
        if (has_ended(state)) continue;
        if (job->cancelled) {
            set_cancelled(*job);
            keep_end(*job);
            continue;
        }
        state.state = "queued";
        queue_.push_back(job);
    }
    for (std::size_t i = 0; i < std::max<std::size_t>(options_.threads, 1); ++i)
        threads_.emplace_back([this] { work(); });
}

void DocumentQueue::end() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
        for (const auto& [id, job] : jobs_) job->stop = true;
    }
    changed_.notify_all();
    for (std::thread& thread : std::exchange(threads_, {})) thread.join();
    const std::lock_guard lock(mutex_);
    for (const auto& [id, job] : jobs_) {
        if (job->durable || has_ended(job->state)) continue;
        set_cancelled(*job);
        tools_.store.remove(id);
    }
}

std::shared_ptr<DocumentJob> DocumentQueue::find(const std::string& id) const {
    const auto job = jobs_.find(id);
    if (job == jobs_.end()) throw Problem(Problem::Kind::not_found, "there is no such document", "document");
    return job->second;
}

std::size_t DocumentQueue::unfinished() const {
    return static_cast<std::size_t>(std::ranges::count_if(jobs_, [](const auto& each) {
        return !has_ended(each.second->state);
    }));
}

void DocumentQueue::check_places(const std::string& owner) const {
    const std::size_t all = unfinished(), share = std::max<std::size_t>(options_.most_waiting / kOwnersShare, 1);
    const auto busy = [](std::size_t now, std::size_t most, const char* whose) {
        return Problem(Problem::Kind::busy,
                       std::to_string(now) + " of " + std::to_string(most) + " documents" + whose + " wait", "", 5);
    };
    if (stopping_ || all >= options_.most_waiting) throw busy(all, options_.most_waiting, "");
    if (owner.empty()) return;
    const auto own = static_cast<std::size_t>(std::ranges::count_if(jobs_, [&](const auto& each) {
        return each.second->state.owner == owner && !has_ended(each.second->state);
    }));
    if (own >= share) throw busy(own, share, " of this key");
}

void DocumentQueue::set_cancelled(DocumentJob& job) {
    job.state.state = "cancelled";
    job.state.ended = std::chrono::system_clock::now();
}

DocumentState DocumentQueue::place(const std::shared_ptr<DocumentJob>& job, const std::filesystem::path& file) {
    const DocumentState given = job->state;
    const std::string description = DocumentStore::description(*job);
    std::unique_lock keeping(job->keeping);
    {
        const std::lock_guard lock(mutex_);
        check_places(given.owner);
        job->at_work = true;  // its file is moved, and it has its place meanwhile
        jobs_[given.id] = job;
    }
    try {
        tools_.store.add(given.id, description, file);
    } catch (...) {
        const std::lock_guard lock(mutex_);
        jobs_.erase(given.id);
        throw;
    }
    keeping.unlock();
    bool removed = false, cancelled = false;
    {
        const std::lock_guard lock(mutex_);
        job->at_work = false;
        removed = job->removed;
        cancelled = job->cancelled;
        if (cancelled) set_cancelled(*job);
        else queue_.push_back(job);
    }
    changed_.notify_one();
    if (removed) remove_files(*job);
    else if (cancelled) keep_end(*job);
    if (cancelled) tell(*job);
    return given;
}

DocumentState DocumentQueue::get(const std::string& id) const {
    const std::lock_guard lock(mutex_);
    return find(id)->state;
}

std::vector<DocumentState> DocumentQueue::list(const std::string& owner) const {
    std::vector<DocumentState> list;
    const std::lock_guard lock(mutex_);
    for (const auto& [id, job] : jobs_)
        if (job->state.owner == owner) list.push_back(job->state);
    std::ranges::stable_sort(list, {}, &DocumentState::created);
    return list;
}

void DocumentQueue::cancel(const std::string& id) {
    std::shared_ptr<DocumentJob> job;
    bool at_work = false;
    {
        const std::lock_guard lock(mutex_);
        job = find(id);
        if (has_ended(job->state)) return;
        at_work = job->at_work;
        job->cancelled = true;
        job->stop = true;
        if (!at_work) {
            std::erase(queue_, job);
            set_cancelled(*job);
        }
    }
    if (at_work) {
        keep(*job);  // should the process end before the work does
        return;
    }
    keep_end(*job);
    tell(*job);
}

void DocumentQueue::remove(const std::string& id) {
    cancel(id);
    std::shared_ptr<DocumentJob> job;
    bool at_work = false;
    {
        const std::lock_guard lock(mutex_);
        job = find(id);
        at_work = job->at_work;
        job->removed = true;
        jobs_.erase(id);
    }
    const std::lock_guard keeping(job->keeping);
    if (at_work) tools_.store.forget(id);  // the files go when the work ends
    else tools_.store.remove(id);
}

void DocumentQueue::watch(const std::string& id, Documents::OnChange on_change) {
    DocumentState state;
    {
        const std::lock_guard lock(mutex_);
        const std::shared_ptr<DocumentJob> job = find(id);
        state = job->state;
        if (!has_ended(state)) {
            job->watchers.push_back(std::make_shared<const Documents::OnChange>(std::move(on_change)));
            return;
        }
    }
    on_change(state);
}

void DocumentQueue::remove_old() {
    const auto now = std::chrono::system_clock::now();
    std::vector<std::string> old;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [id, job] : jobs_)
            if (has_ended(job->state) && !job->at_work && now - job->state.ended > options_.kept) old.push_back(id);
        for (const std::string& id : old) jobs_.erase(id);
    }
    for (const std::string& id : old) tools_.store.remove(id);
}

std::size_t DocumentQueue::waiting() const {
    const std::lock_guard lock(mutex_);
    return unfinished();
}

std::vector<std::string> DocumentQueue::notes() const {
    const std::lock_guard lock(mutex_);
    return notes_;
}

}  // namespace serve::work
