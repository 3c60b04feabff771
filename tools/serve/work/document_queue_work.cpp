// SPDX-License-Identifier: Apache-2.0
// What the threads of a queue of documents do.
#include <algorithm>
#include <exception>

#include "serve/work/document_queue.h"

namespace serve::work {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kTellEvery{200};
constexpr std::size_t kMostNotes = 100;

}  // namespace

void DocumentQueue::work() {
    for (;;) {
        std::shared_ptr<DocumentJob> job;
        {
            std::unique_lock lock(mutex_);
            const auto wait = std::min<std::chrono::milliseconds>(std::chrono::seconds(30), options_.kept);
            changed_.wait_for(lock, wait, [&] { return stopping_ || !queue_.empty(); });
            if (stopping_) return;
            if (!queue_.empty()) {
                job = queue_.front();
                queue_.pop_front();
                job->at_work = true;
                job->begun = Clock::now();
                job->state.state = "translating";
            }
        }
        if (job) run(*job);
        remove_old();
    }
}

void DocumentQueue::run(DocumentJob& job) {
    keep(job);
    tell(job);
    try {
        if (options_.may_begin) options_.may_begin(job.state.owner, job.state.id);
        const std::uint64_t characters = translate(job);
        charge(job, characters);
        end_run(job, "done", "", characters);
    } catch (const Problem& problem) {
        const bool stopped = problem.kind == Problem::Kind::cancelled;
        {
            const std::lock_guard lock(mutex_);
            job.state.over_quota = problem.kind == Problem::Kind::quota;
        }
        end_run(job, stopped ? "cancelled" : "error", problem.what(), 0);
    } catch (const std::exception& error) {
        report("document " + job.state.id + ": " + error.what());
        end_run(job, "error", "the document cannot be translated", 0);
    }
}

std::uint64_t DocumentQueue::translate(DocumentJob& job) {
    DocumentRun task(tools_, job, [&](const DocumentProgress& at) { return on_progress(job, at); });
    std::string from;
    {
        const std::lock_guard lock(mutex_);
        from = job.state.from;
    }
    if (from.empty()) {
        from = task.detect_source();
        {
            const std::lock_guard lock(mutex_);
            job.state.from = from;
        }
        keep(job);
    }
    return task.translate(from);
}

// What nobody can fetch any more costs nothing.
void DocumentQueue::charge(const DocumentJob& job, std::uint64_t characters) {
    if (!options_.charge) return;
    {
        const std::lock_guard lock(mutex_);
        if (job.removed) return;
    }
    try {
        options_.charge(job.state.owner, job.state.id, characters);
    } catch (const Problem&) {
        throw;
    } catch (const std::exception& error) {
        report("document " + job.state.id + " is not charged: " + error.what());
    }
}

void DocumentQueue::end_run(DocumentJob& job, const std::string& outcome, const std::string& error,
                            std::uint64_t characters) {
    bool removed = false;
    {
        const std::lock_guard lock(mutex_);
        const bool goes_on = outcome == "cancelled" && !job.cancelled;  // the service ends
        DocumentState& state = job.state;
        state.state = goes_on ? "queued" : outcome;
        state.error = outcome == "error" ? error : "";
        state.seconds_remaining = outcome == "done" ? 0 : -1;
        state.characters = characters;
        if (outcome == "done") state.done = state.total, state.result = tools_.store.output(state.id);
        if (goes_on) {
            job.at_work = false;
            return;
        }
        state.ended = std::chrono::system_clock::now();
        removed = job.removed;
    }
    const bool kept = removed || keep_end(job);
    if (kept && outcome == "done") settle(job);
    {
        const std::lock_guard lock(mutex_);
        job.at_work = false;
        removed = job.removed;
    }
    if (removed) remove_files(job);
    tell(job);
}

bool DocumentQueue::on_progress(DocumentJob& job, const DocumentProgress& at) {
    bool due = false;
    {
        const std::lock_guard lock(mutex_);
        DocumentState& state = job.state;
        // Texts are counted in their order, sentences as they end.
        const bool known = at.of_sentences > 0;
        state.done = std::max(state.done, known ? at.sentences : at.texts);
        state.total = std::max(state.total, known ? at.of_sentences : at.of_texts);
        const double texts = at.of_texts ? double(at.texts) / double(at.of_texts) : 0;
        const double sentences = at.of_sentences ? double(at.sentences) / double(at.of_sentences) : 0;
        const double share = std::max(texts, sentences);
        const std::chrono::duration<double> taken = Clock::now() - job.begun;
        if (share > 0) state.seconds_remaining = int(std::min(taken.count() * (1 - share) / share, 1e6) + 0.5);
        due = Clock::now() - job.told > kTellEvery;
        if (due) job.told = Clock::now();
    }
    if (due) tell(job);
    return !job.stop;
}

// Where job.json cannot be written the state in memory is still right.
bool DocumentQueue::keep(DocumentJob& job) {
    const std::lock_guard keeping(job.keeping);
    try {
        std::string text;
        {
            const std::lock_guard lock(mutex_);
            if (job.removed) return false;
            text = DocumentStore::description(job);
        }
        tools_.store.write(job.state.id, text);
        return true;
    } catch (const std::exception& problem) {
        report("document " + job.state.id + ": " + problem.what());
        return false;
    }
}

bool DocumentQueue::keep_end(DocumentJob& job) {
    const bool kept = keep(job);
    std::error_code none;
    std::filesystem::remove(tools_.store.resume(job.state.id), none);
    std::filesystem::remove(tools_.store.input(job.state.id), none);
    if (job.state.state != "done") std::filesystem::remove(tools_.store.output(job.state.id), none);
    return kept;
}

// Alone: a folder whose files another thread removes meanwhile stays.
void DocumentQueue::remove_files(DocumentJob& job) {
    const std::lock_guard keeping(job.keeping);
    tools_.store.remove(job.state.id);
}

void DocumentQueue::settle(const DocumentJob& job) {
    if (!options_.settled) return;
    try {
        options_.settled(job.state.id);
    } catch (const std::exception& error) {
        report("document " + job.state.id + ": " + error.what());
    }
}

void DocumentQueue::tell(DocumentJob& job) {
    std::vector<std::shared_ptr<const Documents::OnChange>> watchers, over;
    DocumentState state;
    {
        const std::lock_guard lock(mutex_);
        state = job.state;
        watchers = job.watchers;
        if (has_ended(state)) job.watchers.clear();
    }
    for (const auto& watcher : watchers) {
        try {
            if ((*watcher)(state)) continue;
        } catch (const std::exception& error) {
            report("document " + state.id + ": its client cannot be told: " + error.what());
        }
        over.push_back(watcher);
    }
    if (over.empty()) return;
    const std::lock_guard lock(mutex_);
    std::erase_if(job.watchers, [&](const auto& each) { return std::ranges::find(over, each) != over.end(); });
}

void DocumentQueue::report(const std::string& trouble) {
    if (options_.trouble) return options_.trouble(trouble);
    const std::lock_guard lock(mutex_);
    if (notes_.size() < kMostNotes) notes_.push_back(trouble);
}

}  // namespace serve::work
