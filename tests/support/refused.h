// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>

#include "base/error.h"
#include "files/file_bytes.h"

namespace dragoman::test {

// The call fails with this status and a message that has all these parts.
template <class Call>
void check_refused(Status status, std::initializer_list<const char*> parts, Call&& call) {
    try {
        call();
        FAIL_CHECK("nothing was refused; expected: " << *parts.begin());
    } catch (const Error& error) {
        const std::string message = error.what();
        INFO(message);
        CHECK(error.status() == status);
        for (const char* part : parts) CHECK_MESSAGE(message.find(part) != std::string::npos, part);
    }
}

inline FileBytes in_memory(const std::string& content, std::string name = "m") {
    return {.name = std::move(name), .bytes = std::as_bytes(std::span(content)), .owner = nullptr};
}

}  // namespace dragoman::test
