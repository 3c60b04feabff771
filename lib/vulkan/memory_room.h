// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/api.h"
#include "vulkan/caps.h"

namespace dragoman::vulkan {

// The memory that BufferUse::device may take (Memory::allocation_info()). Integrated GPUs have one memory, of which some
// drivers call a small part local, or none: the sum of the heaps that buffers can lie in. Other devices: the largest
// device-local heap. `budget`: what VK_EXT_memory_budget reports; null where the driver lacks it.
DeviceMemory memory_room(DeviceKind kind, const VkPhysicalDeviceMemoryProperties& memory,
                         const VkPhysicalDeviceMemoryBudgetPropertiesEXT* budget);

// Whether that memory, where it is several heaps the largest, is the host's, too, and can be mapped.
bool is_unified(DeviceKind kind, const VkPhysicalDeviceMemoryProperties& memory);

}  // namespace dragoman::vulkan
