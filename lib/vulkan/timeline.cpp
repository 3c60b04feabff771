// SPDX-License-Identifier: Apache-2.0
#include "vulkan/timeline.h"

#include <chrono>

#include "base/error.h"
#include "base/log.h"
#include "vulkan/result.h"

namespace dragoman::vulkan {
namespace {

// A device that finishes no submission for this long counts as lost. Software drivers on busy machines are slow.
constexpr std::chrono::minutes kStall{5};

}  // namespace

Timeline::Timeline(const Device& device) : device_(device) {
    VkSemaphoreTypeCreateInfo type{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    type.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO, &type};
    vk_check(device_->vkCreateSemaphore(device_.handle(), &info, nullptr, &semaphore_), "vkCreateSemaphore");
    device_.set_name(VK_OBJECT_TYPE_SEMAPHORE, semaphore_, "timeline");
}

Timeline::~Timeline() {
    destroy(std::move(buried_));
    device_->vkDestroySemaphore(device_.handle(), semaphore_, nullptr);
}

void Timeline::wait_for_device() noexcept {
    // waiting for the device would touch an app's queues while it uses them
    if (!device_.owned()) return wait_for_submitted();
    const VkResult result = device_->vkDeviceWaitIdle(device_.handle());
    if (result != VK_SUCCESS) log(LogLevel::debug, "vkDeviceWaitIdle: {}", result_name(result));
}

void Timeline::wait_for_submitted() noexcept {
    const uint64_t value = submitted();
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore_;
    info.pValues = &value;
    const VkResult result = device_->vkWaitSemaphores(device_.handle(), &info, UINT64_MAX);
    if (result != VK_SUCCESS) log(LogLevel::debug, "vkWaitSemaphores: {}", result_name(result));
}

uint64_t Timeline::submit(std::span<const VkCommandBuffer> commands) {
    throw_if_lost();
    uint64_t value = 0;
    {
        const std::lock_guard lock(queue_mutex_);
        value = submitted_ + 1;
        VkTimelineSemaphoreSubmitInfo timeline{VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO};
        timeline.signalSemaphoreValueCount = 1;
        timeline.pSignalSemaphoreValues = &value;
        VkSubmitInfo info{VK_STRUCTURE_TYPE_SUBMIT_INFO, &timeline};
        info.commandBufferCount = static_cast<uint32_t>(commands.size());
        info.pCommandBuffers = commands.data();
        info.signalSemaphoreCount = 1;
        info.pSignalSemaphores = &semaphore_;
        const VkResult result = [&] {
            const Device::QueueLock queue(device_);
            return device_->vkQueueSubmit(device_.queue(), 1, &info, VK_NULL_HANDLE);
        }();
        // This includes running out of memory: uploads that travelled with it are lost, and nobody could tell which.
        if (result != VK_SUCCESS) lost_ = true;
        check(result, "vkQueueSubmit");
        submitted_.store(value, std::memory_order_release);
    }
    ++submissions_;
    collect();
    return value;
}

bool Timeline::finished(uint64_t value) const {
    if (value <= reached_.load(std::memory_order_acquire)) return true;
    uint64_t now = 0;
    check(device_->vkGetSemaphoreCounterValue(device_.handle(), semaphore_, &now), "vkGetSemaphoreCounterValue");
    uint64_t known = reached_.load(std::memory_order_relaxed);
    while (known < now && !reached_.compare_exchange_weak(known, now, std::memory_order_release)) {}
    return value <= now;
}

bool Timeline::wait(uint64_t value) {
    throw_if_lost();
    DRAGOMAN_ASSERT(value <= submitted());
    if (finished(value)) {
        collect();
        return false;
    }
    ++waits_;
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore_;
    info.pValues = &value;
    auto progress_at = std::chrono::steady_clock::now();
    uint64_t progress = reached_;
    constexpr uint64_t kSecond = 1'000'000'000;
    while (check(device_->vkWaitSemaphores(device_.handle(), &info, kSecond), "vkWaitSemaphores") == VK_TIMEOUT) {
        if (finished(value)) break;
        throw_if_lost();
        if (progress != reached_) {
            progress = reached_;
            progress_at = std::chrono::steady_clock::now();
        } else if (std::chrono::steady_clock::now() - progress_at > kStall) {
            hung_ = true;
            lost_ = true;
            fail(Status::device_lost, "{}: finished nothing for {} minutes", device_.caps().name, kStall.count());
        }
    }
    finished(value);
    collect();
    return true;
}

void Timeline::bury(uint64_t value, std::unique_ptr<Buried> buried) noexcept {
    if (value <= reached_.load(std::memory_order_acquire)) return;
    const std::lock_guard lock(buried_mutex_);
    buried->value = value;
    buried->next = std::move(buried_);
    buried_ = std::move(buried);
}

// One after the other: the list may be longer than a stack is deep.
void Timeline::destroy(std::unique_ptr<Buried> all) noexcept {
    while (all) all = std::move(all->next);
}

void Timeline::collect() {
    std::unique_ptr<Buried> ready;
    {
        const std::lock_guard lock(buried_mutex_);
        if (!buried_) return;
        finished(submitted());
        const uint64_t reached = reached_.load(std::memory_order_acquire);
        for (std::unique_ptr<Buried>* at = &buried_; *at;) {
            if ((*at)->value > reached) {
                at = &(*at)->next;
                continue;
            }
            std::unique_ptr<Buried> one = std::move(*at);
            *at = std::move(one->next);
            one->next = std::move(ready);
            ready = std::move(one);
        }
    }
    destroy(std::move(ready));
}

void Timeline::throw_if_lost() const {
    if (lost()) fail(Status::device_lost, "{} was lost; open it again", device_.caps().name);
}

VkResult Timeline::check(VkResult result, const char* call) const {
    if (result == VK_ERROR_DEVICE_LOST) lost_ = true;
    return vk_check(result, call);
}

void Timeline::reset_counters() {
    submissions_ = 0;
    waits_ = 0;
}

}  // namespace dragoman::vulkan
