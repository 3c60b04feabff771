// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace serve::work {

// One thread for what waits: vectors and scores for the device, registries for the network. The threads of the service
// stay free for others meanwhile.
class Worker {
public:
    explicit Worker(std::size_t most_waiting = 64) : most_waiting_(most_waiting), thread_([this] { run(); }) {}
    ~Worker();  // what has not begun is dropped
    // Throws Problem (busy) beyond `most_waiting`. The work throws nothing.
    void post(std::function<void()> work);

private:
    void run();
    const std::size_t most_waiting_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<std::function<void()>> waiting_;
    bool ends_ = false;
    std::thread thread_;
};

}  // namespace serve::work
