// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dragoman/dragoman.h>

#include <exception>
#include <new>
#include <string_view>

#include "base/error.h"

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
    } catch (const Error& error) {
        set_last_error(error.what());
        return static_cast<dragoman_status>(error.status());
    } catch (const std::bad_alloc&) {
        set_last_error("out of host memory");
        return DRAGOMAN_OUT_OF_MEMORY;
    } catch (const std::exception& error) {
        set_last_error(error.what());
        return DRAGOMAN_INTERNAL;
    } catch (...) {
        set_last_error("unknown exception");
        return DRAGOMAN_INTERNAL;
    }
}

}  // namespace dragoman::capi
