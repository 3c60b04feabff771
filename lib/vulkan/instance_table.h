// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/api.h"

namespace dragoman::vulkan {

// Functions of one instance. Volk's global ones stay empty: an app's instance may come from another loader than ours.
struct InstanceTable {
    PFN_vkGetInstanceProcAddr vkGetInstanceProcAddr = nullptr;
#define DRAGOMAN_INSTANCE_FUNCTIONS(each)                                                             \
    each(vkCreateDevice) each(vkDestroyInstance) each(vkEnumerateDeviceExtensionProperties)           \
        each(vkEnumeratePhysicalDevices) each(vkGetDeviceProcAddr) each(vkGetPhysicalDeviceFeatures2) \
            each(vkGetPhysicalDeviceMemoryProperties) each(vkGetPhysicalDeviceMemoryProperties2)      \
                each(vkGetPhysicalDeviceProperties) each(vkGetPhysicalDeviceProperties2)              \
                    each(vkGetPhysicalDeviceQueueFamilyProperties)
#define DRAGOMAN_DECLARE(name) PFN_##name name = nullptr;
    DRAGOMAN_INSTANCE_FUNCTIONS(DRAGOMAN_DECLARE)
#undef DRAGOMAN_DECLARE

    void load(PFN_vkGetInstanceProcAddr get, VkInstance instance) {
        vkGetInstanceProcAddr = get;
#define DRAGOMAN_LOAD(name) name = reinterpret_cast<PFN_##name>(get(instance, #name));
        DRAGOMAN_INSTANCE_FUNCTIONS(DRAGOMAN_LOAD)
#undef DRAGOMAN_LOAD
    }
};

}  // namespace dragoman::vulkan
