// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "vulkan/device.h"
#include "vulkan/vma.h"

namespace dragoman::vulkan {

enum class MemoryUse : uint8_t { device, progress, dynamic, upload, readback };

// A VkBuffer and its memory; `mapped` is null for MemoryUse::device.
struct Allocation {
    VkBuffer buffer = VK_NULL_HANDLE;
    VmaAllocation memory = VK_NULL_HANDLE;
    void* mapped = nullptr;
    uint64_t held_bytes = 0;  // counted against the limit; 0 for upload and readback
};

struct MemoryLimits {
    uint64_t held_bytes = 0;  // for the sum of held_bytes; 0: none
    uint64_t heap_bytes = 0;  // for each device-local heap, as if it were no larger; 0: none
};

// Allocates buffers within a limit. Safe from any thread.
class Memory {
public:
    Memory(const Device& device, const MemoryLimits& limits);
    ~Memory();
    Memory(const Memory&) = delete;

    // Throws out_of_memory naming the buffer, its size and the bytes held. `make_room` is called once before that.
    Allocation allocate(uint64_t size_bytes, MemoryUse use, const std::string& name,
                        const std::function<void()>& make_room);
    void free(const Allocation& allocation);

    uint64_t limit_bytes() const { return limits_.held_bytes; }
    uint64_t heap_limit_bytes() const { return limits_.heap_bytes; }
    uint64_t held_bytes() const { return held_; }
    uint64_t peak_bytes() const { return peak_; }
    void reset_peak() { peak_ = held_.load(); }

private:
    bool reserve(uint64_t bytes);
    void note_peak();
    VmaAllocationCreateInfo allocation_info(MemoryUse use) const;

    const Device& device_;
    VmaAllocator allocator_ = VK_NULL_HANDLE;
    const MemoryLimits limits_;
    std::atomic<uint64_t> held_ = 0, peak_ = 0;
};

}  // namespace dragoman::vulkan
