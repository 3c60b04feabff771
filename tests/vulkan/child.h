// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace dragoman::test {

// Runs one skipped test case of this executable in a process of its own; true when it passes there.
// `environment`: "NAME=value NAME=value".
inline bool passes_in_child(const std::string& environment, const std::string& test_case) {
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    const std::string command =
        "env " + environment + " '" + self + "' --no-skip --minimal --test-case='" + test_case + "'";
    return std::system(command.c_str()) == 0;
}

}  // namespace dragoman::test
