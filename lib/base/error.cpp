// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

namespace dragoman {

void fail_with(Status status, fmt::string_view format, fmt::format_args args) {
    throw Error(status, fmt::vformat(format, args));
}

void assertion_failed(const char* condition, const char* file, int line) {
    fail(Status::internal, "assertion failed: {} ({}:{})", condition, file, line);
}

}  // namespace dragoman
