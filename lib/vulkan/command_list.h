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
    VkCommandBuffer commands() const { return owned_->commands.handle(); }
    void begin();
    void end() { owned_->commands.end(); }
    const PassQueries& queries() const { return owned_->queries; }
    PassQueries& queries() { return owned_->queries; }

    void keep_alive(const BufferView& view);
    VkDescriptorSet descriptor_set(const Shader& shader, VkDescriptorSetLayout layout,
                                   std::span<const BufferView> buffers);

    uint32_t dispatch_count = 0;

private:
    struct Owned final : Timeline::Buried {
        explicit Owned(const Device& of) : device(of), commands(of, "command list"), queries(of) {}
        ~Owned() override;
        const Device& device;
        Commands commands;
        std::vector<VkDescriptorPool> descriptor_pools{};
        std::vector<VkBufferView> texel_views{};
        PassQueries queries;
    };
    VkBufferView texel_view(const BufferView& view);

    std::shared_ptr<Context> context_;  // declared first, so destroyed last
    const Device& device_;
    std::unique_ptr<Owned> owned_;
    uint32_t sets_left_ = 0, descriptors_left_ = 0;
    std::unordered_set<std::shared_ptr<const DeviceBuffer>> buffers_;
};

inline const RecordedList& recorded(const CommandList& list) { return static_cast<const RecordedList&>(list); }

}  // namespace dragoman::vulkan
