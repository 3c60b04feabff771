// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace dragoman {

// A thread for work that nobody waits for, one piece after the other. What a piece throws is logged and forgotten. Safe
// from any thread.
class Background {
public:
    // Set while a piece runs: it should end soon.
    using Stop = std::atomic<bool>;
    using Work = std::function<void(const Stop&)>;

    ~Background();
    Background() = default;
    Background(const Background&) = delete;

    // Before start() and after stop() what is added is dropped.
    void start();
    void stop();  // drops what waits and ends what runs
    bool started() const;
    // `owner`: what the work uses, for forget(). Urgent work goes first.
    void add(const void* owner, Work work);
    void add_urgent(const void* owner, Work work);
    // For long work, now and then: does what is urgent.
    void do_urgent();
    // Drops what is the owner's; when this returns, none of it runs.
    void forget(const void* owner);
    void wait();  // until there is nothing to do

private:
    struct Piece {
        const void* owner;
        Work work;
    };
    void enqueue(std::deque<Piece>& queue, Piece piece);
    void run();
    void run(std::deque<Piece>& queue, std::unique_lock<std::mutex>& lock);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Piece> urgent_, pieces_;
    std::vector<const void*> running_;  // owners of what runs, urgent work within other work last
    bool started_ = false;
    Stop stop_ = false;  // both what runs and what it runs in
    std::thread thread_;  // with the first piece
};

}  // namespace dragoman
