// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <utility>

#include "base/background.h"
#include "vulkan/context.h"
#include "vulkan/memory.h"
#include "vulkan/pass_timing.h"
#include "vulkan/pipeline_cache.h"
#include "vulkan/pipelines.h"
#include "vulkan/spills.h"
#include "vulkan/staging.h"
#include "vulkan/timeline.h"
#include "vulkan/tuning.h"
#include "vulkan/check_results.h"

namespace dragoman::vulkan {

struct Context::Impl {
    Impl(std::shared_ptr<Instance> instance, const PhysicalDevice& physical, const ContextOptions& options);
    Impl(std::shared_ptr<Instance> instance, const PhysicalDevice& physical, const ExternalDevice& external,
         const ContextOptions& options);

    // Destroys it once nothing submitted or staged so far needs it any more.
    void bury(std::unique_ptr<Timeline::Buried> buried) noexcept;

    const ContextOptions options;  // it was opened with these
    // Members are in order of construction: the last one is destroyed first.
    Device device;
    Memory memory;
    PipelineCache cache;
    Pipelines pipelines;
    Spills spills;
    Tuning tuning;
    CheckResults check_results;
    Background background;
    Timeline timeline;
    Staging staging;
    PassTimes pass_times;
    const bool profiling, dispatch_times;
    const TuningMode tuning_mode;
    const double tuning_seconds;
    Impl* left_before = nullptr;  // where this one is left to a device that hangs
    std::mutex profiling_mutex;
    std::atomic<uint64_t> dispatches = 0;
    std::function<void(const KernelUse&)> on_dispatch;  // for recorded dispatches, except those of checks

private:
    template <class... DeviceArguments>
    Impl(std::in_place_t, const ContextOptions& options, DeviceArguments&&... arguments);
};

}  // namespace dragoman::vulkan
