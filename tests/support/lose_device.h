// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <mutex>
#include <thread>

#include "vulkan/context_impl.h"

namespace dragoman::test {

inline VolkDeviceTable& functions(vulkan::Context& context) {
    return const_cast<VolkDeviceTable&>(*context.impl().device.operator->());
}

// From now on nothing that was submitted ends, as far as the host can see.
inline void hang(vulkan::Context& context) {
    VolkDeviceTable& table = functions(context);
    table.vkWaitSemaphores = [](VkDevice, const VkSemaphoreWaitInfo*, uint64_t) -> VkResult {
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
        return VK_TIMEOUT;
    };
    table.vkGetSemaphoreCounterValue = [](VkDevice, VkSemaphore, uint64_t* value) -> VkResult {
        *value = 0;
        return VK_SUCCESS;
    };
    table.vkDeviceWaitIdle = [](VkDevice) -> VkResult {
        FAIL_CHECK("a hung device is waited for");
        return VK_SUCCESS;
    };
}

// Drivers that lose their devices: at a submission, counted for each queue.
class Losses {
public:
    // The device of this context is lost at its n-th submission from now on; 1: at the next.
    static void lose_at(vulkan::Context& context, uint64_t submission) {
        Losses& all = get();
        const std::lock_guard lock(all.mutex_);
        VolkDeviceTable& table = functions(context);
        if (table.vkQueueSubmit != submit) all.real_[context.impl().device.queue()] = table.vkQueueSubmit;
        all.left_[context.impl().device.queue()] = submission;
        table.vkQueueSubmit = submit;
    }

private:
    static Losses& get() {
        static Losses all;
        return all;
    }
    static VKAPI_ATTR VkResult VKAPI_CALL submit(VkQueue queue, uint32_t count, const VkSubmitInfo* info,
                                                 VkFence fence) {
        Losses& all = get();
        PFN_vkQueueSubmit real = nullptr;
        {
            const std::lock_guard lock(all.mutex_);
            uint64_t& left = all.left_[queue];
            if (left <= 1) return VK_ERROR_DEVICE_LOST;
            --left;
            real = all.real_[queue];
        }
        return real(queue, count, info, fence);
    }

    std::mutex mutex_;
    std::map<VkQueue, uint64_t> left_;
    std::map<VkQueue, PFN_vkQueueSubmit> real_;
};

}  // namespace dragoman::test
