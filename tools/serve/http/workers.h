// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace serve::http {

// Threads that run tasks in the order in which they came. Tasks throw nothing.
class Workers {
public:
    explicit Workers(std::size_t threads);
    ~Workers() { stop(); }
    void post(std::function<void()> task);  // nothing happens after stop()
    void stop();                            // runs what is waiting, and waits for it

private:
    void run();
    std::mutex mutex_;
    std::condition_variable wake_;
    std::deque<std::function<void()>> tasks_;
    bool stopping_ = false;
    std::vector<std::thread> threads_;
};

}  // namespace serve::http
