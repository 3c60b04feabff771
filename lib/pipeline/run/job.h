// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/failure.h"
#include "engine/mailbox.h"
#include "pipeline/value/result.h"
#include "pipeline/value/sentence.h"

namespace dragoman::pipeline {

struct Request;
struct RunCounts;

// Called now and then while sentences are translated: done of total. Returning false cancels.
using Progress = std::function<bool(std::size_t done, std::size_t total)>;

// An input of a job, which keeps it.
struct JobDocument {
    std::string text;               // UTF-8, of a job of texts;
    std::optional<Tokens> source{};  // of a job of tokens
    Tokens target_prefix{};         // of the text's first sentence
};

struct JobInput {
    std::vector<JobDocument> documents;
    bool texts = true;  // else tokens
    bool fed = false;   // more may come with Job::feed(), until Job::finish()
    TextOptions text{};
    TranslateOptions options{};
};

// An event of a job; views live until the callback returns. A zero byte follows each of its texts.
struct JobEvent {
    enum class Kind : int {
        partial = 0,   // the best translation so far of an unfinished sentence; the next may differ from it
        sentence = 1,  // a sentence of the result is translated
        end = 2,       // the job has ended; the last event
    };
    Kind kind = Kind::end;
    std::size_t input = 0, sentence = 0;  // place in the result
    text::Range source{};                 // bytes of the text
    std::string_view text{};              // empty for a model without tokenizer
    std::span<const std::string> tokens{};
    float score = 0.0f;
    std::size_t done = 0, total = 0;      // sentences of the result so far; total 0: not known yet
    Status status = Status::ok;           // with `end`
    std::string_view message{};
};

struct JobOptions {
    // Higher priorities first; equal ones share the device, and a job with few sentences overtakes those with many.
    int priority = 0;
    // Called on a thread of the translator's, never for two of its jobs at the same time. Exceptions from it are
    // ignored, but for std::bad_alloc, which ends the job.
    std::function<void(const JobEvent&)> on_event;
    bool partials = false;  // also events of unfinished sentences
    bool sentences = true;
    Progress progress;  // on the same thread; false cancels. Counts different sentences.
};

enum class JobState : int { waiting = 0, running = 1, done = 2, failed = 3, cancelled = 4 };

struct JobStatus {
    JobState state = JobState::waiting;
    Status status = Status::ok;
    std::size_t done = 0, total = 0;  // as in JobEvent
};

// Results of consecutive inputs of a job.
struct JobOutput {
    std::size_t first = 0;  // the input that the first one belongs to
    std::vector<TextResult> texts;  // one per text,
    std::vector<Tokens> sources;  // or the sources as given,
    std::vector<Result> results;  // and one result for each
    std::size_t size() const { return texts.size() + results.size(); }
};

// A translation that was submitted. Any number of threads may use it.
class Job {
public:
    Job(const void* owner, JobInput input, JobOptions options, std::shared_ptr<engine::Mailbox> mailbox);

    JobStatus status() const;
    // Waits until the job has ended and its last event is over; false: `limit` has passed. Throws invalid_argument in
    // a callback of its translator.
    bool wait(std::optional<std::chrono::milliseconds> limit = {}) const;
    void cancel() noexcept;  // soon; does not wait
    // No callback of this job runs any more when this returns; called from a callback, it does not wait for others.
    void silence();
    // Waits (but see wait()) and gives all results, once, or throws what ended the job. Not for a fed job.
    JobOutput take();

    // For a fed job. Takes as many of the first documents as there is room for and returns their number. Waits until
    // there is room for one, `limit` has passed, or the job has ended (0). A job holds a bounded amount of inputs and
    // results, so its memory does not grow with its inputs; its results must be taken, too.
    std::size_t feed(std::span<JobDocument> documents, std::optional<std::chrono::milliseconds> limit = {});
    // Waits in the same way and says how many documents, and how many bytes of them, may be taken at most: 0 where feed()
    // would take none. The last one may have more bytes.
    struct Room {
        std::size_t documents = 0, bytes = 0;
    };
    Room wait_for_room(std::optional<std::chrono::milliseconds> limit);
    void finish();  // nothing more comes
    // The results that are ready and have not been taken, in the order of the inputs; waits for one. Empty: the job has
    // ended and all are taken, or `limit` has passed. After the last result it throws what ended the job.
    JobOutput next(std::optional<std::chrono::milliseconds> limit = {});

    // These are for the translator's thread; begin() to end() one thread at a time.
    int priority() const { return options_.priority; }
    bool cancelled() const { return cancelled_.load(std::memory_order_relaxed); }
    bool wants_partials() const { return options_.partials && options_.on_event; }
    bool texts() const { return input_.texts; }
    bool fed() const { return input_.fed; }
    const JobInput& input() const { return input_; }
    void begin();
    std::pair<std::unique_ptr<Document>, bool> next_document();  // and whether there are no more
    std::size_t documents() const;  // how many will come; 0: not known
    void count(const RunCounts& counts, bool all_found);
    void report(JobEvent::Kind kind, const Document& document, const Sentence& sentence, const Hypothesis& hypothesis);
    void put(std::unique_ptr<Document> document);
    bool go_on(std::size_t done, std::size_t total);  // false: the job is to stop
    void end(const Failure& failure) noexcept;

private:
    void emit(const JobEvent& event);
    JobOutput collect();
    void check_fed(bool fed) const;
    std::unique_lock<std::mutex> lock_with_room(std::optional<std::chrono::milliseconds> limit);
    // With the lock held.
    bool has_ended() const;
    bool has_room() const;

    const void* const owner_;  // for CallbackScope
    JobInput input_;
    const JobOptions options_;
    const std::shared_ptr<engine::Mailbox> mailbox_;
    std::atomic<bool> cancelled_ = false;

    std::recursive_mutex callbacks_;  // held while one runs
    std::atomic<bool> silent_ = false;

    mutable std::mutex mutex_;  // for all below
    mutable std::condition_variable changed_;
    std::deque<JobDocument> waiting_;
    std::size_t waiting_bytes_ = 0;
    std::deque<std::unique_ptr<Document>> ready_;
    std::size_t ready_bytes_ = 0, taken_documents_ = 0, known_documents_ = 0;
    bool finished_ = false;  // nothing more comes in
    JobStatus status_;
    Failure failure_;
    bool over_ = false, taken_ = false;
};

}  // namespace dragoman::pipeline
