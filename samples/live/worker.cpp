// SPDX-License-Identifier: Apache-2.0
#include "worker.h"

#include <utility>

namespace {

bool is_blank(const std::string& text) { return text.find_first_not_of(' ') == std::string::npos; }

}  // namespace

Worker::Worker(const Settings& settings)
    : to_(settings.to), model_(settings.model.empty() ? nullptr : settings.model.c_str(), {}), translator_(model_) {
    options_.beam_size = 1;
    options_.target_language = to_.c_str();
}

// On the translator's thread.
void Worker::hear(const dragoman_event& event) {
    {
        const std::lock_guard lock(mutex_);
        if (event.kind == DRAGOMAN_EVENT_END) ended_ = true;
        else sentences_[event.sentence] = dragoman::view(event.text);
    }
    bell_.ring();
}

void Worker::ask(const std::string& text) {
    job_.reset();  // no more events come from it
    asked_ = text;
    sentences_.clear();
    ended_ = is_blank(text);
    if (ended_) return bell_.ring();
    dragoman::JobOptions how;
    how.events = DRAGOMAN_EVENTS_PARTIAL | DRAGOMAN_EVENTS_SENTENCE | DRAGOMAN_EVENTS_END;
    job_ = translator_.submit(asked_, options_, [this](const dragoman_event& event) { hear(event); }, how);
}

std::optional<Worker::Shown> Worker::take() {
    bell_.quiet();
    std::string so_far;
    {
        const std::lock_guard lock(mutex_);
        if (!ended_ && sentences_.empty()) return std::nullopt;
        for (const auto& [number, text] : sentences_) so_far += (so_far.empty() ? "" : " ") + text;
        if (!ended_) return Shown{asked_, so_far, false};
    }
    if (!job_) return Shown{asked_, "", true};
    return Shown{asked_, finish(), true};
}

std::string Worker::finish() {
    std::optional<dragoman::Job> job = std::exchange(job_, std::nullopt);
    job->wait();  // no more events come from it
    ended_ = false;
    sentences_.clear();
    return std::string(job->get().text(0));
}

std::string Worker::translate(const std::string& text) {
    ask(text);
    return job_ ? finish() : std::string();
}
