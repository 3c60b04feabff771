// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

#include "base/os/fork.h"

namespace dragoman {

// A static object of which each process has its own. The child of a fork gets a new one at the first use, and leaves
// its parent's alone: a thread that only the parent has may have held a lock in it. Never destroyed; safe from any
// thread.
template <class T>
class PerProcess {
public:
    PerProcess() = default;
    PerProcess(const PerProcess&) = delete;

    T& get() {
        const uint32_t now = os::forks();
        if (now == forks_) return first_;
        Later* at = later_.load(std::memory_order_acquire);
        while (!at || at->forks != now) {
            auto* const made = new Later{.forks = now};
            if (later_.compare_exchange_strong(at, made, std::memory_order_acq_rel)) return made->value;
            delete made;
        }
        return at->value;
    }

private:
    struct Later {
        uint32_t forks;
        T value{};
    };
    const uint32_t forks_ = os::forks();
    T first_{};
    std::atomic<Later*> later_ = nullptr;
};

}  // namespace dragoman
