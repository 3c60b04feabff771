// SPDX-License-Identifier: Apache-2.0
#include "vulkan/result.h"

#include "base/error.h"

namespace dragoman::vulkan {

std::string result_name(VkResult result) {
    switch (result) {
#define NAME(code) \
    case code: return #code
        NAME(VK_SUCCESS);
        NAME(VK_NOT_READY);
        NAME(VK_TIMEOUT);
        NAME(VK_INCOMPLETE);
        NAME(VK_ERROR_OUT_OF_HOST_MEMORY);
        NAME(VK_ERROR_OUT_OF_DEVICE_MEMORY);
        NAME(VK_ERROR_INITIALIZATION_FAILED);
        NAME(VK_ERROR_DEVICE_LOST);
        NAME(VK_ERROR_MEMORY_MAP_FAILED);
        NAME(VK_ERROR_LAYER_NOT_PRESENT);
        NAME(VK_ERROR_EXTENSION_NOT_PRESENT);
        NAME(VK_ERROR_FEATURE_NOT_PRESENT);
        NAME(VK_ERROR_INCOMPATIBLE_DRIVER);
        NAME(VK_ERROR_TOO_MANY_OBJECTS);
        NAME(VK_ERROR_FRAGMENTED_POOL);
        NAME(VK_ERROR_OUT_OF_POOL_MEMORY);
        NAME(VK_ERROR_FRAGMENTATION);
        NAME(VK_ERROR_INVALID_SHADER_NV);
        NAME(VK_ERROR_UNKNOWN);
#undef NAME
        default: return fmt::format("VkResult {}", static_cast<int>(result));
    }
}

VkResult vk_check(VkResult result, const char* call) {
    if (result >= 0) return result;
    Status status = Status::internal;
    switch (result) {
        case VK_ERROR_DEVICE_LOST: status = Status::device_lost; break;
        case VK_ERROR_OUT_OF_HOST_MEMORY:
        case VK_ERROR_OUT_OF_DEVICE_MEMORY:
        case VK_ERROR_OUT_OF_POOL_MEMORY:
        case VK_ERROR_FRAGMENTED_POOL:
        case VK_ERROR_FRAGMENTATION:
        case VK_ERROR_TOO_MANY_OBJECTS:
        case VK_ERROR_MEMORY_MAP_FAILED: status = Status::out_of_memory; break;
        case VK_ERROR_INCOMPATIBLE_DRIVER: status = Status::no_device; break;
        default: break;
    }
    fail(status, "{} failed: {}", call, result_name(result));
}

}  // namespace dragoman::vulkan
