// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vulkan/api.h"

namespace dragoman::vulkan {

inline constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";

// Sends warnings and errors to the log and counts them in validation_message_count().
VkDebugUtilsMessengerCreateInfoEXT validation_messenger_info();

}  // namespace dragoman::vulkan
