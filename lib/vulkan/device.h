// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "vulkan/instance.h"
#include "vulkan/physical_device.h"

namespace dragoman::vulkan {

// A VkDevice, its function table and its one queue: our own with every feature enabled that shaders may use, or an
// app's.
class Device {
public:
    Device(std::shared_ptr<Instance> instance, const PhysicalDevice& physical, bool debug_names);
    Device(std::shared_ptr<Instance> instance, const PhysicalDevice& physical, const ExternalDevice& external);
    ~Device();
    Device(const Device&) = delete;

    const VolkDeviceTable* operator->() const { return &table_; }
    VkDevice handle() const { return handle_; }
    VkQueue queue() const { return queue_; }  // used under Timeline's lock only, by the holder of a QueueLock
    bool owned() const { return owned_; }     // false: it is an app's, which uses it at the same time
    const Instance& instance() const { return *instance_; }
    const PhysicalDevice& physical() const { return physical_; }
    const Caps& caps() const { return physical_.caps; }

    template <class Handle>
    void set_name(VkObjectType type, Handle object, std::string_view name) const {
        if (set_name_) set_name_untyped(type, reinterpret_cast<uint64_t>(object), name);
    }
    void begin_label(VkCommandBuffer commands, std::string_view name) const;  // no-op without debug names
    void end_label(VkCommandBuffer commands) const;

    // Keeps the app from using its queue in other threads while it lives.
    class QueueLock {
    public:
        explicit QueueLock(const Device& device) : device_(device) {
            if (device_.lock_) device_.lock_();
        }
        ~QueueLock() {
            if (device_.unlock_) device_.unlock_();
        }
        QueueLock(const QueueLock&) = delete;

    private:
        const Device& device_;
    };

private:
    void load_table();
    void set_name_untyped(VkObjectType type, uint64_t object, std::string_view name) const;

    std::shared_ptr<Instance> instance_;
    PhysicalDevice physical_;
    bool owned_ = true;
    std::function<void()> lock_, unlock_;
    VolkDeviceTable table_{};
    VkDevice handle_ = VK_NULL_HANDLE;
    VkQueue queue_ = VK_NULL_HANDLE;
    PFN_vkSetDebugUtilsObjectNameEXT set_name_ = nullptr;
    PFN_vkCmdBeginDebugUtilsLabelEXT begin_label_ = nullptr;
    PFN_vkCmdEndDebugUtilsLabelEXT end_label_ = nullptr;
};

}  // namespace dragoman::vulkan
