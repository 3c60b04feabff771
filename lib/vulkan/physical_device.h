// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "vulkan/caps.h"
#include "vulkan/instance.h"
#include "vulkan/subgroup_sizes.h"

namespace dragoman::vulkan {

// One device as the driver reports it, with the facts and features read once.
struct PhysicalDevice {
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    Caps caps;
    std::string refusal;  // why it cannot be used; empty: usable
    uint32_t queue_family = 0;
    uint32_t timestamp_bits = 0;
    std::array<uint32_t, 3> max_groups{};  // the most workgroups of one dispatch, per dimension
    std::vector<std::string> extensions;  // enabled by Device
    bool cooperative_matrix = false;
    bool memory_model = false;
    SubgroupSize subgroup, cooperative_subgroup;
    bool full_subgroups = false;         // pipelines may request full subgroups
    bool executable_properties = false;  // VK_KHR_pipeline_executable_properties
    bool conditional_rendering = false;  // VK_EXT_conditional_rendering

    bool has(const char* extension) const;
};

std::vector<PhysicalDevice> physical_devices(const Instance& instance);
// An app's device, with the features its VkDevice was made with. Throws no_device naming what is missing,
// invalid_argument.
PhysicalDevice external_physical_device(const Instance& instance, const ExternalDevice& device);

// Makes a CPU pass for a GPU, so that the kernels of GPUs can be tested without one.
void take_gpu_kernels(Caps& caps);

DeviceMemory read_device_memory(const Instance& instance, const PhysicalDevice& device);

}  // namespace dragoman::vulkan
