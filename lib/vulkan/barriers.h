// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/device.h"

namespace dragoman::vulkan {

// Everything the device did before is finished and visible to what follows. Host writes need no barrier:
// vkQueueSubmit makes those before it visible.
void full_barrier(const Device& device, VkCommandBuffer commands);

// The same where no arguments of indirect dispatches were written or read before: the unit that reads them need not
// wait, and on some devices that wait takes longer than a small dispatch.
void shader_barrier(const Device& device, VkCommandBuffer commands);

// What the device wrote becomes visible to a host that polls or waits.
void host_read_barrier(const Device& device, VkCommandBuffer commands);

}  // namespace dragoman::vulkan
