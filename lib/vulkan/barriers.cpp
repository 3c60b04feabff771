// SPDX-License-Identifier: Apache-2.0
#include "vulkan/barriers.h"

namespace dragoman::vulkan {
namespace {

constexpr VkPipelineStageFlags kStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkAccessFlags kWrites = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags kReads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;

void barrier(const Device& device, VkCommandBuffer commands, VkPipelineStageFlags from, VkPipelineStageFlags to,
             VkAccessFlags made_visible_to) {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = kWrites;
    memory.dstAccessMask = made_visible_to;
    device->vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

}  // namespace

void full_barrier(const Device& device, VkCommandBuffer commands) {
    constexpr VkPipelineStageFlags kAll = kStages | VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
    barrier(device, commands, kAll, kAll, kWrites | kReads | VK_ACCESS_INDIRECT_COMMAND_READ_BIT);
}

void shader_barrier(const Device& device, VkCommandBuffer commands) {
    barrier(device, commands, kStages, kStages, kWrites | kReads);
}

void host_read_barrier(const Device& device, VkCommandBuffer commands) {
    barrier(device, commands, kStages, VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT);
}

}  // namespace dragoman::vulkan
