// SPDX-License-Identifier: Apache-2.0
#include "feed.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <span>
#include <sstream>
#include <thread>
#include <utility>

namespace cli {
namespace {

constexpr std::size_t kInputs = 64, kBytes = 1 << 16;  // that a file gives at a time

}  // namespace

struct Feed::State {
    std::unique_ptr<Inputs> inputs;
    std::size_t most = 1;  // at work at a time
    bool tokens = false;
    std::vector<std::vector<std::string>> prefix;
    std::atomic<double> fraction = 0;

    std::mutex feeding;
    dragoman::Job* job = nullptr;  // nullptr: no more inputs are wanted

    std::mutex mutex;  // for all below
    std::condition_variable changed;
    std::deque<std::string> at_work;
    std::exception_ptr failure;
    bool closed = false;

    std::vector<std::string> read() {
        std::vector<std::string> group;
        const std::size_t count = inputs->may_be_slow() ? 1 : std::min(kInputs, most);
        std::size_t bytes = 0;
        std::string input;
        try {
            while (group.size() < count && bytes < kBytes && inputs->next(input)) {
                bytes += input.size();
                group.push_back(std::move(input));
            }
        } catch (const BadInput&) {  // what came before is not lost
            fail();
        }
        fraction = inputs->fraction();
        return group;
    }

    void fail() {
        const std::lock_guard lock(mutex);
        failure = std::current_exception();
    }

    bool failed() {
        const std::lock_guard lock(mutex);
        return failure != nullptr;
    }

    bool start(const std::vector<std::string>& group) {  // false: no more inputs are wanted
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return closed || at_work.empty() || at_work.size() + group.size() <= most; });
        at_work.insert(at_work.end(), group.begin(), group.end());
        return !closed;
    }

    bool give(std::span<const std::string> group) {  // false: the job has ended
        while (!group.empty()) {
            const std::lock_guard lock(feeding);
            if (!job) return false;
            const std::vector<std::vector<std::string>> all(prefix.front().empty() ? 0 : group.size(), prefix.front());
            const dragoman::TokenViews prefixes(all);
            std::size_t taken = 0;
            if (tokens) {
                const auto sources = split(std::vector<std::string>(group.begin(), group.end()));
                taken = job->feed(dragoman::TokenViews(sources), {}, prefixes);
            } else {
                taken = job->feed(std::vector<std::string_view>(group.begin(), group.end()), {}, prefixes);
            }
            if (taken == 0) return false;
            group = group.subspan(taken);
        }
        return true;
    }

    void run() {
        try {
            for (bool more = true; more && !failed();) {
                const std::vector<std::string> group = read();
                more = !group.empty() && start(group) && give(group);
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
    state_->prefix = {split(command.prefix)};
    state_->job = &job;
    std::thread([state = state_] { state->run(); }).detach();
}

Feed::~Feed() {
    {
        const std::lock_guard lock(state_->mutex);
        state_->closed = true;
        state_->changed.notify_all();
    }
    dragoman_job_cancel(state_->job->get_handle());  // so that the thread does not wait for room
    const std::lock_guard lock(state_->feeding);
    state_->job = nullptr;
}

std::vector<std::string> Feed::done(std::size_t count) {
    const std::lock_guard lock(state_->mutex);
    std::vector<std::string> inputs;
    for (; inputs.size() < count; state_->at_work.pop_front()) inputs.push_back(std::move(state_->at_work.front()));
    state_->changed.notify_all();
    return inputs;
}

void Feed::rethrow() const {
    const std::lock_guard lock(state_->mutex);
    if (state_->failure) std::rethrow_exception(state_->failure);
}

double Feed::fraction() const { return state_->fraction; }

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
