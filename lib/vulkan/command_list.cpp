// SPDX-License-Identifier: Apache-2.0
#include "vulkan/command_list.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "vulkan/pipelines.h"
#include "vulkan/result.h"
#include "vulkan/texel_buffers.h"

namespace dragoman::vulkan {
namespace {

constexpr uint32_t kSetsPerPool = 64;
constexpr uint32_t kDescriptorsPerPool = 512, kTexelsPerPool = 128;
constexpr uint64_t kTexelBytes = 16;

}  // namespace

RecordedList::RecordedList(std::shared_ptr<Context> context)
    : context_(std::move(context)), device_(context_->impl().device), owned_(std::make_unique<Owned>(device_)) {}

RecordedList::~RecordedList() { context_->impl().bury(std::move(owned_)); }

RecordedList::Owned::~Owned() {
    for (VkDescriptorPool pool : descriptor_pools) device->vkDestroyDescriptorPool(device.handle(), pool, nullptr);
    for (VkBufferView view : texel_views) device->vkDestroyBufferView(device.handle(), view, nullptr);
}

// The list may be submitted again while it is still pending.
void RecordedList::begin() { owned_->commands.begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT); }

void RecordedList::keep_alive(const BufferView& view) { buffers_.insert(device_buffer(view).shared_from_this()); }

VkBufferView RecordedList::texel_view(const BufferView& view) {
    const uint64_t bytes = bound_bytes(view);
    const uint64_t most_bytes = device_.caps().max_texels * kTexelBytes;
    DRAGOMAN_ASSERT(bytes % kTexelBytes == 0 && bytes <= most_bytes);
    VkBufferViewCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO};
    info.buffer = device_buffer(view).handle();
    info.format = VK_FORMAT_R32G32B32A32_UINT;
    info.offset = view.offset;
    info.range = std::min(texel_range(bytes), most_bytes);
    VkBufferView& kept = owned_->texel_views.emplace_back();
    VkBufferView made = VK_NULL_HANDLE;  // what a driver leaves here when it fails is no handle
    vk_check(device_->vkCreateBufferView(device_.handle(), &info, nullptr, &made), "vkCreateBufferView");
    return kept = made;
}

VkDescriptorSet RecordedList::descriptor_set(const Shader& shader, VkDescriptorSetLayout layout,
                                             std::span<const BufferView> buffers) {
    const auto count = static_cast<uint32_t>(buffers.size());
    if (sets_left_ == 0 || descriptors_left_ < count) {
        const VkDescriptorPoolSize sizes[]{{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kDescriptorsPerPool},
                                           {VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, kTexelsPerPool}};
        VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
        info.maxSets = kSetsPerPool;
        info.poolSizeCount = 2;
        info.pPoolSizes = sizes;
        VkDescriptorPool& kept = owned_->descriptor_pools.emplace_back();
        VkDescriptorPool made = VK_NULL_HANDLE;
        vk_check(device_->vkCreateDescriptorPool(device_.handle(), &info, nullptr, &made), "vkCreateDescriptorPool");
        kept = made;
        sets_left_ = kSetsPerPool;
        descriptors_left_ = kDescriptorsPerPool;
    }
    VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    info.descriptorPool = owned_->descriptor_pools.back();
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    VkDescriptorSet set = VK_NULL_HANDLE;
    vk_check(device_->vkAllocateDescriptorSets(device_.handle(), &info, &set), "vkAllocateDescriptorSets");
    --sets_left_;
    descriptors_left_ -= count;

    std::array<VkDescriptorBufferInfo, kMaxBuffers> ranges;
    std::array<VkWriteDescriptorSet, kMaxBuffers> writes;
    std::array<VkBufferView, kMaxBuffers> texels;
    for (uint32_t i = 0; i < count; ++i) {
        const BufferView& view = buffers[i];
        ranges[i] = {device_buffer(view).handle(), view.offset, bound_bytes(view)};
        writes[i] = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
        writes[i].dstSet = set;
        writes[i].dstBinding = i;
        writes[i].descriptorCount = 1;
        writes[i].descriptorType = descriptor_type(shader, i);
        writes[i].pBufferInfo = &ranges[i];
        if (shader.texels >> i & 1) {
            texels[i] = texel_view(buffers[i]);
            writes[i].pTexelBufferView = &texels[i];
        }
    }
    device_->vkUpdateDescriptorSets(device_.handle(), count, writes.data(), 0, nullptr);
    return set;
}

}  // namespace dragoman::vulkan
