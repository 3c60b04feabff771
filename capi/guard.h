// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <string_view>

#include "base/failure.h"

namespace dragoman::capi {

// Keeps the message for dragoman_last_error() on this thread; cuts it rather than fail.
void set_last_error(std::string_view message) noexcept;

// Runs one entry point: no exception gets past it.
template <class Body>
dragoman_status guard(Body&& body) noexcept {
    set_last_error("");
    try {
        body();
        return DRAGOMAN_OK;
    } catch (...) {
        const Failure failure = Failure::current();
        set_last_error(failure.message);
        return static_cast<dragoman_status>(failure.status);
    }
}

}  // namespace dragoman::capi
