// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.h"
#include "translate/text_translator.h"
#include "translate/translator.h"

namespace dragoman::translate {

struct OwnedText {
    std::string text;      // UTF-8
    Tokens target_prefix;  // of its first sentence
};

// What to translate. A job keeps it: nothing of the caller's needs to outlive the call.
struct JobInput {
    std::variant<std::vector<OwnedText>, std::vector<Request>> inputs;
    TextOptions text{};  // for texts
    TranslateOptions options{};
};

// Something that happened to a job; views live until the callback returns.
struct JobEvent {
    enum class Kind : int {
        partial = 0,   // the best translation so far of a sentence at work; the next may differ from it
        sentence = 1,  // a sentence of the result is translated
        end = 2,       // the job has ended; the last event
    };
    Kind kind = Kind::end;
    std::size_t input = 0, sentence = 0;  // place in the result
    text::Range source{};                 // bytes of the text
    std::string_view text{};              // empty for a model without tokenizer
    std::span<const std::string> tokens{};
    float score = 0.0f;
    std::size_t done = 0, total = 0;      // sentences of the result; those that occur twice count twice
    Status status = Status::ok;           // of the end
    std::string_view message{};
};

struct JobOptions {
    // Higher first; equal ones share the device, and one with few sentences overtakes those with many.
    int priority = 0;
    // Called on a thread of the queue's, never for two jobs of a queue at the same time. What it throws is ignored.
    std::function<void(const JobEvent&)> on_event;
    bool partials = false;   // also events of unfinished sentences, where the engine has them
    bool sentences = true;
    Progress progress;       // on the same thread; false cancels. Counts different sentences.
};

enum class JobState : int { waiting = 0, running = 1, done = 2, failed = 3, cancelled = 4 };

struct JobStatus {
    JobState state = JobState::waiting;
    Status status = Status::ok;
    std::size_t done = 0, total = 0;  // as in JobEvent; total 0: not known yet
};

struct JobOutput {
    std::vector<TextResult> texts;  // one per text
    std::vector<Request> requests;  // or the requests as given,
    std::vector<Result> results;    // and one per request
};

// A translation that was submitted. Any number of threads may use it.
class Job {
public:
    virtual ~Job() = default;
    virtual JobStatus status() const = 0;
    // Until the job has ended and its last event is over; false: `limit` has passed. Throws invalid_argument in a
    // callback of its queue.
    virtual bool wait(std::optional<std::chrono::milliseconds> limit = {}) const = 0;
    virtual void cancel() = 0;  // soon; does not wait
    // No callback of this job runs any more when this returns; called from a callback, it does not wait for others.
    virtual void silence() = 0;
    // Waits (but see wait()), then the output, once, or throws what ended the job: cancelled, those of translate().
    virtual JobOutput take() = 0;
};

// Works on jobs of one translator in the background.
class JobQueue {
public:
    static std::unique_ptr<JobQueue> create(std::shared_ptr<Translator> translator);
    static bool has_partials();  // events of unfinished sentences
    // Cancels what has not ended and waits for its end; in a callback it does not wait.
    virtual ~JobQueue() = default;
    // Throws invalid_argument for the options and unsupported for texts without a tokenizer; all else is the job's.
    virtual std::shared_ptr<Job> submit(JobInput input, JobOptions options) = 0;
};

}  // namespace dragoman::translate
