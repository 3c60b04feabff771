// SPDX-License-Identifier: Apache-2.0
#include "vulkan/memory_room.h"

#include <algorithm>
#include <span>

namespace dragoman::vulkan {
namespace {

std::span<const VkMemoryType> types_of(const VkPhysicalDeviceMemoryProperties& memory) {
    return {memory.memoryTypes, memory.memoryTypeCount};
}

// Buffers never get memory of the types that are only for images, protected content or debugging.
bool holds_buffers(const VkPhysicalDeviceMemoryProperties& memory, uint32_t heap) {
    constexpr VkMemoryPropertyFlags kOthers = VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT |
                                              VK_MEMORY_PROPERTY_PROTECTED_BIT |
                                              VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD;
    return std::ranges::any_of(types_of(memory), [&](const VkMemoryType& type) {
        return type.heapIndex == heap && !(type.propertyFlags & kOthers);
    });
}

bool is_used(DeviceKind kind, const VkPhysicalDeviceMemoryProperties& memory, uint32_t heap) {
    return kind == DeviceKind::integrated ? holds_buffers(memory, heap)
                                          : memory.memoryHeaps[heap].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT;
}

// VK_MAX_MEMORY_HEAPS: none.
uint32_t largest_heap(DeviceKind kind, const VkPhysicalDeviceMemoryProperties& memory) {
    uint32_t largest = VK_MAX_MEMORY_HEAPS;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < memory.memoryHeapCount; ++i)
        if (is_used(kind, memory, i) && memory.memoryHeaps[i].size > bytes)
            bytes = memory.memoryHeaps[largest = i].size;
    return largest;
}

}  // namespace

DeviceMemory memory_room(DeviceKind kind, const VkPhysicalDeviceMemoryProperties& memory,
                         const VkPhysicalDeviceMemoryBudgetPropertiesEXT* budget) {
    DeviceMemory room{.measured = budget != nullptr};
    const uint32_t largest = largest_heap(kind, memory);
    for (uint32_t i = 0; i < memory.memoryHeapCount; ++i) {
        if (kind == DeviceKind::integrated ? !is_used(kind, memory, i) : i != largest) continue;
        room.heap_bytes += memory.memoryHeaps[i].size;
        room.budget_bytes += budget ? budget->heapBudget[i] : memory.memoryHeaps[i].size;
        room.used_bytes += budget ? budget->heapUsage[i] : 0;
    }
    return room;
}

bool is_unified(DeviceKind kind, const VkPhysicalDeviceMemoryProperties& memory) {
    if (kind == DeviceKind::discrete) return false;  // mapped or not, it lies behind a bus
    VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT;
    if (kind != DeviceKind::integrated) wanted |= VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
    const uint32_t largest = largest_heap(kind, memory);
    return std::ranges::any_of(types_of(memory), [&](const VkMemoryType& type) {
        return type.heapIndex == largest && (type.propertyFlags & wanted) == wanted;
    });
}

}  // namespace dragoman::vulkan
