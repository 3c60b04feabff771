// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace dragoman {

// "" where the variable is not set.
std::string environment(const char* name);

// Set, not empty and not "0".
bool environment_flag(const char* name);

}  // namespace dragoman
