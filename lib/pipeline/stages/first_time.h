// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>

namespace dragoman::pipeline {

// True for the first caller, from any thread: a run warns once.
class FirstTime {
public:
    bool operator()() const { return !asked_.exchange(true, std::memory_order_relaxed); }

private:
    mutable std::atomic<bool> asked_ = false;
};

}  // namespace dragoman::pipeline
