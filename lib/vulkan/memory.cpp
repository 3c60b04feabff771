// SPDX-License-Identifier: Apache-2.0
#include "vulkan/memory.h"

#include <array>

#include "base/error.h"
#include "vulkan/buffer.h"
#include "vulkan/result.h"
#include "vulkan/texel_buffers.h"

namespace dragoman::vulkan {
namespace {

constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
                                        VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;

bool counted(MemoryUse use) { return use != MemoryUse::upload && use != MemoryUse::readback; }

}  // namespace

VmaAllocationCreateInfo Memory::allocation_info(MemoryUse use) const {
    VmaAllocationCreateInfo info{};
    info.usage = VMA_MEMORY_USAGE_AUTO;
    if (use == MemoryUse::device) {
        const DeviceKind kind = device_.caps().kind;
        // A full heap must be an error, which makes room: otherwise buffers that are read at every step would silently
        // go to the host's memory, behind a bus. Integrated GPUs have one memory, of which some drivers call a small
        // part local.
        if (kind == DeviceKind::integrated) info.preferredFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
        else info.requiredFlags = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
        // Drivers move memory beyond the budget, and it is slow from then on.
        if (kind == DeviceKind::discrete && device_.physical().has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME))
            info.flags = VMA_ALLOCATION_CREATE_WITHIN_BUDGET_BIT;
        return info;
    }
    const bool host_reads = use == MemoryUse::readback || use == MemoryUse::progress;
    info.flags = VMA_ALLOCATION_CREATE_MAPPED_BIT;
    info.flags |= host_reads ? VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT
                             : VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT;
    // This memory is polled and written without flushes.
    info.requiredFlags = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    if (use == MemoryUse::upload || use == MemoryUse::progress) info.usage = VMA_MEMORY_USAGE_AUTO_PREFER_HOST;
    return info;
}

Memory::Memory(const Device& device, const MemoryLimits& limits) : device_(device), limits_(limits) {
    VmaVulkanFunctions functions{};
    functions.vkGetInstanceProcAddr = device.instance()->vkGetInstanceProcAddr;
    functions.vkGetDeviceProcAddr = device.instance()->vkGetDeviceProcAddr;
    VmaAllocatorCreateInfo info{};
    info.instance = device.instance().handle();
    info.physicalDevice = device.physical().handle;
    info.device = device.handle();
    info.pVulkanFunctions = &functions;
    info.vulkanApiVersion = VK_API_VERSION_1_2;
    info.preferredLargeHeapBlockSize = 64u << 20;
    if (device.physical().has(VK_EXT_MEMORY_BUDGET_EXTENSION_NAME))
        info.flags |= VMA_ALLOCATOR_CREATE_EXT_MEMORY_BUDGET_BIT;
    std::array<VkDeviceSize, VK_MAX_MEMORY_HEAPS> heaps;
    heaps.fill(VK_WHOLE_SIZE);
    if (limits.heap_bytes) {
        VkPhysicalDeviceMemoryProperties properties;
        device.instance()->vkGetPhysicalDeviceMemoryProperties(device.physical().handle, &properties);
        for (uint32_t i = 0; i < properties.memoryHeapCount; ++i)
            if (properties.memoryHeaps[i].flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) heaps[i] = limits.heap_bytes;
        info.pHeapSizeLimit = heaps.data();
    }
    vk_check(vmaCreateAllocator(&info, &allocator_), "vmaCreateAllocator");
}

Memory::~Memory() { vmaDestroyAllocator(allocator_); }

bool Memory::reserve(uint64_t bytes) {
    const uint64_t limit = limits_.held_bytes;
    uint64_t held = held_;
    do {
        if (limit && (bytes > limit || held > limit - bytes)) return false;
    } while (!held_.compare_exchange_weak(held, held + bytes));
    return true;
}

void Memory::note_peak() {
    const uint64_t held = held_;
    uint64_t peak = peak_;
    while (peak < held && !peak_.compare_exchange_weak(peak, held)) {}
}

Allocation Memory::allocate(uint64_t size_bytes, MemoryUse use, const std::string& name,
                            const std::function<void()>& make_room) {
    VkBufferCreateInfo buffer_info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    buffer_info.size = whole_quads(size_bytes);
    buffer_info.usage = kStorage;
    if (device_.caps().max_texels) {
        buffer_info.size = texel_buffer_bytes(buffer_info.size);
        buffer_info.usage |= VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    }
    if (device_.physical().conditional_rendering) buffer_info.usage |= VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT;
    if (use == MemoryUse::upload) buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT;
    if (use == MemoryUse::readback) buffer_info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    const VmaAllocationCreateInfo info = allocation_info(use);
    const uint64_t counted_bytes = counted(use) ? size_bytes : 0;
    for (bool last_try = false;; last_try = true) {
        const bool fits = reserve(counted_bytes);
        if (fits) {
            Allocation allocation{.held_bytes = counted_bytes};
            VmaAllocationInfo details{};
            const VkResult result = vmaCreateBuffer(allocator_, &buffer_info, &info, &allocation.buffer,
                                                    &allocation.memory, &details);
            if (result == VK_SUCCESS) {
                note_peak();
                allocation.mapped = details.pMappedData;
                device_.set_name(VK_OBJECT_TYPE_BUFFER, allocation.buffer, name);
                return allocation;
            }
            held_ -= counted_bytes;
            if (result != VK_ERROR_OUT_OF_DEVICE_MEMORY && result != VK_ERROR_OUT_OF_HOST_MEMORY)
                vk_check(result, "vmaCreateBuffer");
        }
        if (!last_try) {
            make_room();
            continue;
        }
        if (!fits)
            fail(Status::out_of_memory, "buffer \"{}\" of {} bytes: {} bytes are held and the limit is {} bytes", name,
                 size_bytes, held_bytes(), limit_bytes());
        fail(Status::out_of_memory, "buffer \"{}\" of {} bytes: {} has no room for it, {} bytes are held", name,
             size_bytes, device_.caps().name, held_bytes());
    }
}

void Memory::free(const Allocation& allocation) {
    vmaDestroyBuffer(allocator_, allocation.buffer, allocation.memory);
    held_ -= allocation.held_bytes;
}

}  // namespace dragoman::vulkan
