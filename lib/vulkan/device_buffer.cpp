// SPDX-License-Identifier: Apache-2.0
#include "vulkan/device_buffer.h"

#include "vulkan/context_impl.h"

namespace dragoman::vulkan {
namespace {

MemoryUse memory_use(BufferUse use) {
    switch (use) {
        case BufferUse::progress: return MemoryUse::progress;
        case BufferUse::dynamic: return MemoryUse::dynamic;
        default: return MemoryUse::device;
    }
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::shared_ptr<Context> context, uint64_t size_bytes, BufferUse use, std::string name)
    : context_(std::move(context)), use_(use) {
    Context::Impl& impl = context_->impl();
    owned_ = std::make_unique<Owned>(impl.memory);
    owned_->allocation = impl.memory.allocate(size_bytes, memory_use(use), name, [&impl] {
        impl.timeline.wait(impl.staging.submit({}));  // frees buffers that the device has finished with
    });
    size_bytes_ = size_bytes;
    mapped_ = owned_->allocation.mapped;
    name_ = std::move(name);
}

DeviceBuffer::~DeviceBuffer() { context_->impl().bury(std::move(owned_)); }

}  // namespace dragoman::vulkan
