// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>

#ifdef _WIN32
extern "C" __declspec(dllimport) int __stdcall SetEnvironmentVariableA(const char* name, const char* value);
#endif

namespace dragoman::test {

// Sets a variable of this process; null removes it. ASCII.
inline void set_environment(const char* name, const char* value) {
#ifdef _WIN32
    SetEnvironmentVariableA(name, value);
#else
    if (value) setenv(name, value, 1);
    else unsetenv(name);
#endif
}

}  // namespace dragoman::test
