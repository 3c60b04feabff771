// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <thread>
#include <utility>

#if __has_include(<pthread.h>)
#include <pthread.h>

#include <csignal>
#endif

namespace dragoman {

// A thread of the library's: signals are for the program's own threads.
template <class Body>
std::thread start_worker_thread(Body&& body) {
#if __has_include(<pthread.h>)
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    struct Restore {
        const sigset_t& mask;
        ~Restore() { pthread_sigmask(SIG_SETMASK, &mask, nullptr); }
    } restore{before};
#endif
    return std::thread(std::forward<Body>(body));
}

}  // namespace dragoman
