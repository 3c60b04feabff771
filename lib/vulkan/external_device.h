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
    uint32_t api_version = 0;                // VkApplicationInfo::apiVersion of it
    void* physical_device = nullptr;         // VkPhysicalDevice
    void* device = nullptr;                  // VkDevice
    uint32_t queue_family = 0, queue_index = 0;  // a queue with compute
    std::vector<std::string> extensions;     // that the device was made with
    const void* features = nullptr;          // VkPhysicalDeviceFeatures2 and chain it was made with; read once
    // Called around every use of the queue, from any thread, never nested. Both, or neither if the queue is ours alone.
    std::function<void()> lock, unlock;
};

// What a VkDevice should be made with so that nothing is slower than on a device of our own. A device with less works
// too, unless it lacks what adopt() names.
struct WantedDevice {
    std::vector<std::string> extensions;
    std::shared_ptr<const void> features;  // VkPhysicalDeviceFeatures2 with its chain
};

// Of the external device, get_instance_proc_addr, instance, api_version and physical_device are read. Throws no_device
// where it cannot be used at all.
WantedDevice wanted_device(const ExternalDevice& device);

}  // namespace dragoman::vulkan
