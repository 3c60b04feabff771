// SPDX-License-Identifier: Apache-2.0
#include "base/os/environment.h"

#include <cstdlib>

namespace dragoman::os {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

namespace {

std::filesystem::path folder_of_user(const char* variable, const char* in_home) {
    if (const std::string xdg = environment(variable); !xdg.empty()) return xdg;
    if (const std::string home = environment("HOME"); !home.empty()) return std::filesystem::path(home) / in_home;
    return {};
}

}  // namespace

std::filesystem::path cache_folder() { return folder_of_user("XDG_CACHE_HOME", ".cache"); }
std::filesystem::path config_folder() { return folder_of_user("XDG_CONFIG_HOME", ".config"); }
std::filesystem::path data_folder() { return folder_of_user("XDG_DATA_HOME", ".local/share"); }
std::filesystem::path home_folder() { return environment("HOME"); }

}  // namespace dragoman::os
