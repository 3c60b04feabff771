// SPDX-License-Identifier: Apache-2.0
#include "vulkan/commands.h"

#include "vulkan/result.h"

namespace dragoman::vulkan {

Commands::Commands(const Device& device, std::string_view name) : device_(device) {
    VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    pool.queueFamilyIndex = device_.physical().queue_family;
    vk_check(device_->vkCreateCommandPool(device_.handle(), &pool, nullptr, &pool_), "vkCreateCommandPool");
    VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
    info.commandPool = pool_;
    info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
    info.commandBufferCount = 1;
    const VkResult result = device_->vkAllocateCommandBuffers(device_.handle(), &info, &handle_);
    if (result != VK_SUCCESS) device_->vkDestroyCommandPool(device_.handle(), pool_, nullptr);
    vk_check(result, "vkAllocateCommandBuffers");
    device_.set_name(VK_OBJECT_TYPE_COMMAND_BUFFER, handle_, name);
}

Commands::~Commands() { device_->vkDestroyCommandPool(device_.handle(), pool_, nullptr); }

void Commands::begin(VkCommandBufferUsageFlags usage) {
    vk_check(device_->vkResetCommandPool(device_.handle(), pool_, 0), "vkResetCommandPool");
    VkCommandBufferBeginInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    info.flags = usage;
    vk_check(device_->vkBeginCommandBuffer(handle_, &info), "vkBeginCommandBuffer");
}

void Commands::end() { vk_check(device_->vkEndCommandBuffer(handle_), "vkEndCommandBuffer"); }

}  // namespace dragoman::vulkan
