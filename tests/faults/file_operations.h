// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace dragoman::faults {

// Something that reads or writes files in an empty folder, and what must be true of it whatever fails.
struct Operation {
    std::string name;
    std::function<void(const std::filesystem::path& folder)> prepare{};  // what is there before; without faults
    // What fails here fails the operation: throws Error. Gives what was read or found, the same in every run without
    // faults.
    std::function<std::string(const std::filesystem::path& folder)> run{};
    bool quiet = false;  // nothing fails it: caches, and memories that go on without their file
    bool grows = false;  // writes files that may end anywhere, and are read to their last whole part
};

std::vector<Operation> reading_operations();
std::vector<Operation> writing_operations();

}  // namespace dragoman::faults
