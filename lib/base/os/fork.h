// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dragoman::os {

// How many calls of fork() lie between the process that loaded the library and this one.
uint32_t forks() noexcept;

// For a process that was forked, before it makes threads of its own: what a library does at exit with threads that only
// the parent has then returns at once. Drivers join such threads, and the C library would have given their places to
// new threads, which do not end.
void keep_places_of_parent_threads() noexcept;

}  // namespace dragoman::os
