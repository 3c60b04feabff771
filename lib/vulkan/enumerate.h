// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "vulkan/result.h"

namespace dragoman::vulkan {

// All that a function of the form `list(&count, things)` lists, also where the number changes between two calls of it.
template <class Thing, class Function>
std::vector<Thing> enumerate(const char* call, Function&& list, const Thing& empty = {}) {
    constexpr int kTries = 8;
    std::vector<Thing> things;
    for (int i = 0; i < kTries; ++i) {
        uint32_t count = 0;
        vk_check(list(&count, static_cast<Thing*>(nullptr)), call);
        if (count == 0) return {};
        things.assign(count, empty);
        const VkResult result = vk_check(list(&count, things.data()), call);
        things.resize(count, empty);
        if (result != VK_INCOMPLETE) break;
    }
    return things;
}

}  // namespace dragoman::vulkan
