// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>

namespace dragoman::vulkan {

struct Caps;

// Whether something that is waited for has stopped making progress. Only time in which the waiting thread was awake
// counts, so a program that was stopped for an hour does not find a device hung that was stopped with it.
class Stall {
public:
    using Clock = std::chrono::steady_clock;
    Stall(std::chrono::seconds limit, uint64_t progress, Clock::time_point now = Clock::now())
        : limit_(limit), progress_(progress), looked_(now) {}

    // Call this at least once a second. True: no progress for longer than the limit.
    bool over(uint64_t progress, Clock::time_point now = Clock::now());

private:
    const Clock::duration limit_;
    uint64_t progress_;
    Clock::time_point looked_;
    Clock::duration stalled_{};
};

// After how long without progress a device counts as hung: as DRAGOMAN_HANG_SECONDS says, else by the kind of the device.
// Throws invalid_argument for a variable that is no number of seconds.
std::chrono::seconds hang_limit(const Caps& caps);

}  // namespace dragoman::vulkan
