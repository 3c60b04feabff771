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

Failure Failure::make(Status status, const char* message) noexcept { return failure(status, message); }

void Failure::set(const Failure& other) noexcept {
    status = other.status;
    try {
        message = other.message;
    } catch (...) {
        message.clear();
    }
}

std::exception_ptr Failure::exception() const noexcept {
    if (status == Status::ok) return nullptr;
    try {
        return std::make_exception_ptr(Error(status, message));
    } catch (...) {
        return std::current_exception();
    }
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
