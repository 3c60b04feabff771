// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace dragoman {

// Calls `body` with 0 ... count - 1: with 0 on the caller's thread, with each other number on a thread of its own.
// Waits for all of them; then throws the failure of the smallest number that has one. `what` the threads are for, see
// start_thread().
void side_by_side(const char* what, std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace dragoman
