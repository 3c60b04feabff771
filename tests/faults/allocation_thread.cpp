// SPDX-License-Identifier: Apache-2.0
// Takes the place of pthread_create(), so that a thread of the library can fail to be made. Drivers' threads do not.
#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>

#include "allocation_new.h"

extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*body)(void*),
                              void* argument) {
    using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
    static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
    if (dragoman::faults::fails_thread(__builtin_return_address(0))) return EAGAIN;
    return create(thread, attributes, body, argument);
}
