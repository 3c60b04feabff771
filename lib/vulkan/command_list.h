// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_set>
#include <vector>

#include "vulkan/commands.h"
#include "vulkan/context_impl.h"
#include "vulkan/device_buffer.h"

namespace dragoman::vulkan {

// The implementation of CommandList: a command buffer in a pool of its own, with its descriptor sets and buffers.
class RecordedList final : public CommandList {
public:
    explicit RecordedList(std::shared_ptr<Context> context);
    ~RecordedList() override;

    uint32_t dispatches() const override { return dispatch_count; }

    Context& context() const { return *context_; }
    VkCommandBuffer commands() const { return commands_->handle(); }
    void begin();
    void end() { commands_->end(); }
    const PassQueries& queries() const { return *queries_; }
    PassQueries& queries() { return *queries_; }

    void keep_alive(const BufferView& view);
    VkDescriptorSet descriptor_set(const Shader& shader, VkDescriptorSetLayout layout,
                                   std::span<const BufferView> buffers);

    uint32_t dispatch_count = 0;

private:
    VkBufferView texel_view(const BufferView& view);

    std::shared_ptr<Context> context_;  // declared first, so destroyed last
    const Device& device_;
    std::shared_ptr<Commands> commands_;
    std::vector<VkDescriptorPool> descriptor_pools_;
    std::vector<VkBufferView> texel_views_;
    uint32_t sets_left_ = 0, descriptors_left_ = 0;
    std::shared_ptr<PassQueries> queries_;
    std::unordered_set<std::shared_ptr<const DeviceBuffer>> buffers_;
};

inline const RecordedList& recorded(const CommandList& list) { return static_cast<const RecordedList&>(list); }

}  // namespace dragoman::vulkan
