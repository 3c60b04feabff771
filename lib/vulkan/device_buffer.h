// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/error.h"
#include "vulkan/buffer.h"
#include "vulkan/context.h"
#include "vulkan/hazards.h"
#include "vulkan/memory.h"
#include "vulkan/timeline.h"

namespace dragoman::vulkan {

// The implementation of Buffer.
class DeviceBuffer final : public Buffer, public std::enable_shared_from_this<DeviceBuffer> {
public:
    DeviceBuffer(std::shared_ptr<Context> context, uint64_t size_bytes, BufferUse use, std::string name);
    ~DeviceBuffer() override;

    VkBuffer handle() const { return owned_->allocation.buffer; }
    BufferUse use() const { return use_; }
    const Context& context() const { return *context_; }

private:
    struct Owned final : Timeline::Buried {
        explicit Owned(Memory& from) : memory(from) {}
        ~Owned() override {
            if (allocation.buffer) memory.free(allocation);
        }
        Memory& memory;
        Allocation allocation{};
    };

    std::shared_ptr<Context> context_;  // declared first, so destroyed last
    BufferUse use_;
    std::unique_ptr<Owned> owned_;
};

inline const DeviceBuffer& device_buffer(const BufferView& view) {
    return static_cast<const DeviceBuffer&>(*view.buffer);
}

inline BufferRange range_of(const BufferView& view) {
    return {view.buffer, view.offset, view.offset + view.size_bytes};
}

// Asserts that the view is not empty, lies inside its buffer and belongs to `context`.
inline void check_view(const BufferView& view, const Context& context) {
    DRAGOMAN_ASSERT(view.buffer != nullptr);
    DRAGOMAN_ASSERT(view.size_bytes > 0);
    DRAGOMAN_ASSERT(view.offset <= view.buffer->size_bytes());
    DRAGOMAN_ASSERT(view.size_bytes <= view.buffer->size_bytes() - view.offset);
    DRAGOMAN_ASSERT(&device_buffer(view).context() == &context);
}

}  // namespace dragoman::vulkan
