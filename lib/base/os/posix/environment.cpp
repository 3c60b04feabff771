// SPDX-License-Identifier: Apache-2.0
#include "base/os/environment.h"

#include <cstdlib>

namespace dragoman::os {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

namespace {

// The XDG Base Directory Specification has relative paths ignored.
std::filesystem::path absolute(const char* variable) {
    const std::filesystem::path folder = environment(variable);
    return folder.is_absolute() ? folder : std::filesystem::path();
}

std::filesystem::path folder_of_user(const char* variable, const char* in_home) {
    if (const std::filesystem::path xdg = absolute(variable); !xdg.empty()) return xdg;
    if (const std::filesystem::path home = home_folder(); !home.empty()) return home / in_home;
    return {};
}

}  // namespace

std::filesystem::path cache_folder() { return folder_of_user("XDG_CACHE_HOME", ".cache"); }
std::filesystem::path config_folder() { return folder_of_user("XDG_CONFIG_HOME", ".config"); }
std::filesystem::path data_folder() { return folder_of_user("XDG_DATA_HOME", ".local/share"); }
std::filesystem::path home_folder() { return absolute("HOME"); }

}  // namespace dragoman::os
