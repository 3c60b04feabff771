// SPDX-License-Identifier: Apache-2.0
#include "feed.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace cli {
namespace {

constexpr std::size_t kMostBytes = 1 << 20;

}  // namespace

struct Feed::State {
    std::unique_ptr<Lines> lines;  // the thread's own
    bool join, is_file;
    std::size_t ahead;

    std::mutex mutex;
    std::condition_variable changed;
    std::deque<std::string> waiting;
    std::size_t waiting_bytes = 0;
    std::exception_ptr failure;
    double fraction = 0;
    bool ended = false;   // nothing is added any more
    bool closed = false;  // nobody wants more
    bool woken = false;

    bool full() const { return waiting.size() >= ahead || waiting_bytes >= kMostBytes; }
    bool ready(std::size_t wanted) const {
        return wanted > 0 && !waiting.empty() && (!is_file || ended || full() || waiting.size() >= wanted);
    }

    bool add(std::string&& input) {  // false: stop
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return closed || !full(); });
        waiting_bytes += input.size();
        waiting.push_back(std::move(input));
        fraction = lines->fraction();
        changed.notify_all();
        return !closed;
    }

    void read() {
        std::string paragraph;
        const auto end_paragraph = [&] { return paragraph.empty() || add(std::exchange(paragraph, {})); };
        try {
            for (std::string line; lines->next(line);) {
                if (join && line.find_first_not_of(" \t\v\f") != std::string::npos) {
                    if (!paragraph.empty()) paragraph += '\n';
                    paragraph += line;
                } else if (!end_paragraph() || !add(std::move(line))) {
                    return;
                }
            }
        } catch (...) {  // what came before is not lost
            const std::lock_guard lock(mutex);
            failure = std::current_exception();
        }
        end_paragraph();
        const std::lock_guard lock(mutex);
        ended = woken = true;
        changed.notify_all();
    }
};

Feed::Feed(std::unique_ptr<Lines> lines, bool join, std::size_t ahead) : state_(std::make_shared<State>()) {
    state_->is_file = !lines->may_be_slow();
    state_->lines = std::move(lines);
    state_->join = join;
    state_->ahead = ahead;
    std::thread([state = state_] { state->read(); }).detach();
}

Feed::~Feed() {
    const std::lock_guard lock(state_->mutex);
    state_->closed = true;
    state_->changed.notify_all();
}

std::vector<std::string> Feed::take(std::size_t most, std::size_t most_bytes) {
    std::vector<std::string> taken;
    const std::lock_guard lock(state_->mutex);
    std::deque<std::string>& waiting = state_->waiting;
    if (!state_->ready(most)) return taken;
    for (std::size_t bytes = 0; !waiting.empty() && taken.size() < most; waiting.pop_front()) {
        bytes += waiting.front().size();
        if (bytes > most_bytes && !taken.empty()) break;
        state_->waiting_bytes -= waiting.front().size();
        taken.push_back(std::move(waiting.front()));
    }
    state_->changed.notify_all();
    return taken;
}

void Feed::wait(std::size_t wanted) {
    std::unique_lock lock(state_->mutex);
    state_->changed.wait_for(lock, std::chrono::milliseconds(100),
                             [&] { return state_->woken || state_->ready(wanted); });
    state_->woken = false;
}

void Feed::wake() {
    const std::lock_guard lock(state_->mutex);
    state_->woken = true;
    state_->changed.notify_all();
}

bool Feed::over() const {
    const std::lock_guard lock(state_->mutex);
    return state_->ended && state_->waiting.empty();
}

void Feed::rethrow() const {
    const std::lock_guard lock(state_->mutex);
    if (state_->failure) std::rethrow_exception(state_->failure);
}

double Feed::fraction() const {
    const std::lock_guard lock(state_->mutex);
    return state_->fraction;
}

}  // namespace cli
