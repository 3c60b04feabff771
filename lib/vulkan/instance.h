// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "vulkan/api.h"

namespace dragoman::vulkan {

// The process's VkInstance, shared by every context with the same `validation`, gone with the last of them.
class Instance {
public:
    // Null where there is a loader but no driver; throws no_device where there is no loader.
    static std::shared_ptr<Instance> shared(bool validation);
    ~Instance();
    Instance(const Instance&) = delete;

    VkInstance handle() const { return handle_; }
    bool debug_utils() const { return debug_utils_; }

    template <class Function>
    Function function(const char* name) const {
        return reinterpret_cast<Function>(vkGetInstanceProcAddr(handle_, name));
    }

private:
    explicit Instance(bool validation);

    VkInstance handle_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    bool debug_utils_ = false;
};

}  // namespace dragoman::vulkan
