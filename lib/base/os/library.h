// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace dragoman::os {

// Loads a shared library; null on failure, and `error` says why. It is never closed: drivers leave threads and
// thread-local destructors behind.
void* load_library(const std::filesystem::path& path, std::string& error);
// Null where the library has no symbol of that name.
void* find_symbol(void* library, const char* name);

// The file that holds this address of the process: a shared library or the program. Empty if that is unknown.
std::filesystem::path file_of_address(const void* address);

}  // namespace dragoman::os
