// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <ctime>
#include <thread>

#include "vulkan/context.h"

namespace dragoman::bench {

// On a CPU device, processor time divided by its worker threads: elapsed time would include other programs.
inline double clock_seconds(const vulkan::Caps& caps) {
    if (caps.is_cpu()) return double(std::clock()) / CLOCKS_PER_SEC / std::max(1u, std::thread::hardware_concurrency());
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Seconds of one replay of what `record` records: the best of several rounds, each long enough to make the submission
// negligible.
template <class F>
double replay_seconds(vulkan::Context& context, F&& record) {
    constexpr double kRoundSeconds = 0.05;
    vulkan::Recorder recorder(context.shared_from_this());
    record(recorder);
    const auto list = recorder.finish();
    const auto round = [&](uint32_t times) {
        const double start = clock_seconds(context.caps());
        context.wait(context.submit(*list, times));
        return (clock_seconds(context.caps()) - start) / times;
    };
    round(1);  // compiles pipelines where the driver puts that off
    const auto times = static_cast<uint32_t>(std::clamp(kRoundSeconds / std::max(round(1), 1e-6), 1.0, 2000.0));
    double best = round(times);
    for (int i = 0; i < 4; ++i) best = std::min(best, round(times));
    return best;
}

}  // namespace dragoman::bench
