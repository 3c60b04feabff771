// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <string>

#include "base/error.h"

namespace dragoman {

// An exception as a value, to cross threads and the C API. Only here do exceptions become a status and a message.
struct Failure {
    Status status = Status::ok;
    std::string message{};

    explicit operator bool() const { return status != Status::ok; }
    // Null where the status is ok. Where memory runs out, what says so.
    std::exception_ptr exception() const noexcept;

    // The exception that is being handled; call it in a catch block only.
    static Failure current() noexcept;
    static Failure of(const std::exception_ptr& error) noexcept;  // null: ok
    static Failure make(Status status, const char* message) noexcept;
    // Takes over what another says; its message only if there is memory for it.
    void set(const Failure& other) noexcept;
};

}  // namespace dragoman
