// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace dragoman::os {

// "" where the variable is not set.
std::string environment(const char* name);

// Where this user's programs keep files that can be made again; empty where the system does not say.
std::filesystem::path cache_folder();
// Where this user's programs keep their settings; likewise.
std::filesystem::path config_folder();
// Where this user's programs keep what cannot be made again; likewise.
std::filesystem::path data_folder();
// The user's own folder; likewise.
std::filesystem::path home_folder();

}  // namespace dragoman::os
