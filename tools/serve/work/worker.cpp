// SPDX-License-Identifier: Apache-2.0
#include "serve/work/worker.h"

#include <utility>

#include "serve/problem.h"

namespace serve::work {

Worker::~Worker() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Worker::post(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() >= most_waiting_)
        throw Problem(Problem::Kind::busy, "too many requests of this kind wait already", "", 1);
    waiting_.push_back(std::move(work));
    changed_.notify_one();  // with the lock: the work itself may be what somebody waits for who then ends the worker
}

void Worker::run() {
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [this] { return ends_ || !waiting_.empty(); });
        if (ends_) return;
        auto work = std::move(waiting_.front());
        waiting_.pop_front();
        lock.unlock();
        work();
        work = nullptr;
        lock.lock();
    }
}

}  // namespace serve::work
