// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>  // join, from fmt 11 on

#include <stdexcept>
#include <string>
#include <utility>

namespace dragoman {

// A class of failure that a caller can act on; the message says the rest. Values equal dragoman_status in the C API.
enum class Status : int {
    ok = 0,
    invalid_argument = 1,  // an option, text or handle the caller passed
    bad_model = 2,         // a model file that is broken, incomplete or contradicts itself
    unsupported = 3,       // a valid request that this build, model or device cannot do
    out_of_memory = 4,     // host or device memory ran out
    device_lost = 5,       // the device stopped answering; reopen the translator
    no_device = 6,         // no Vulkan loader, no driver, or no device that fits the request
    io_error = 7,          // a file that cannot be read or written
    cancelled = 8,         // the caller asked to stop
    internal = 9,          // a fault of ours
};

// The one exception type. The message names the thing and both values:
// "decoder/layer_3/ffn/linear_0/weight: expected 2048x512, file has 1536x512".
class Error : public std::runtime_error {
public:
    Error(Status status, const std::string& message) : std::runtime_error(message), status_(status) {}
    Status status() const noexcept { return status_; }

private:
    Status status_;
};

// Compiled once, whatever the types of the arguments.
[[noreturn]] void fail_with(Status status, fmt::string_view format, fmt::format_args args);

template <class... Args>
[[noreturn]] void fail(Status status, fmt::format_string<Args...> format, Args&&... args) {
    fail_with(status, format, fmt::make_format_args(args...));
}

// Reports a programmer's mistake, in every build. Throws Error{internal}.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

}  // namespace dragoman

#define DRAGOMAN_ASSERT(condition) \
    ((condition) ? void(0) : ::dragoman::assertion_failed(#condition, __FILE__, __LINE__))
