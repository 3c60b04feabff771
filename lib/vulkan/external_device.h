// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace dragoman::vulkan {

// A VkDevice that somebody else made and owns. Handles are Vulkan's dispatchable ones, which are pointers.
struct ExternalDevice {
    void* get_instance_proc_addr = nullptr;  // PFN_vkGetInstanceProcAddr of the instance; null: the system's loader
    void* instance = nullptr;                // VkInstance
    uint32_t api_version = 0;                // the instance's VkApplicationInfo::apiVersion
    void* physical_device = nullptr;         // VkPhysicalDevice
    void* device = nullptr;                  // VkDevice
    uint32_t queue_family = 0, queue_index = 0;  // a queue that can compute
    std::vector<std::string> extensions;     // enabled when the device was made
    const void* features = nullptr;  // VkPhysicalDeviceFeatures2 and chain that the device was made with; read once
    // Called around every use of the queue, from any thread, never nested. Set both, or neither if nobody else uses the
    // queue.
    std::function<void()> lock, unlock;
};

// Extensions and features that a VkDevice should be made with so that nothing is slower than on a device of our own. A
// device with fewer works too, unless it lacks what adopt() names.
struct WantedDevice {
    std::vector<std::string> extensions;
    std::shared_ptr<const void> features;  // VkPhysicalDeviceFeatures2 with its chain
};

// Reads get_instance_proc_addr, instance, api_version and physical_device of the external device. Throws no_device
// where it cannot be used at all.
WantedDevice wanted_device(const ExternalDevice& device);

}  // namespace dragoman::vulkan
