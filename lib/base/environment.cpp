// SPDX-License-Identifier: Apache-2.0
#include "base/environment.h"

namespace dragoman {

bool environment_flag(const char* name) {
    const std::string value = environment(name);
    return !value.empty() && value != "0";
}

}  // namespace dragoman
