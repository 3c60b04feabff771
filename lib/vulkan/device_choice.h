// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "vulkan/physical_device.h"

namespace dragoman::vulkan {

// The device that ContextOptions::device asks for. Throws no_device naming the request and the devices.
const PhysicalDevice& choose_device(std::span<const PhysicalDevice> devices, std::string_view request);

// One device or several: "all" is every usable GPU once, or the best device where there is no GPU; a list is separated by
// commas, and may name a device more than once. A request that matches a device as a whole is no list. Never empty.
// Throws as choose_device().
std::vector<const PhysicalDevice*> choose_devices(std::span<const PhysicalDevice> devices, std::string_view request);

}  // namespace dragoman::vulkan
