// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "ops/tensor.h"
#include "vulkan/context.h"

namespace dragoman::decode {

// Words that the device reads and writes at every step and the host reads now and then. Where device and host have
// separate memory, they are in the device's, and the host requests copies.
class Mirror {
public:
    Mirror(vulkan::Context& context, uint32_t words, const std::string& name);

    const vulkan::Buffer& buffer() const { return *on_device_; }
    // Words as of the last copy that was waited for.
    const uint32_t* words() const { return static_cast<const uint32_t*>(on_host_->mapped()); }
    // Sets words on both sides, before what is submitted next. The device must be idle.
    void fill(vulkan::Context& context, uint32_t at, uint32_t words, uint32_t value);
    bool needs_copy() const { return on_host_ != on_device_; }
    void record_copy(ops::Recorder& rec) const;

private:
    std::shared_ptr<vulkan::Buffer> on_device_, on_host_;
};

}  // namespace dragoman::decode
