// SPDX-License-Identifier: Apache-2.0
#include "base/os/environment.h"

#include <cstdlib>

namespace dragoman::os {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

std::filesystem::path cache_folder() {
    if (const std::string xdg = environment("XDG_CACHE_HOME"); !xdg.empty()) return xdg;
    if (const std::string home = environment("HOME"); !home.empty()) return std::filesystem::path(home) / ".cache";
    return {};
}

}  // namespace dragoman::os
