// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "vulkan/api.h"

namespace dragoman::vulkan {

// "VK_ERROR_DEVICE_LOST", or the number of a code without a name here.
std::string result_name(VkResult result);

// Throws device_lost, out_of_memory or internal with the call's name for every error code; success codes
// such as VK_TIMEOUT and VK_INCOMPLETE pass through.
VkResult vk_check(VkResult result, const char* call);

}  // namespace dragoman::vulkan
