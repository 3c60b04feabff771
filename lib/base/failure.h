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
    // Null where the status is ok.
    std::exception_ptr exception() const;

    // The exception that is being handled; call it in a catch block only.
    static Failure current() noexcept;
    static Failure of(const std::exception_ptr& error) noexcept;  // null: ok
};

}  // namespace dragoman
