// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "vulkan/api.h"
#include "vulkan/external_device.h"
#include "vulkan/instance_table.h"

namespace dragoman::vulkan {

// A VkInstance and its functions: the process's own, shared by every context with the same `validation` and kept until
// the process ends, or an app's.
class Instance {
public:
    // Null where there is a loader but no driver; throws no_device where there is no loader.
    static std::shared_ptr<Instance> shared(bool validation);
    // The instance of an app's device. Throws invalid_argument.
    static std::shared_ptr<Instance> adopt(const ExternalDevice& device);
    ~Instance();
    Instance(const Instance&) = delete;

    const InstanceTable* operator->() const { return &table_; }
    VkInstance handle() const { return handle_; }
    uint32_t api_version() const { return api_version_; }  // the version it was made for
    bool debug_utils() const { return debug_utils_; }

    template <class Function>
    Function function(const char* name) const {
        return reinterpret_cast<Function>(table_.vkGetInstanceProcAddr(handle_, name));
    }

private:
    Instance() = default;
    bool create(bool validation);  // false: there is no driver

    InstanceTable table_{};
    uint32_t api_version_ = VK_API_VERSION_1_3;
    bool owned_ = false;
    VkInstance handle_ = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT messenger_ = VK_NULL_HANDLE;
    bool debug_utils_ = false;
};

}  // namespace dragoman::vulkan
