// SPDX-License-Identifier: Apache-2.0
#include "base/background.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/log.h"

namespace dragoman {
namespace {

// A program may end without closing what it opened. No thread may then be inside a driver that is being unloaded.
class AtExit {
public:
    static AtExit& get() {
        static AtExit& all = *new AtExit;  // outlives every other object
        return all;
    }
    void add(Background* background) {
        const std::lock_guard lock(mutex_);
        all_.insert(background);
    }
    void remove(Background* background) {
        const std::lock_guard lock(mutex_);
        all_.erase(background);
    }

private:
    AtExit() {
        std::atexit([] {
            const std::lock_guard lock(get().mutex_);
            for (Background* background : get().all_) background->stop();
        });
    }
    std::mutex mutex_;
    std::set<Background*> all_;
};

}  // namespace

Background::~Background() {
    AtExit::get().remove(this);
    stop();
}

void Background::start() {
    AtExit::get().add(this);
    const std::lock_guard lock(mutex_);
    started_ = true;
}

void Background::stop() {
    {
        const std::lock_guard lock(mutex_);
        started_ = false;
        urgent_.clear();
        pieces_.clear();
        stop_ = true;
    }
    changed_.notify_all();
    if (thread_.joinable()) thread_.join();
}

bool Background::started() const {
    const std::lock_guard lock(mutex_);
    return started_;
}

void Background::enqueue(std::deque<Piece>& queue, Piece piece) {
    {
        const std::lock_guard lock(mutex_);
        if (!started_) return;
        queue.push_back(std::move(piece));
        if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
    }
    changed_.notify_all();
}

void Background::add(const void* owner, Work work) { enqueue(pieces_, {owner, std::move(work)}); }

void Background::add_urgent(const void* owner, Work work) { enqueue(urgent_, {owner, std::move(work)}); }

void Background::forget(const void* owner) {
    std::unique_lock lock(mutex_);
    for (std::deque<Piece>* queue : {&urgent_, &pieces_})
        std::erase_if(*queue, [&](const Piece& piece) { return piece.owner == owner; });
    const auto runs = [&] { return std::ranges::find(running_, owner) != running_.end(); };
    if (!runs()) return;
    stop_ = true;
    changed_.wait(lock, [&] { return !runs(); });
}

void Background::wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return urgent_.empty() && pieces_.empty() && running_.empty(); });
}

void Background::do_urgent() {
    std::unique_lock lock(mutex_);
    while (!urgent_.empty() && !stop_) run(urgent_, lock);
}

// Runs the first piece of the queue.
void Background::run(std::deque<Piece>& queue, std::unique_lock<std::mutex>& lock) {
    Piece piece = std::move(queue.front());
    queue.pop_front();
    running_.push_back(piece.owner);
    lock.unlock();
    try {
        piece.work(stop_);
    } catch (const std::exception& error) {
        log(LogLevel::debug, "work in the background ended: {}", error.what());
    }
    piece.work = nullptr;
    lock.lock();
    running_.pop_back();
    changed_.notify_all();
}

void Background::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return !started_ || !urgent_.empty() || !pieces_.empty(); });
        if (!started_) return;
        stop_ = false;
        run(urgent_.empty() ? pieces_ : urgent_, lock);
    }
}

}  // namespace dragoman
