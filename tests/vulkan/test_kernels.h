// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "test_shaders/mix.h"
#include "test_shaders/set_groups.h"
#include "test_shaders/twice.h"
#include "vulkan/context.h"

// The kernels of tests/vulkan/shaders, and buffers of words for them.
namespace dragoman::test {

struct MixPush {
    uint32_t count, factor;
};
struct MixTile {
    uint32_t size = 32, step = 1;
};
struct SetGroupsPush {
    uint32_t size;
};
struct TwicePush {
    uint32_t count;
};
inline constexpr vulkan::Kernel<MixPush, MixTile, 2> mix{spv::mix};  // y = y * factor + x
inline constexpr vulkan::Kernel<SetGroupsPush, vulkan::NoTile, 2> set_groups{spv::set_groups};
inline constexpr vulkan::Kernel<TwicePush, vulkan::NoTile, 2> twice{spv::twice};

inline vulkan::Groups groups_for(uint32_t count, const MixTile& tile = {}) {
    const uint32_t per_group = tile.size * tile.step;
    return {(count + per_group - 1) / per_group};
}

inline void record_mix(vulkan::Recorder& recorder, const vulkan::BufferView& x, const vulkan::BufferView& y,
                       uint32_t factor, const MixTile& tile = {}) {
    const auto count = static_cast<uint32_t>(y.size_bytes / 4);
    recorder.dispatch(mix, {}, {x, y}, MixPush{count, factor}, tile, groups_for(count, tile));
}

inline std::shared_ptr<vulkan::Buffer> words(vulkan::Context& context, const std::vector<uint32_t>& values,
                                             vulkan::BufferUse use = vulkan::BufferUse::device) {
    auto buffer = context.buffer(values.size() * 4, use, "words");
    context.upload(*buffer, values.data(), values.size() * 4);
    return buffer;
}

inline std::vector<uint32_t> words_of(vulkan::Context& context, const vulkan::BufferView& view) {
    std::vector<uint32_t> values(view.size_bytes / 4);
    context.readback(view, values.data(), values.size() * 4);
    return values;
}

}  // namespace dragoman::test
