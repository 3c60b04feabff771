// SPDX-License-Identifier: Apache-2.0
#include "feed.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <iterator>
#include <mutex>
#include <span>
#include <sstream>
#include <thread>
#include <utility>

#include "base/os/thread.h"

namespace cli {
namespace {

constexpr std::size_t kInputs = 64, kBytes = 1 << 16;  // that a file gives at a time

}  // namespace

struct Feed::State {
    std::unique_ptr<Inputs> inputs;
    std::size_t most = 1;  // at work at a time
    bool tokens = false, stops = true;  // at the first input that cannot be translated
    std::vector<std::vector<std::string>> prefix;

    std::mutex feeding;            // held while a job gets inputs; before `mutex`
    dragoman::Job* job = nullptr;  // nullptr: no more inputs are wanted, or not until go_on()

    std::mutex mutex;  // for all below
    std::condition_variable changed;
    std::deque<Input> at_work;
    std::exception_ptr failure;
    bool closed = false, read_all = false, waiting = false;  // waiting: for go_on()

    void read(std::vector<Input>& group) {
        const std::size_t count = inputs->may_be_slow() ? 1 : std::min(kInputs, most);
        std::size_t bytes = 0;
        Input input;
        while (group.size() < count && bytes < kBytes) {
            try {
                if (!inputs->next(input.text)) break;
                input.place = inputs->place();
            } catch (const BadInput& bad) {
                if (stops) throw;
                input.text = bad.input;
                input.refused = bad.what();
            }
            bytes += input.text.size();
            group.push_back(std::exchange(input, {}));
        }
    }

    bool start(std::vector<Input> group) {  // false: no more inputs are wanted
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return closed || at_work.empty() || at_work.size() + group.size() <= most; });
        std::ranges::move(group, std::back_inserter(at_work));
        changed.notify_all();
        return !closed;
    }

    void read_inputs() {
        for (bool more = true; more;) {
            std::vector<Input> group;
            bool failed = false;
            try {
                read(group);
            } catch (...) {  // what came before is not lost
                failed = true;
                fail();
            }
            more = !group.empty() && start(std::move(group)) && !failed;
        }
        const std::lock_guard lock(mutex);
        read_all = true;
        changed.notify_all();
    }

    void fail() {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
    }

    static bool is_due(const Input& input) { return !input.given && input.refused.empty(); }

    std::vector<std::string> due() {  // the next inputs for the job
        const std::lock_guard lock(mutex);
        std::vector<std::string> texts;
        for (auto at = std::ranges::find_if(at_work, is_due); at != at_work.end() && texts.size() < kInputs; ++at) {
            if (!is_due(*at)) continue;
            at->given = true;
            texts.push_back(at->text);
        }
        return texts;
    }

    std::size_t give(std::span<const std::string> texts) {
        const std::vector<std::vector<std::string>> all(prefix.front().empty() ? 0 : texts.size(), prefix.front());
        const dragoman::TokenViews prefixes(all);
        if (!tokens) return job->feed(std::vector<std::string_view>(texts.begin(), texts.end()), {}, prefixes);
        const auto sources = split(std::vector<std::string>(texts.begin(), texts.end()));
        return job->feed(dragoman::TokenViews(sources), {}, prefixes);
    }

    // Gives the job what has been read. It has ended: waits for another one.
    void give_due() {
        const std::lock_guard lock(feeding);
        if (!job) return;
        const std::vector<std::string> texts = due();
        if (texts.empty()) {
            const std::lock_guard inner(mutex);
            if (read_all && std::ranges::none_of(at_work, is_due)) {
                dragoman_job_finish(job->get_handle());
                job = nullptr;
                waiting = true;
            }
            return;
        }
        for (std::span<const std::string> rest = texts; !rest.empty();) {
            const std::size_t taken = give(rest);
            if (taken == 0) {  // go_on() counts them as not given
                job = nullptr;
                const std::lock_guard inner(mutex);
                waiting = true;
                return;
            }
            rest = rest.subspan(taken);
        }
    }

    void give_inputs() {
        try {
            for (;;) {
                {
                    std::unique_lock lock(mutex);
                    changed.wait(lock, [&] {
                        return closed || (!waiting && (read_all || std::ranges::any_of(at_work, is_due)));
                    });
                    if (closed) return;
                }
                give_due();
            }
        } catch (...) {
            fail();
        }
        const std::lock_guard lock(feeding);
        if (job) dragoman_job_finish(job->get_handle());
    }
};

Feed::Feed(const TranslateCommand& command, std::unique_ptr<Inputs> inputs, dragoman::Job& job)
    : state_(std::make_shared<State>()) {
    state_->inputs = std::move(inputs);
    state_->most = command.batch_size;
    state_->tokens = command.tokens;
    state_->stops = command.on_error == OnError::stop;
    state_->prefix = {split(command.prefix)};
    state_->job = last_job_ = &job;
    dragoman::os::start_detached_thread([state = state_] { state->read_inputs(); });
    dragoman::os::start_detached_thread([state = state_] { state->give_inputs(); });
}

Feed::~Feed() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->closed = true;
        state_->changed.notify_all();
    }
    dragoman_job_cancel(last_job_->get_handle());  // so that the thread does not wait for room
    const std::lock_guard lock(state_->feeding);
    state_->job = nullptr;
}

bool Feed::refused() {
    const std::lock_guard lock(state_->mutex);
    return !state_->at_work.empty() && !state_->at_work.front().refused.empty();
}

bool Feed::empty() {
    const std::lock_guard lock(state_->mutex);
    return state_->at_work.empty();
}

Feed::Input Feed::take() {
    const std::lock_guard lock(state_->mutex);
    Input first = std::move(state_->at_work.front());
    state_->at_work.pop_front();
    state_->changed.notify_all();
    return first;
}

void Feed::let_go() {
    dragoman_job_cancel(last_job_->get_handle());  // so that the thread does not wait for room
    const std::lock_guard feeding(state_->feeding);
    const std::lock_guard lock(state_->mutex);
    state_->job = nullptr;
    state_->waiting = true;
}

void Feed::go_on(dragoman::Job& job) {
    const std::lock_guard feeding(state_->feeding);
    const std::lock_guard lock(state_->mutex);
    for (Input& input : state_->at_work) input.given = false;
    state_->job = last_job_ = &job;
    state_->waiting = false;
    state_->changed.notify_all();
}

void Feed::rethrow() const {
    const std::lock_guard lock(state_->mutex);
    if (state_->failure) std::rethrow_exception(state_->failure);
}

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> tokens;
    std::string token;
    for (std::istringstream stream(text); std::getline(stream, token, ' ');) {
        if (!token.empty()) tokens.push_back(token);
    }
    return tokens;
}

std::vector<std::vector<std::string>> split(const std::vector<std::string>& texts) {
    std::vector<std::vector<std::string>> sequences;
    for (const std::string& text : texts) sequences.push_back(split(text));
    return sequences;
}

}  // namespace cli
