// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "vulkan/commands.h"

namespace dragoman::vulkan {

// Commands that note the device's time, to be submitted before and after others. It must live until they have run.
class Stopwatch {
public:
    explicit Stopwatch(const Device& device);
    Stopwatch(const Stopwatch&) = delete;

    VkCommandBuffer start() const { return start_.handle(); }
    VkCommandBuffer stop() const { return stop_.handle(); }
    std::optional<double> seconds() const;  // after both have run; nullopt on devices without timestamps

private:
    struct Queries {
        explicit Queries(const Device& owner);
        ~Queries() { device->vkDestroyQueryPool(device.handle(), pool, nullptr); }
        const Device& device;
        VkQueryPool pool = VK_NULL_HANDLE;  // none on devices without timestamps
    };

    const Device& device_;
    Commands start_, stop_;
    Queries queries_;
};

}  // namespace dragoman::vulkan
