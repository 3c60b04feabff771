// SPDX-License-Identifier: Apache-2.0
#include "decode/mirror.h"

#include <algorithm>
#include <vector>

namespace dragoman::decode {

using vulkan::BufferUse;

Mirror::Mirror(vulkan::Context& context, uint32_t words, const std::string& name)
    : on_host_(context.buffer(words * 4ull, BufferUse::progress, name)) {
    on_device_ = context.caps().unified_memory ? on_host_
                                               : context.buffer(words * 4ull, BufferUse::device, name + " on device");
}

void Mirror::fill(vulkan::Context& context, uint32_t at, uint32_t words, uint32_t value) {
    const std::vector<uint32_t> filling(words, value);
    std::ranges::copy(filling, static_cast<uint32_t*>(on_host_->mapped()) + at);
    if (needs_copy()) context.upload({*on_device_, at * 4ull, words * 4ull}, filling.data(), words * 4ull);
}

void Mirror::record_copy(ops::Recorder& rec) const { rec.copy(*on_device_, *on_host_); }

}  // namespace dragoman::decode
