// SPDX-License-Identifier: Apache-2.0
#include "pipeline/run/job.h"

#include <algorithm>
#include <iterator>
#include <new>

#include "base/error.h"
#include "base/log.h"
#include "base/release.h"
#include "pipeline/run/callback_scope.h"
#include "pipeline/run/run.h"

namespace dragoman::pipeline {
namespace {

// The amount that a fed job holds on each side: enough for a second or two of the fastest device.
constexpr std::size_t kWaitingBytes = 4u << 20;
constexpr std::size_t kWaitingDocuments = 1u << 14;

std::size_t bytes_of(const Tokens& tokens) {
    std::size_t bytes = 0;
    for (const std::string& token : tokens) bytes += sizeof token + token.size();
    return bytes;
}

std::size_t bytes_of(const JobDocument& document) {
    return document.text.size() + (document.source ? bytes_of(*document.source) : 0) + bytes_of(document.target_prefix);
}

std::size_t bytes_of(const Tokens& tokens, const Matrix& attention) {
    return tokens.size() * sizeof(text::Range) + bytes_of(tokens) + attention.values.size() * sizeof(float);
}

std::size_t result_bytes(const Document& document) {
    std::size_t bytes = document.result.plain_source.size() + (document.source ? bytes_of(*document.source) : 0);
    bytes += document.result.sentences.bytes();
    for (const TextHypothesis& hypothesis : document.result.hypotheses)
        bytes += hypothesis.text.size() + hypothesis.plain.size() + hypothesis.sentences.bytes();
    for (const Sentence& sentence : document.sentences)  // of an input of tokens
        for (const Hypothesis& hypothesis : sentence.hypotheses)
            bytes += hypothesis.text.size() + bytes_of(hypothesis.tokens, hypothesis.attention);
    return bytes;
}

std::unique_ptr<Document> document_of(JobDocument from) {
    auto document = std::make_unique<Document>();
    document->storage = std::move(from.text);
    document->text = document->storage;
    document->source = std::move(from.source);
    document->target_prefix = std::move(from.target_prefix);
    return document;
}

// Waits, at most until `limit` has passed, and says whether `ready` is true.
template <class Ready>
bool wait_until(std::condition_variable& changed, std::unique_lock<std::mutex>& lock,
                std::optional<std::chrono::milliseconds> limit, const Ready& ready) {
    if (limit) return changed.wait_for(lock, *limit, ready);
    changed.wait(lock, ready);
    return true;
}

}  // namespace

Job::Job(const void* owner, JobInput input, JobOptions options, std::shared_ptr<engine::Mailbox> mailbox)
    : owner_(owner), input_(std::move(input)), options_(std::move(options)), mailbox_(std::move(mailbox)),
      waiting_(std::make_move_iterator(input_.documents.begin()), std::make_move_iterator(input_.documents.end())),
      known_documents_(waiting_.size()), finished_(!input_.fed) {
    input_.documents = {};
    for (const JobDocument& document : waiting_) waiting_bytes_ += bytes_of(document);
}

bool Job::has_ended() const { return status_.state != JobState::waiting && status_.state != JobState::running; }

JobStatus Job::status() const {
    const std::lock_guard lock(mutex_);
    return status_;
}

bool Job::wait(std::optional<std::chrono::milliseconds> limit) const {
    CallbackScope::forbid(owner_);
    std::unique_lock lock(mutex_);
    return wait_until(changed_, lock, limit, [this] { return over_; });
}

void Job::cancel() noexcept {
    cancelled_.store(true, std::memory_order_relaxed);
    mailbox_->wake();
}

void Job::silence() {
    silent_ = true;
    // Two callbacks of different translators that silence each other's jobs must not wait for one another.
    if (!CallbackScope::inside_any()) const std::lock_guard wait_for_callback(callbacks_);
}

void Job::check_fed(bool fed) const {
    if (input_.fed == fed) return;
    if (fed) fail(Status::invalid_argument, "the job got all of its inputs when it was submitted; it is not fed");
    fail(Status::invalid_argument, "the job is fed: its results are taken as they come");
}

JobOutput Job::take() {
    check_fed(false);
    if (!CallbackScope::inside(owner_)) wait({});
    const std::lock_guard lock(mutex_);
    if (!has_ended())
        fail(Status::invalid_argument, "the job has not ended, and in a callback of its translator waiting never ends");
    if (failure_) std::rethrow_exception(failure_.exception());
    if (taken_) fail(Status::invalid_argument, "the job's result has been taken before");
    JobOutput output = collect();
    taken_ = true;
    return output;
}

bool Job::has_room() const { return waiting_bytes_ < kWaitingBytes && waiting_.size() < kWaitingDocuments; }

std::unique_lock<std::mutex> Job::lock_with_room(std::optional<std::chrono::milliseconds> limit) {
    check_fed(true);
    const bool may_wait = !limit || limit->count() > 0;
    if (may_wait) CallbackScope::forbid(owner_);
    std::unique_lock lock(mutex_);
    if (may_wait) wait_until(changed_, lock, limit, [&] { return over_ || finished_ || has_room(); });
    if (finished_) fail(Status::invalid_argument, "the job was finished and takes no more inputs");
    return lock;
}

Job::Room Job::wait_for_room(std::optional<std::chrono::milliseconds> limit) {
    const std::unique_lock lock = lock_with_room(limit);
    if (has_ended() || !has_room()) return {};
    return {kWaitingDocuments - waiting_.size(), kWaitingBytes - waiting_bytes_};
}

std::size_t Job::feed(std::span<JobDocument> documents, std::optional<std::chrono::milliseconds> limit) {
    std::size_t taken = 0;
    {
        const std::unique_lock lock = lock_with_room(limit);
        while (taken < documents.size() && !has_ended() && has_room()) {
            waiting_bytes_ += bytes_of(documents[taken]);
            waiting_.push_back(std::move(documents[taken++]));
        }
        known_documents_ += taken;
    }
    if (taken > 0) mailbox_->wake();
    return taken;
}

void Job::finish() {
    check_fed(true);
    {
        const std::lock_guard lock(mutex_);
        finished_ = true;
    }
    changed_.notify_all();  // who waits for room to feed it
    mailbox_->wake();
}

JobOutput Job::next(std::optional<std::chrono::milliseconds> limit) {
    check_fed(true);
    const bool may_wait = !limit || limit->count() > 0;
    if (may_wait) CallbackScope::forbid(owner_);
    JobOutput output;
    {
        std::unique_lock lock(mutex_);
        if (may_wait) wait_until(changed_, lock, limit, [this] { return over_ || !ready_.empty(); });
        if (ready_.empty() && over_ && failure_) std::rethrow_exception(failure_.exception());
        output = collect();
    }
    if (output.size() > 0) mailbox_->wake();  // there is room for more
    return output;
}

// Takes the results that are ready; where memory runs out, none.
JobOutput Job::collect() {
    JobOutput output{.first = taken_documents_};
    if (input_.texts) output.texts.reserve(ready_.size());
    else {
        output.sources.reserve(ready_.size());
        output.results.reserve(ready_.size());
    }
    for (const auto& document : ready_) {
        if (input_.texts) {
            output.texts.push_back(std::move(document->result));
            continue;
        }
        output.sources.push_back(std::move(*document->source));
        output.results.push_back({std::move(document->sentences.front().hypotheses)});
    }
    taken_documents_ += ready_.size();
    ready_.clear();
    ready_bytes_ = 0;
    return output;
}

void Job::begin() {
    const std::lock_guard lock(mutex_);
    status_.state = JobState::running;
}

std::pair<std::unique_ptr<Document>, bool> Job::next_document() {
    std::unique_ptr<Document> document;
    {
        const std::lock_guard lock(mutex_);
        if (waiting_.empty()) return {nullptr, finished_};
        if (input_.fed && (ready_bytes_ >= kWaitingBytes || ready_.size() >= kWaitingDocuments))
            return {nullptr, false};
        waiting_bytes_ -= bytes_of(waiting_.front());
        document = document_of(std::move(waiting_.front()));
        waiting_.pop_front();
    }
    changed_.notify_all();
    return {std::move(document), false};
}

std::size_t Job::documents() const {
    const std::lock_guard lock(mutex_);
    return finished_ ? known_documents_ : 0;
}

void Job::count(const RunCounts& counts, bool all_found) {
    const std::lock_guard lock(mutex_);
    status_.done = counts.finished;
    status_.total = all_found ? counts.found : 0;
}

void Job::report(JobEvent::Kind kind, const Document& document, const Sentence& sentence,
                 const Hypothesis& hypothesis) {
    if (kind == JobEvent::Kind::partial ? !wants_partials() : !(options_.sentences && options_.on_event)) return;
    JobEvent event{.kind = kind, .input = document.index, .text = hypothesis.text, .tokens = hypothesis.tokens};
    if (input_.texts) {
        event.sentence = sentence.index;
        event.source = sentence.range;
        if (!input_.text.return_tokens) event.tokens = {};
    }
    if (kind == JobEvent::Kind::sentence) {
        event.score = hypothesis.score;
        const JobStatus now = status();
        event.done = now.done;
        event.total = now.total;
    }
    emit(event);
}

void Job::put(std::unique_ptr<Document> document) {
    {
        const std::lock_guard lock(mutex_);
        ready_bytes_ += result_bytes(*document);
        release(document->storage);
        document->text = {};
        ready_.push_back(std::move(document));
    }
    changed_.notify_all();
}

bool Job::go_on(std::size_t done, std::size_t total) {
    if (cancelled()) return false;
    const std::lock_guard lock(callbacks_);
    if (silent_ || !options_.progress) return true;
    const CallbackScope scope(owner_);
    return options_.progress(done, total);
}

void Job::end(const Failure& failure) noexcept {
    JobEvent event;
    {
        const std::lock_guard lock(mutex_);
        status_.state = !failure                              ? JobState::done
                        : failure.status == Status::cancelled ? JobState::cancelled
                                                              : JobState::failed;
        status_.status = failure.status;
        failure_.set(failure);
        if (!failure && status_.total == 0) status_.total = status_.done;
        waiting_.clear();
        waiting_bytes_ = 0;
        event.done = status_.done;
        event.total = status_.total;
    }
    event.status = failure.status;
    event.message = failure.message;
    try {
        emit(event);
    } catch (...) {
        log(LogLevel::error, "the end of a job is not told: out of host memory");
    }
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_all();
}

void Job::emit(const JobEvent& event) {
    const std::lock_guard lock(callbacks_);
    if (silent_ || !options_.on_event) return;
    const CallbackScope scope(owner_);
    try {
        options_.on_event(event);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (...) {
        log(LogLevel::error, "a job's callback threw");
    }
}

}  // namespace dragoman::pipeline
