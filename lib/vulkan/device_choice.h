// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "vulkan/physical_device.h"

namespace dragoman::vulkan {

// The device that ContextOptions::device asks for. Throws no_device naming the request and the devices.
const PhysicalDevice& choose_device(std::span<const PhysicalDevice> devices, std::string_view request);

}  // namespace dragoman::vulkan
