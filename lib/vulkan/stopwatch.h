// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "vulkan/commands.h"

namespace dragoman::vulkan {

// Commands that note the device's time, to be submitted before and after others. It must live until they have run.
class Stopwatch {
public:
    explicit Stopwatch(const Device& device);
    ~Stopwatch();
    Stopwatch(const Stopwatch&) = delete;

    VkCommandBuffer start() const { return start_.handle(); }
    VkCommandBuffer stop() const { return stop_.handle(); }
    std::optional<double> seconds() const;  // after both have run; nullopt on devices without timestamps

private:
    const Device& device_;
    Commands start_, stop_;
    VkQueryPool pool_ = VK_NULL_HANDLE;
};

}  // namespace dragoman::vulkan
