// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace dragoman::test {

// For a case about what Windows does not have: TEST_CASE("signals" * only_posix()) is skipped and counted there.
inline doctest::skip only_posix() {
#ifdef _WIN32
    return doctest::skip();
#else
    return doctest::skip(false);
#endif
}

// Wine's Vulkan is the host's, which knows nothing of a program's environment; its pseudo consoles pass nothing on.
bool on_wine();
inline doctest::skip not_on_wine() { return doctest::skip(on_wine()); }

// POSIX's alone; elsewhere they throw.
void make_named_pipe(const std::filesystem::path& path);
// The exit code of a program that writes to a device.
int run_into(const std::string& device, const std::string& program, const std::vector<std::string>& arguments);

}  // namespace dragoman::test
