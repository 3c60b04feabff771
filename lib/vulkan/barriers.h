// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/device.h"

namespace dragoman::vulkan {

// Who takes part in a barrier beside shaders and transfers. Transfers always do: what a barrier has ordered is forgotten, and
// it costs no more (bench/results/2026-11-23-h100.md). The units that read arguments and conditions need not wait for
// every dispatch: on some devices that takes longer than a small one.
struct BarrierReach {
    bool arguments = false;  // of indirect dispatches, written or read before or after
    bool condition = false;  // read after
};

// What the device did before in shaders and in what `reach` names is finished and visible to what follows there. Host
// writes need no barrier: vkQueueSubmit makes those before it visible.
void memory_barrier(const Device& device, VkCommandBuffer commands, const BarrierReach& reach);
inline void full_barrier(const Device& device, VkCommandBuffer commands) {
    memory_barrier(device, commands, {.arguments = true});
}

// What the device wrote becomes visible to a host that polls or waits.
void host_read_barrier(const Device& device, VkCommandBuffer commands);

}  // namespace dragoman::vulkan
