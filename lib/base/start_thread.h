// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <thread>

namespace dragoman {

// Starts a thread of the library (os::start_worker_thread). Throws out_of_memory that names what it is for where the
// system makes no more threads.
std::thread start_thread(const char* what, std::function<void()> body);

}  // namespace dragoman
