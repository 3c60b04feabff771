// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace dragoman::os {

// A thread of the library's: signals are for the program's own threads.
std::thread start_worker_thread(std::function<void()> body);

// A thread that the end of the program does not wait for.
void start_detached_thread(std::function<void()> body);

}  // namespace dragoman::os
