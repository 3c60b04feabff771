// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "vulkan/context.h"

namespace dragoman::test {

// Calls f(std::shared_ptr<Context>) for every Vulkan device with a context of its own. Validation is on where
// DRAGOMAN_VALIDATION=1 says so; a message fails the test case (support/validation_listener.cpp).
template <class F>
void for_every_device(F&& f, vulkan::ContextOptions options = {}) {
    const std::vector<vulkan::Caps> devices = vulkan::list_devices();
    REQUIRE(!devices.empty());
    for (const vulkan::Caps& caps : devices) {
        CAPTURE(caps.name);
        options.device = std::to_string(caps.index);
        f(vulkan::Context::create(options));
    }
}

}  // namespace dragoman::test
