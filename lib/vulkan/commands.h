// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "vulkan/device.h"

namespace dragoman::vulkan {

// A command buffer in a pool of its own, so that threads record in parallel. One thread at a time may use it.
class Commands {
public:
    Commands(const Device& device, std::string_view name);
    ~Commands();  // the device must have finished with them
    Commands(const Commands&) = delete;

    VkCommandBuffer handle() const { return handle_; }
    void begin(VkCommandBufferUsageFlags usage);  // drops everything recorded before
    void end();

private:
    const Device& device_;
    VkCommandPool pool_ = VK_NULL_HANDLE;
    VkCommandBuffer handle_ = VK_NULL_HANDLE;  // freed with its pool
};

}  // namespace dragoman::vulkan
