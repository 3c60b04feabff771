// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/os/environment.h"

namespace dragoman {

using os::environment;

// Whether the variable is set, not empty and not "0".
bool environment_flag(const char* name);

}  // namespace dragoman
