// SPDX-License-Identifier: Apache-2.0
#include "base/os/thread.h"

#include <utility>

namespace dragoman::os {

// Here no signal interrupts a thread.
std::thread start_worker_thread(std::function<void()> body) { return std::thread(std::move(body)); }

}  // namespace dragoman::os
