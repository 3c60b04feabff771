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

// A thread for work that nobody waits for, one piece after the other. Exceptions of a piece are logged and dropped.
// Safe from any thread.
class Background {
public:
    // Set while a piece runs: it should end soon.
    using Stop = std::atomic<bool>;
    using Work = std::function<void(const Stop&)>;

    ~Background();
    Background() = default;
    Background(const Background&) = delete;

    // Work added before start() and after stop() is dropped.
    void start();
    void stop();  // drops waiting pieces and ends the running one
    bool started() const;
    // `owner` is what the work uses, for forget(). Urgent work goes first.
    // Where there is no memory or no thread for it, or no start() before it, work is dropped: false.
    bool add(const void* owner, Work work) noexcept;
    bool add_urgent(const void* owner, Work work) noexcept;
    // Long work calls this now and then: it runs the urgent pieces that wait.
    void do_urgent();
    // Drops the owner's pieces; when this returns, none of them runs.
    void forget(const void* owner);
    void wait();  // until nothing is left to do

private:
    struct Piece {
        const void* owner;
        Work work;
    };
    bool enqueue(std::deque<Piece>& queue, Piece piece) noexcept;
    void run();
    void run(std::deque<Piece>& queue, std::unique_lock<std::mutex>& lock);

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Piece> urgent_, pieces_;
    std::vector<const void*> running_;  // owners of the running pieces; urgent work inside other work comes last
    bool started_ = false;
    Stop stop_ = false;  // for the running piece and for the one that it interrupted
    std::thread thread_;  // started with the first piece
    bool joining_ = false;  // stop() waits for the thread's end
};

}  // namespace dragoman
