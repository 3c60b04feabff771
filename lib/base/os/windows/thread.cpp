// SPDX-License-Identifier: Apache-2.0
#include "base/os/thread.h"

#include <utility>

namespace dragoman::os {

// On Windows no signal interrupts a thread.
std::thread start_worker_thread(std::function<void()> body) { return std::thread(std::move(body)); }

// The thread is kept, not detached: with MinGW's threads, one that is detached before it has begun sometimes never
// starts.
void start_detached_thread(std::function<void()> body) { new std::thread(std::move(body)); }

// When a process ends, Windows ends all other threads before it tells libraries.
bool is_main_thread() { return false; }

}  // namespace dragoman::os
