// SPDX-License-Identifier: Apache-2.0
#include "vulkan/device.h"

#include <mutex>
#include <vector>

#include "base/error.h"
#include "base/log.h"
#include "base/per_process.h"
#include "vulkan/feature_chain.h"
#include "vulkan/result.h"

namespace dragoman::vulkan {

Device::Device(std::shared_ptr<Instance> instance, const PhysicalDevice& physical, bool debug_names)
    : instance_(std::move(instance)), physical_(physical) {
    const FeatureChain features(*instance_, physical);
    std::vector<const char*> extensions;
    for (const std::string& extension : physical.extensions) extensions.push_back(extension.c_str());
    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = physical.queue_family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &features.core;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    vk_check((*instance_)->vkCreateDevice(physical.handle, &info, nullptr, &handle_), "vkCreateDevice");
    load_table();
    table_.vkGetDeviceQueue(handle_, physical.queue_family, 0, &queue_);
    if (debug_names && instance_->debug_utils()) {
        set_name_ = instance_->function<PFN_vkSetDebugUtilsObjectNameEXT>("vkSetDebugUtilsObjectNameEXT");
        begin_label_ = instance_->function<PFN_vkCmdBeginDebugUtilsLabelEXT>("vkCmdBeginDebugUtilsLabelEXT");
        end_label_ = instance_->function<PFN_vkCmdEndDebugUtilsLabelEXT>("vkCmdEndDebugUtilsLabelEXT");
    }
}

Device::Device(std::shared_ptr<Instance> instance, const PhysicalDevice& physical, const ExternalDevice& external)
    : instance_(std::move(instance)), physical_(physical), owned_(false), lock_(external.lock),
      unlock_(external.unlock), handle_(static_cast<VkDevice>(external.device)) {
    if (!lock_ != !unlock_)
        fail(Status::invalid_argument, "lock and unlock: expected both or neither, got only {}",
             lock_ ? "lock" : "unlock");
    load_table();
    table_.vkGetDeviceQueue(handle_, external.queue_family, external.queue_index, &queue_);
    if (!queue_)
        fail(Status::invalid_argument, "queue_index: the device has no queue {} of family {}", external.queue_index,
             external.queue_family);
}

Device::~Device() {
    if (owned_) table_.vkDestroyDevice(handle_, nullptr);
}

// Volk takes the functions from its global vkGetDeviceProcAddr, which is empty outside this function.
void Device::load_table() {
    static auto& mutex = *new PerProcess<std::mutex>();
    const std::lock_guard lock(mutex.get());
    vkGetDeviceProcAddr = (*instance_)->vkGetDeviceProcAddr;
    volkLoadDeviceTable(&table_, handle_);
    vkGetDeviceProcAddr = nullptr;
}

void Device::set_name_untyped(VkObjectType type, uint64_t object, std::string_view name) const {
    const std::string text(name);
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = type;
    info.objectHandle = object;
    info.pObjectName = text.c_str();
    // Nothing depends on names, and what is named would have no owner yet.
    if (const VkResult result = set_name_(handle_, &info); result != VK_SUCCESS)
        log(LogLevel::debug, "vkSetDebugUtilsObjectNameEXT of {}: {}", name, result_name(result));
}

void Device::begin_label(VkCommandBuffer commands, std::string_view name) const {
    if (!begin_label_) return;
    const std::string text(name);
    VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
    label.pLabelName = text.c_str();
    begin_label_(commands, &label);
}

void Device::end_label(VkCommandBuffer commands) const {
    if (end_label_) end_label_(commands);
}

}  // namespace dragoman::vulkan
