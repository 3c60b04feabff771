// SPDX-License-Identifier: Apache-2.0
// A driver whose compiler takes minutes for a kernel: SIGTERM and Ctrl-C end the tool all the same.
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>

#include "fixture.h"
#include "support/child.h"
#include "support/system.h"
#include "support/temp_dir.h"

namespace stuck_driver_test {

using namespace dragoman::test;

TEST_CASE("a signal ends the tool while a kernel is being compiled" * only_posix()) {
    for (const int number : {SIGTERM, SIGINT}) {
        CAPTURE(number);
        const TempDir cache;
        Child tool({"/usr/bin/env", "DRAGOMAN_VULKAN_LOADER=" DRAGOMAN_BROKEN_DRIVER,
                    "DRAGOMAN_BROKEN_KERNELS=beam_step=stuck", "DRAGOMAN_CACHE_DIR=" + cache.path().string(),
                    DRAGOMAN_CLI, "translate", "--model", kModel, "--tokens", kSourceA});
        CHECK(tool.shows("stuck"));
        const auto begin = std::chrono::steady_clock::now();
        if (number == SIGINT) tool.type("\x03");
        else tool.signal(number);
        CHECK(tool.wait().signal == number);
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::minutes(5));  // it would have taken ten
    }
}

}  // namespace stuck_driver_test
