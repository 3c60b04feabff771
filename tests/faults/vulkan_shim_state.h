// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <map>
#include <mutex>

#include "faults/vulkan_shim.h"

namespace dragoman::test {

enum CallIndex : std::size_t {
#define CALL(name, ...) k_##name,
#define DESTROY(name)
#include "vulkan_calls.inc"
#undef CALL
    kCalls
};

// The shim as its hooks see it.
class Shim final : public VulkanShim {
public:
    std::span<const VulkanCall> calls() const override { return calls_; }

    void arm(const VulkanFault& fault) override {
        disarm();
        for (auto& count : counts_) count = 0;
        fault_ = fault;
        armed_ = true;
    }
    bool disarm() override {
        armed_ = false;
        lost_ = false;
        return struck_.exchange(false);
    }
    bool struck() const override { return struck_; }
    uint64_t count(std::size_t call) const override { return counts_[call]; }
    std::string leaks() const override {
        const std::lock_guard lock(mutex_);
        std::map<std::size_t, int> left;
        for (const auto& [handle, maker] : alive_) ++left[maker];
        std::string text = wrong_;
        for (const auto& [maker, count] : left)
            if (maker != k_vkCreateDebugUtilsMessengerEXT)  // it stays with the instance
                text += " " + std::to_string(count) + " of " + calls_[maker].name + " left;";
        return text;
    }

    // What a call returns without asking the driver; VK_SUCCESS: it asks.
    VkResult wanted(std::size_t call, bool may_be_incomplete) {
        if (!armed_) return VK_SUCCESS;
        if (fault_.no_instance && call == k_vkCreateInstance) return VK_ERROR_INITIALIZATION_FAILED;
        if (lost_ && can_lose(call)) return VK_ERROR_DEVICE_LOST;
        const uint64_t before = counts_[call]++;
        if (call != fault_.call || before < fault_.occurrence || struck_) return VK_SUCCESS;
        if (fault_.result == VK_INCOMPLETE && !may_be_incomplete) return VK_SUCCESS;  // then the next one
        if (struck_.exchange(true)) return VK_SUCCESS;
        if (fault_.result == VK_ERROR_DEVICE_LOST && fault_.sticky && call != k_vkCreateDevice) lost_ = true;
        return fault_.result;
    }

    void made(std::size_t call, const void* handle) {
        if (call == k_vkCreateInstance) return;
        const std::lock_guard lock(mutex_);
        alive_.emplace(handle, call);
    }
    void destroyed(const char* name, const void* handle, bool is_instance) {
        if (!handle || is_instance) return;
        const std::lock_guard lock(mutex_);
        if (alive_.erase(handle) == 0) wrong_ += std::string(" ") + name + " of what is not alive;";
    }
    VkDevice device() const {
        const std::lock_guard lock(mutex_);
        for (const auto& [handle, maker] : alive_)
            if (maker == k_vkCreateDevice) return static_cast<VkDevice>(const_cast<void*>(handle));
        return VK_NULL_HANDLE;
    }

    std::array<std::atomic<PFN_vkVoidFunction>, kCalls> next{};

private:
    bool can_lose(std::size_t call) const {
        if (call == k_vkCreateDevice) return false;
        for (const VkResult result : calls_[call].results)
            if (result == VK_ERROR_DEVICE_LOST) return true;
        return false;
    }

    const std::array<VulkanCall, kCalls> calls_{{
#define CALL(name, ...) {#name, {__VA_ARGS__}},
#include "vulkan_calls.inc"
#undef CALL
#undef DESTROY
    }};
    std::array<std::atomic<uint64_t>, kCalls> counts_{};
    VulkanFault fault_;
    std::atomic<bool> armed_ = false, struck_ = false, lost_ = false;
    mutable std::mutex mutex_;
    std::map<const void*, std::size_t> alive_;
    std::string wrong_;
};

}  // namespace dragoman::test
