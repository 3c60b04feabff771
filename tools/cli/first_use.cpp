// SPDX-License-Identifier: Apache-2.0
#include "first_use.h"

#include <chrono>
#include <cstdio>
#include <string_view>

#include "base/os/terminal.h"

namespace cli {

FirstUse::FirstUse(bool wanted) {
    if (!wanted || !dragoman::os::is_terminal(stderr)) return;
    logger_.emplace([this](int32_t, const char* line) { see(line); }, DRAGOMAN_LOG_DEBUG);
    thread_ = std::thread([this] { wait(); });
}

FirstUse::~FirstUse() {
    if (!thread_.joinable()) return;
    logger_.reset();
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    end_.notify_one();
    thread_.join();
}

void FirstUse::wait() {
    std::unique_lock lock(mutex_);
    end_.wait_for(lock, std::chrono::seconds(1), [this] { return ended_; });
    if (ended_) return;
    late_ = true;
    say_once();
}

void FirstUse::see(const char* line) {
    if (!std::string_view(line).ends_with(" is new on this device")) return;  // what is compiled ahead says so
    const std::lock_guard lock(mutex_);
    seen_ = true;
    say_once();
}

void FirstUse::say_once() {
    if (!seen_ || !late_ || said_) return;
    said_ = true;
    std::fputs("dragoman: compiling kernels for this device; later translations start at once\n", stderr);
}

}  // namespace cli
