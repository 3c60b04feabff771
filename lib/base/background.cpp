// SPDX-License-Identifier: Apache-2.0
#include "base/background.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "base/log.h"
#include "base/os/thread.h"
#include "base/per_process.h"

namespace dragoman {
namespace {

constexpr std::size_t kMostRunning = 8;  // a piece, and the urgent ones that run inside it

// A program may end without closing what it opened. No thread may then be inside a driver that is being taken down. A
// driver loads its compiler when it first needs it, maybe within a piece of this work, and with it come exit handlers.
// These run before all that were registered earlier, so one registration at the start would be too early:
// - what the main thread leaves behind goes before any exit handler runs, so the work ends there when main() returns;
// - for programs that end on another thread, every piece of work registers the handler again, after whatever earlier
//   pieces have loaded. Drivers load little later on, so there is an end to it.
class AtExit {
public:
    static AtExit& get() {
        static auto& all = *new PerProcess<AtExit>;  // outlives every other object
        return all.get();
    }
    void add(Background* background) {
        {
            const std::lock_guard lock(mutex_);
            all_.insert(background);
        }
        come_first();
    }
    void remove(Background* background) {
        std::unique_lock lock(mutex_);
        stopped_.wait(lock, [&] { return stopping_ != background; });
        all_.erase(background);
    }
    // Called where work comes from: if this is the main thread, the work ends with it.
    static void watch_this_thread() { thread_local const MainThreadEnd end; }
    // Takes no lock: a piece may begin while stop_all() waits for it.
    void come_first() {
        constexpr int kMost = 64;
        if (registered_.fetch_add(1, std::memory_order_relaxed) < kMost) std::atexit([] { get().stop_all(); });
        else registered_.store(kMost, std::memory_order_relaxed);
    }

private:
    struct MainThreadEnd {
        ~MainThreadEnd() {
            if (os::is_main_thread()) get().stop_all();
        }
    };
    // Work that is waited for may add and remove others meanwhile: a device that is being opened again has its own.
    void stop_all() {
        std::unique_lock lock(mutex_);
        stopped_.wait(lock, [&] { return !stopping_; });
        for (std::set<Background*> done;;) {
            const auto next = std::ranges::find_if(all_, [&](Background* one) { return !done.contains(one); });
            if (next == all_.end()) return;
            done.insert(stopping_ = *next);
            lock.unlock();
            stopping_->stop();
            lock.lock();
            stopping_ = nullptr;
            stopped_.notify_all();
        }
    }
    std::mutex mutex_;
    std::condition_variable stopped_;
    Background* stopping_ = nullptr;
    std::set<Background*> all_;
    std::atomic<int> registered_ = 0;
};

}  // namespace

Background::~Background() {
    AtExit::get().remove(this);
    stop();
}

void Background::start() {
    AtExit::get().add(this);
    AtExit::watch_this_thread();
    const std::lock_guard lock(mutex_);
    running_.reserve(kMostRunning);
    started_ = true;
}

// The end of the program and an owner may stop it at the same time: one of them waits for the thread, the other for it.
void Background::stop() {
    std::unique_lock lock(mutex_);
    started_ = false;
    urgent_.clear();
    pieces_.clear();
    stop_ = true;
    changed_.notify_all();
    if (!thread_.joinable()) return changed_.wait(lock, [&] { return !joining_; });
    std::thread thread = std::move(thread_);
    joining_ = true;
    lock.unlock();
    thread.join();
    lock.lock();
    joining_ = false;
    changed_.notify_all();
}

bool Background::started() const {
    const std::lock_guard lock(mutex_);
    return started_;
}

bool Background::enqueue(std::deque<Piece>& queue, Piece piece) noexcept {
    AtExit::watch_this_thread();
    try {
        const std::lock_guard lock(mutex_);
        if (!started_) return false;
        if (!thread_.joinable()) thread_ = os::start_worker_thread([this] { run(); });
        queue.push_back(std::move(piece));
    } catch (const std::exception& error) {
        log(LogLevel::debug, "work in the background is dropped: {}", error.what());
        return false;
    }
    changed_.notify_all();
    return true;
}

bool Background::add(const void* owner, Work work) noexcept { return enqueue(pieces_, {owner, std::move(work)}); }

bool Background::add_urgent(const void* owner, Work work) noexcept {
    return enqueue(urgent_, {owner, std::move(work)});
}

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
    AtExit::get().come_first();
    try {
        piece.work(stop_);
    } catch (const std::exception& error) {
        log(LogLevel::debug, "work in the background ended: {}", error.what());
    } catch (...) {
        log(LogLevel::debug, "work in the background ended");
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
