// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

namespace dragoman::vulkan {

class Context;

enum class BufferUse : uint8_t {
    device,    // GPU only: weights, activations, caches
    arguments, // GPU only: arguments of indirect dispatches
    progress,  // small, device-written, host-mapped and coherent: polled without a wait
    dynamic,   // small, host-written, mapped and coherent: read by shaders
};

// A storage buffer and its memory. Freed when the last reference goes and the device is done with it.
class Buffer {
public:
    virtual ~Buffer() = default;
    uint64_t size_bytes() const { return size_bytes_; }
    void* mapped() const { return mapped_; }  // null for BufferUse::device
    const std::string& name() const { return name_; }

protected:
    uint64_t size_bytes_ = 0;
    void* mapped_ = nullptr;
    std::string name_;
};

// Sizes of buffers are rounded up to 16 bytes, so that shaders may see elements as quads.
inline uint64_t whole_quads(uint64_t bytes) { return (bytes + 15) / 16 * 16; }

// A range of a buffer, borrowed: the recorder that binds it keeps the buffer alive. `offset` is a multiple of
// caps.storage_alignment where the view is bound to a shader.
struct BufferView {
    const Buffer* buffer = nullptr;
    uint64_t offset = 0;
    uint64_t size_bytes = 0;

    BufferView() = default;
    BufferView(const Buffer& b) : buffer(&b), size_bytes(b.size_bytes()) {}
    BufferView(const Buffer& b, uint64_t offset_bytes, uint64_t bytes)
        : buffer(&b), offset(offset_bytes), size_bytes(bytes) {}
    explicit operator bool() const { return buffer != nullptr; }
};

// The number of the view's bytes that are bound.
inline uint64_t bound_bytes(const BufferView& view) {
    return std::min(whole_quads(view.size_bytes), whole_quads(view.buffer->size_bytes()) - view.offset);
}

}  // namespace dragoman::vulkan
