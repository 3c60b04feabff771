// SPDX-License-Identifier: Apache-2.0
#include "vulkan/barriers.h"

namespace dragoman::vulkan {
namespace {

void barrier(const Device& device, VkCommandBuffer commands, VkPipelineStageFlags from, VkAccessFlags written,
             VkPipelineStageFlags to, VkAccessFlags made_visible_to) {
    VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER};
    memory.srcAccessMask = written;
    memory.dstAccessMask = made_visible_to;
    device->vkCmdPipelineBarrier(commands, from, to, 0, 1, &memory, 0, nullptr, 0, nullptr);
}

}  // namespace

void memory_barrier(const Device& device, VkCommandBuffer commands, const BarrierReach& reach) {
    VkPipelineStageFlags from = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
    constexpr VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
    VkAccessFlags reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;
    if (reach.arguments) {
        from |= VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT;
        reads |= VK_ACCESS_INDIRECT_COMMAND_READ_BIT;
    }
    VkPipelineStageFlags to = from;
    if (reach.condition) {
        to |= VK_PIPELINE_STAGE_CONDITIONAL_RENDERING_BIT_EXT;
        reads |= VK_ACCESS_CONDITIONAL_RENDERING_READ_BIT_EXT;
    }
    barrier(device, commands, from, writes, to, writes | reads);
}

void host_read_barrier(const Device& device, VkCommandBuffer commands) {
    barrier(device, commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT,
            VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_HOST_BIT,
            VK_ACCESS_HOST_READ_BIT);
}

}  // namespace dragoman::vulkan
