// SPDX-License-Identifier: Apache-2.0
#include "base/os/thread.h"

#include <pthread.h>
#include <signal.h>

#include <utility>

namespace dragoman::os {

std::thread start_worker_thread(std::function<void()> body) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);  // the new thread inherits it
    struct Restore {
        const sigset_t& mask;
        ~Restore() { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
    } restore{before};
    return std::thread(std::move(body));
}

void start_detached_thread(std::function<void()> body) { std::thread(std::move(body)).detach(); }

}  // namespace dragoman::os
