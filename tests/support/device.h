// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <memory>
#include <string>
#include <utility>
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

// The contexts of for_every_held_device(), by device and kernels; support/validation_listener.cpp closes them.
using HeldContexts = std::map<std::pair<uint32_t, bool>, std::shared_ptr<vulkan::Context>>;
inline HeldContexts& held_contexts() {
    static HeldContexts all;
    return all;
}

// As above, but with contexts that stay open over the program's test cases and keep its kernels: most of a test's time
// would be spent on compiling these again. Whatever a test case changes in a context stays. gpu_kernels: CPUs pass for
// GPUs.
template <class F>
void for_every_held_device(F&& f, bool gpu_kernels = false) {
    const std::vector<vulkan::Caps> devices = vulkan::list_devices();
    REQUIRE(!devices.empty());
    for (const vulkan::Caps& caps : devices) {
        CAPTURE(caps.name);
        std::shared_ptr<vulkan::Context>& context = held_contexts()[{caps.index, gpu_kernels}];
        if (!context)
            context = vulkan::Context::create({.device = std::to_string(caps.index), .gpu_kernels = gpu_kernels});
        f(context);
    }
}

}  // namespace dragoman::test
