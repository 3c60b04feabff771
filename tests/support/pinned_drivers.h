// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifndef _WIN32
#include <dlfcn.h>
#include <link.h>
#endif

#include "base/error.h"
#include "vulkan/context.h"

namespace dragoman::test {

// Keeps drivers and layers loaded until the process ends. The Vulkan loader drops them with the last instance, and
// a sanitizer's report on a library that is gone has no name a suppression could match.
inline void pin_drivers() try {
#ifndef _WIN32
    const auto context = vulkan::Context::create({.device = "0", .cache_dir = "-"});  // loads every driver there is
    dl_iterate_phdr(
        [](dl_phdr_info* library, size_t, void*) {
            if (library->dlpi_name[0]) dlopen(library->dlpi_name, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
            return 0;
        },
        nullptr);
#endif
} catch (const Error&) {
    // Some tests are about machines without a loader.
}

}  // namespace dragoman::test
