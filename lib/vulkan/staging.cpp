// SPDX-License-Identifier: Apache-2.0
#include "vulkan/staging.h"

#include <algorithm>
#include <cstring>

#include "vulkan/barriers.h"
#include "vulkan/device_buffer.h"

namespace dragoman::vulkan {

// Begins the current chunk unless it is open. Returns false when the lock was released to wait for it.
bool Staging::open(std::unique_lock<std::mutex>& lock) {
    if (open_) return true;
    std::unique_ptr<Chunk>& chunk = ring_[current_];
    if (!chunk) chunk = std::make_unique<Chunk>(device_, memory_, MemoryUse::upload, "upload ring");
    if (!timeline_.finished(chunk->value)) {
        const uint64_t value = chunk->value;
        lock.unlock();
        timeline_.wait(value);
        lock.lock();
        return false;
    }
    chunk->commands.begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
    full_barrier(device_, chunk->commands.handle());
    hazards_ = {};
    used_bytes_ = 0;
    open_ = true;
    return true;
}

void Staging::upload(const BufferView& target, const void* source, uint64_t size_bytes) {
    timeline_.throw_if_lost();
    std::unique_lock lock(mutex_);
    const VkBuffer buffer = device_buffer(target).handle();
    for (uint64_t done = 0; done < size_bytes;) {
        if (!open(lock)) continue;
        const uint64_t bytes = std::min(size_bytes - done, kChunkBytes - used_bytes_);
        const Chunk& chunk = *ring_[current_];
        const VkCommandBuffer commands = chunk.commands.handle();
        std::memcpy(chunk.mapped() + used_bytes_, static_cast<const std::byte*>(source) + done, bytes);
        const VkBufferCopy copy{used_bytes_, target.offset + done, bytes};
        const BufferRange written{target.buffer, copy.dstOffset, copy.dstOffset + bytes};
        if (hazards_.barrier_before({}, {&written, 1})) full_barrier(device_, commands);
        device_->vkCmdCopyBuffer(commands, chunk.allocation.buffer, buffer, 1, &copy);
        used_bytes_ += bytes;
        done += bytes;
        if (used_bytes_ == kChunkBytes) submit_locked({});
    }
}

void Staging::readback(const BufferView& source, void* target, uint64_t size_bytes) {
    timeline_.throw_if_lost();
    const std::lock_guard readback_lock(readback_mutex_);
    if (!readback_) readback_ = std::make_unique<Chunk>(device_, memory_, MemoryUse::readback, "readback");
    const VkCommandBuffer commands = readback_->commands.handle();
    for (uint64_t done = 0; done < size_bytes;) {
        const uint64_t bytes = std::min(size_bytes - done, kChunkBytes);
        if (!timeline_.finished(readback_->value)) timeline_.wait(readback_->value);  // of a call whose wait failed
        readback_->commands.begin(VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        full_barrier(device_, commands);
        const VkBufferCopy copy{source.offset + done, 0, bytes};
        device_->vkCmdCopyBuffer(commands, device_buffer(source).handle(), readback_->allocation.buffer, 1, &copy);
        host_read_barrier(device_, commands);
        readback_->commands.end();
        readback_->value = submit({&commands, 1});
        timeline_.wait(readback_->value);
        std::memcpy(static_cast<std::byte*>(target) + done, readback_->mapped(), bytes);
        done += bytes;
    }
}

uint64_t Staging::submit(std::span<const VkCommandBuffer> commands) {
    const std::lock_guard lock(mutex_);
    return submit_locked(commands);
}

uint64_t Staging::submit_locked(std::span<const VkCommandBuffer> commands) {
    if (!open_) return commands.empty() ? timeline_.submitted() : timeline_.submit(commands);
    Chunk& chunk = *ring_[current_];
    std::vector<VkCommandBuffer> all{chunk.commands.handle()};
    all.insert(all.end(), commands.begin(), commands.end());
    open_ = false;
    try {
        chunk.commands.end();
    } catch (...) {
        timeline_.mark_lost("vkEndCommandBuffer", VK_SUCCESS);  // uploads are lost, and nobody could tell which
        throw;
    }
    chunk.value = timeline_.submit(all);
    current_ = (current_ + 1) % ring_.size();
    return chunk.value;
}

uint64_t Staging::safe_value() {
    const std::lock_guard lock(mutex_);
    return timeline_.submitted() + (open_ ? 1 : 0);
}

void Staging::release() {
    const std::lock_guard readback_lock(readback_mutex_);
    const std::lock_guard lock(mutex_);
    timeline_.wait(submit_locked({}));
    for (std::unique_ptr<Chunk>& chunk : ring_) chunk.reset();
    readback_.reset();
}

}  // namespace dragoman::vulkan
