// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "serve/problem.h"

namespace serve::work {

Problem service_ends();

// The one thread that loads models and lets go of them.
class ModelLoader {
public:
    struct Task {
        std::function<void()> run;     // throws nothing
        std::function<void()> refuse;  // instead, where the service ends before
    };
    ModelLoader();
    ~ModelLoader() { end(); }
    void post(Task task);
    // Runs it there, and waits for it; throws what it throws.
    void run_there(const std::function<void()>& what);
    void end();  // waits for what is at work, and refuses all else

private:
    void work();
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<Task> tasks_;
    bool stopping_ = false;
    std::thread thread_;
};

}  // namespace serve::work
