// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <span>

#include "vulkan/buffer.h"
#include "vulkan/commands.h"
#include "vulkan/hazards.h"
#include "vulkan/memory.h"
#include "vulkan/timeline.h"

namespace dragoman::vulkan {

// A ring of mapped chunks. Small uploads gather in the open chunk, whose copies travel with the next submission;
// large ones stream through. All submissions pass here, so that copies keep their order. Safe from any thread.
class Staging {
public:
    Staging(const Device& device, Memory& memory, Timeline& timeline)
        : device_(device), memory_(memory), timeline_(timeline) {}
    Staging(const Staging&) = delete;

    void upload(const BufferView& target, const void* source, uint64_t size_bytes);
    void readback(const BufferView& source, void* target, uint64_t size_bytes);

    // Submits earlier uploads, then `commands`, in one call. If there are none of either, returns the last value.
    uint64_t submit(std::span<const VkCommandBuffer> commands);
    // The timeline value after which nothing recorded so far can run.
    uint64_t safe_value();
    void release();  // gives the memory back; waits for the device

private:
    // A mapped buffer and the copies from or to it. It is destroyed only when the device has finished with it.
    struct Chunk {
        Chunk(const Device& device, Memory& owner, MemoryUse use, const char* name)
            : commands(device, name), memory(owner), allocation(owner.allocate(kChunkBytes, use, name, [] {})) {}
        ~Chunk() { memory.free(allocation); }
        std::byte* mapped() const { return static_cast<std::byte*>(allocation.mapped); }

        Commands commands;
        Memory& memory;
        Allocation allocation;  // the last one: nothing frees it where a member after it fails
        uint64_t value = 0;  // the value of its last submission
    };
    static constexpr uint64_t kChunkBytes = 4u << 20;

    bool open(std::unique_lock<std::mutex>& lock);
    uint64_t submit_locked(std::span<const VkCommandBuffer> commands);

    const Device& device_;
    Memory& memory_;
    Timeline& timeline_;
    std::mutex mutex_;  // orders submissions; guards the upload ring
    std::array<std::unique_ptr<Chunk>, 4> ring_;
    size_t current_ = 0;
    bool open_ = false;  // the current chunk is being recorded
    uint64_t used_bytes_ = 0;
    Hazards hazards_;
    std::mutex readback_mutex_;  // taken before mutex_
    std::unique_ptr<Chunk> readback_;
};

}  // namespace dragoman::vulkan
