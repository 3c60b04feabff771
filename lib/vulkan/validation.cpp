// SPDX-License-Identifier: Apache-2.0
#include "vulkan/validation.h"

#include <atomic>

#include "base/log.h"
#include "vulkan/context.h"

namespace dragoman::vulkan {
namespace {

std::atomic<uint64_t> message_count = 0;

VKAPI_ATTR VkBool32 VKAPI_CALL on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                          VkDebugUtilsMessageTypeFlagsEXT,
                                          const VkDebugUtilsMessengerCallbackDataEXT* data, void*) {
    ++message_count;
    const bool error = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    log(error ? LogLevel::error : LogLevel::warning, "vulkan validation: {}", data->pMessage);
    return VK_FALSE;
}

}  // namespace

uint64_t validation_message_count() { return message_count; }

VkDebugUtilsMessengerCreateInfoEXT validation_messenger_info() {
    VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    // The general type is left out: in it the loader complains about files of other drivers.
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
    info.pfnUserCallback = on_message;
    return info;
}

}  // namespace dragoman::vulkan
