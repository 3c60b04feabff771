// SPDX-License-Identifier: Apache-2.0
#include "base/failure.h"

#include <new>

namespace dragoman {
namespace {

Failure failure(Status status, const char* message) noexcept {
    try {
        return {status, message};
    } catch (...) {  // no memory for the message
        return {status, {}};
    }
}

}  // namespace

std::exception_ptr Failure::exception() const {
    return status == Status::ok ? nullptr : std::make_exception_ptr(Error(status, message));
}

Failure Failure::current() noexcept {
    try {
        throw;
    } catch (const Error& error) {
        return failure(error.status(), error.what());
    } catch (const std::bad_alloc&) {
        return failure(Status::out_of_memory, "out of host memory");
    } catch (const std::exception& error) {
        return failure(Status::internal, error.what());
    } catch (...) {
        return failure(Status::internal, "unknown exception");
    }
}

Failure Failure::of(const std::exception_ptr& error) noexcept {
    if (!error) return {};
    try {
        std::rethrow_exception(error);
    } catch (...) {
        return current();
    }
}

}  // namespace dragoman
