// SPDX-License-Identifier: Apache-2.0
#include "base/os/thread.h"

#include <utility>

namespace dragoman::os {

// Here no signal interrupts a thread.
std::thread start_worker_thread(std::function<void()> body) { return std::thread(std::move(body)); }

// Kept, not detached: with MinGW's threads now and then one that is detached before it has begun never does.
void start_detached_thread(std::function<void()> body) { new std::thread(std::move(body)); }

}  // namespace dragoman::os
