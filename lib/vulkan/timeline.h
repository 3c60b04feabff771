// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <span>

#include "vulkan/device.h"

namespace dragoman::vulkan {

// The queue and the timeline semaphore that counts its submissions: value n marks the end of the n-th. Also keeps freed
// objects while the device may still use them. Safe from any thread.
class Timeline {
public:
    // What the device may still use when its owner goes. Owners make it beforehand: to go must not need memory.
    struct Buried {
        virtual ~Buried() = default;
        uint64_t value = 0;
        std::unique_ptr<Buried> next{};
    };

    // A device that finishes no submission for `hang_limit` counts as hung.
    Timeline(const Device& device, std::chrono::seconds hang_limit);
    ~Timeline();  // frees everything that was buried; call wait_for_device() first
    Timeline(const Timeline&) = delete;

    uint64_t submit(std::span<const VkCommandBuffer> commands);
    uint64_t submitted() const { return submitted_.load(std::memory_order_acquire); }
    bool finished(uint64_t value) const;
    bool wait(uint64_t value);  // true when it blocked

    // Destroys it once `value` is reached, immediately if it is already. After a hang it never does.
    void bury(uint64_t value, std::unique_ptr<Buried> buried) noexcept;
    void collect();  // everything whose value is reached is gone when it returns, whichever thread destroyed it
    bool has_buried();  // waits for a thread that destroys
    void settle(uint64_t value);  // waits like wait(), of which the statistics know nothing, and collects
    // Until nothing is at work any more. A lost device answers at once; one that hangs is found out. hung() where it fails.
    void wait_for_device() noexcept;

    bool hung() const { return hung_; }  // lost without an answer: nothing of it may be freed
    bool lost() const { return lost_.load(std::memory_order_relaxed); }
    // The device's contents are not what they should be, because `call` failed; VK_SUCCESS: with what is not known.
    void mark_lost(const char* call, VkResult result) const;
    void throw_if_lost() const;
    // Marks the device lost where `result` says so, then throws what vk_check() throws.
    VkResult check(VkResult result, const char* call) const;

    uint64_t submissions() const { return submissions_.load(std::memory_order_relaxed); }
    uint64_t waits() const { return waits_.load(std::memory_order_relaxed); }
    void reset_counters();

private:
    bool wait_once(uint64_t value) const;
    [[noreturn]] void give_up();
    void wait_for_submitted() noexcept;
    void wait_patiently(const char* call, const std::function<VkResult()>& wait) noexcept;
    void block(uint64_t value);
    void advance(uint64_t value) const;  // to a value known to be finished
    void note_finished() const noexcept;

    void collect_for_now();
    std::unique_ptr<Buried> take_reached();
    static void destroy(std::unique_ptr<Buried> all) noexcept;

    const Device& device_;
    const std::chrono::seconds hang_limit_;
    VkSemaphore semaphore_ = VK_NULL_HANDLE;
    std::mutex queue_mutex_;
    std::atomic<uint64_t> submitted_ = 0;
    mutable std::atomic<uint64_t> reached_ = 0;  // a value known to be finished
    mutable std::atomic<bool> lost_ = false;
    mutable std::atomic<const char*> lost_by_ = nullptr;  // the first call that said so
    mutable std::atomic<VkResult> lost_result_ = VK_SUCCESS;
    std::atomic<bool> hung_ = false;
    std::atomic<uint64_t> submissions_ = 0, waits_ = 0;
    std::mutex destroying_;  // held while buried objects are destroyed; taken before buried_mutex_
    std::mutex buried_mutex_;
    std::unique_ptr<Buried> buried_;
};

}  // namespace dragoman::vulkan
