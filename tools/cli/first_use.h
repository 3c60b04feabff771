// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <thread>

#include <dragoman/dragoman.hpp>

namespace cli {

// Says on a terminal why a first translation takes long: it waits for kernels that are compiled. It does so after a
// second, and not at all where they are compiled sooner, or were before; nor for what is compiled or measured ahead, which
// goes on when the program starts again.
class FirstUse {
public:
    explicit FirstUse(bool wanted);
    ~FirstUse();
    FirstUse(const FirstUse&) = delete;

private:
    void wait();
    void see(const char* line);
    void say_once();

    std::mutex mutex_;
    std::condition_variable end_;
    bool seen_ = false, late_ = false, said_ = false, ended_ = false;
    std::optional<dragoman::Logger> logger_;
    std::thread thread_;
};

}  // namespace cli
