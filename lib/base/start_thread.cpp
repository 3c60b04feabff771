// SPDX-License-Identifier: Apache-2.0
#include "base/start_thread.h"

#include <system_error>
#include <utility>

#include "base/error.h"
#include "base/os/thread.h"

namespace dragoman {

std::thread start_thread(const char* what, std::function<void()> body) {
    try {
        return os::start_worker_thread(std::move(body));
    } catch (const std::system_error& error) {
        fail(Status::out_of_memory, "{}: the system makes no more threads: {}", what, error.code().message());
    }
}

}  // namespace dragoman
