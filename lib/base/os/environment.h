// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace dragoman::os {

// "" where the variable is not set.
std::string environment(const char* name);

// Where programs of this user keep what can be made anew; empty where the system does not say.
std::filesystem::path cache_folder();

}  // namespace dragoman::os
