// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

#include <cstdlib>

namespace dragoman {

std::string environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

bool environment_flag(const char* name) {
    const std::string value = environment(name);
    return !value.empty() && value != "0";
}

}  // namespace dragoman
