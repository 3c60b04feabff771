// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <array>
#include <cstdio>

#include "base/failure.h"

// What guard.h is for libdragoman, for a library on top of it, which has messages of its own.
namespace dragoman::capi::own {

inline thread_local std::array<char, 4096> latest_error{};

// Runs one entry point: no exception gets past it.
template <class Body>
dragoman_status guard(Body&& body) noexcept {
    try {
        body();
        return DRAGOMAN_OK;
    } catch (...) {
        const Failure failure = Failure::current();
        std::snprintf(latest_error.data(), latest_error.size(), "%s", failure.message.c_str());
        return static_cast<dragoman_status>(failure.status);
    }
}

}  // namespace dragoman::capi::own
