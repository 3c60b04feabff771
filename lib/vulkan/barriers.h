// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/device.h"

namespace dragoman::vulkan {

// Who takes part in a barrier besides shaders and transfers. Transfers always do: what a barrier has ordered is
// forgotten, and it costs no more (bench/results/2026-11-23-h100.md). The units that read arguments and conditions need
// not wait for every dispatch: on some devices that takes longer than a small dispatch.
struct BarrierReach {
    bool arguments = false;  // arguments of indirect dispatches, written or read before or after
    bool condition = false;  // a condition read after the barrier
};

// Makes everything that shaders and the parties in `reach` did before finished and visible to what follows. Host writes
// need no barrier: vkQueueSubmit makes earlier ones visible.
void memory_barrier(const Device& device, VkCommandBuffer commands, const BarrierReach& reach);
inline void full_barrier(const Device& device, VkCommandBuffer commands) {
    memory_barrier(device, commands, {.arguments = true});
}

// Makes the device's writes visible to a host that polls or waits.
void host_read_barrier(const Device& device, VkCommandBuffer commands);

}  // namespace dragoman::vulkan
