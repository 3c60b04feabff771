// SPDX-License-Identifier: Apache-2.0
#include "vulkan/timeline.h"

#include <chrono>
#include <thread>

#include "base/error.h"
#include "base/log.h"
#include "vulkan/result.h"
#include "vulkan/stall.h"

namespace dragoman::vulkan {

Timeline::Timeline(const Device& device, std::chrono::seconds hang_limit) : device_(device), hang_limit_(hang_limit) {
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
    try {  // also where it is lost: what was submitted before that may still be at work
        const uint64_t value = submitted();
        Stall stall(hang_limit_, reached_);
        while (!wait_once(value) && !finished(value))
            if (stall.over(reached_)) give_up();
    } catch (const std::exception& error) {
        log(LogLevel::debug, "waiting for the device: {}", error.what());
    }
    if (hung()) return;  // it would never answer
    // Waiting for an app's device would touch its queues while it uses them.
    if (!device_.owned()) return wait_for_submitted();
    wait_patiently("vkDeviceWaitIdle", [&] { return device_->vkDeviceWaitIdle(device_.handle()); });
}

// A wait may lack memory for a moment. One that never succeeds says nothing of the device, which may still be at work.
void Timeline::wait_patiently(const char* call, const std::function<VkResult()>& wait) noexcept {
    constexpr int kTries = 10;
    for (int i = 0; i < kTries; ++i) {
        const VkResult result = wait();
        if (result == VK_SUCCESS || result == VK_ERROR_DEVICE_LOST) return;
        log(LogLevel::debug, "{}: {}", call, result_name(result));
        std::this_thread::sleep_for(std::chrono::milliseconds(1 << i));
    }
    hung_ = true;
}

void Timeline::wait_for_submitted() noexcept {
    const uint64_t value = submitted();
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore_;
    info.pValues = &value;
    wait_patiently("vkWaitSemaphores", [&] { return device_->vkWaitSemaphores(device_.handle(), &info, UINT64_MAX); });
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
        if (result != VK_SUCCESS) mark_lost("vkQueueSubmit", result);
        check(result, "vkQueueSubmit");
        submitted_.store(value, std::memory_order_release);
    }
    ++submissions_;
    collect_for_now();
    return value;
}

void Timeline::advance(uint64_t value) const {
    uint64_t known = reached_.load(std::memory_order_relaxed);
    while (known < value && !reached_.compare_exchange_weak(known, value, std::memory_order_release)) {}
}

bool Timeline::finished(uint64_t value) const {
    if (value <= reached_.load(std::memory_order_acquire)) return true;
    uint64_t now = 0;
    check(device_->vkGetSemaphoreCounterValue(device_.handle(), semaphore_, &now), "vkGetSemaphoreCounterValue");
    advance(now);
    return value <= now;
}

// For those who come again: where the device does not answer, nothing more is finished.
void Timeline::note_finished() const noexcept {
    uint64_t now = 0;
    const VkResult result = device_->vkGetSemaphoreCounterValue(device_.handle(), semaphore_, &now);
    if (result == VK_SUCCESS) advance(now);
    else if (result == VK_ERROR_DEVICE_LOST) mark_lost("vkGetSemaphoreCounterValue", result);
}

bool Timeline::wait(uint64_t value) {
    throw_if_lost();
    DRAGOMAN_ASSERT(value <= submitted());
    if (finished(value)) {
        collect();
        return false;
    }
    ++waits_;
    block(value);
    collect();
    return true;
}

void Timeline::settle(uint64_t value) {
    if (!finished(value)) block(value);
    collect();
}

void Timeline::block(uint64_t value) {
    Stall stall(hang_limit_, reached_);
    while (!wait_once(value)) {
        if (finished(value)) break;
        throw_if_lost();
        if (stall.over(reached_)) give_up();
    }
    advance(value);
}

// Waits for a second at most; whether the value is reached.
bool Timeline::wait_once(uint64_t value) const {
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &semaphore_;
    info.pValues = &value;
    constexpr uint64_t kSecond = 1'000'000'000;
    return check(device_->vkWaitSemaphores(device_.handle(), &info, kSecond), "vkWaitSemaphores") != VK_TIMEOUT;
}

void Timeline::give_up() {
    hung_ = true;
    lost_ = true;
    fail(Status::device_lost, "{} hangs: it finished nothing for {} s (DRAGOMAN_HANG_SECONDS)", device_.caps().name,
         hang_limit_.count());
}

void Timeline::bury(uint64_t value, std::unique_ptr<Buried> buried) noexcept {
    // Under the lock, so that a collect() after the value was reached finds it in the list or not at all.
    const std::lock_guard lock(buried_mutex_);
    if (value <= reached_.load(std::memory_order_acquire)) return;
    buried->value = value;
    buried->next = std::move(buried_);
    buried_ = std::move(buried);
}

// One after the other: the list may be longer than a stack is deep.
void Timeline::destroy(std::unique_ptr<Buried> all) noexcept {
    while (all) all = std::move(all->next);
}

bool Timeline::has_buried() {
    const std::lock_guard destroying(destroying_);
    const std::lock_guard lock(buried_mutex_);
    return bool(buried_);
}

void Timeline::collect() {
    const std::lock_guard destroying(destroying_);
    destroy(take_reached());
}

// A submission does not wait for what another thread destroys.
void Timeline::collect_for_now() {
    const std::unique_lock destroying(destroying_, std::try_to_lock);
    if (destroying) destroy(take_reached());
}

std::unique_ptr<Timeline::Buried> Timeline::take_reached() {
    std::unique_ptr<Buried> ready;
    const std::lock_guard lock(buried_mutex_);
    if (!buried_) return ready;
    if (reached_.load(std::memory_order_acquire) < submitted()) note_finished();
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
    return ready;
}

void Timeline::throw_if_lost() const {
    if (!lost()) return;
    const char* by = lost_by_;
    const VkResult result = lost_result_;
    const std::string why = by && result != VK_SUCCESS ? fmt::format(" ({} failed: {})", by, result_name(result))
                            : by                       ? fmt::format(" ({} failed)", by)
                                                       : "";
    fail(Status::device_lost, "{} was lost{}", device_.caps().name, why);
}

void Timeline::mark_lost(const char* call, VkResult result) const {
    if (!lost_by_) {
        lost_result_ = result;
        lost_by_ = call;
    }
    lost_ = true;
}

VkResult Timeline::check(VkResult result, const char* call) const {
    if (result == VK_ERROR_DEVICE_LOST) mark_lost(call, result);
    return vk_check(result, call);
}

void Timeline::reset_counters() {
    submissions_ = 0;
    waits_ = 0;
}

}  // namespace dragoman::vulkan
