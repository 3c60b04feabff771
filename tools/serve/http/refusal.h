// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace serve::http {

// What a client sent cannot be served; its connection is closed after the answer.
struct Refusal : std::runtime_error {
    Refusal(int code, const std::string& message, int seconds = 0)
        : std::runtime_error(message), status(code), retry_after(seconds) {}
    int status;
    int retry_after;  // seconds; 0: not said
};

}  // namespace serve::http
