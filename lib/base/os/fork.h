// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dragoman::os {

// How many calls of fork() lie between the process that loaded the library and this one.
uint32_t forks() noexcept;

}  // namespace dragoman::os
