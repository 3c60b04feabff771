// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace dragoman::os {

// Starts a thread of the library, in which signals are blocked: they are for the program's own threads.
std::thread start_worker_thread(std::function<void()> body);

// Starts a thread that the end of the program does not wait for.
void start_detached_thread(std::function<void()> body);

// Whether this is the thread that main() runs on. False where the objects of a thread of the library are destroyed only
// when no other thread is left.
bool is_main_thread();

}  // namespace dragoman::os
