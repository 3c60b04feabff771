// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "serve/http/message.h"

namespace serve::http {

// How a request lies on its connection.
struct Framing {
    int minor = 1;             // of HTTP/1
    bool chunked = false;
    std::uint64_t length = 0;  // of the body, where it is not chunked
    bool keep_alive = true;
    bool expects_continue = false;
    bool has_body() const { return chunked || length != 0; }
};

// Reads a head, from its request line to the empty line, into `request`. Nothing that readers take in different ways gets
// through. Throws Refusal; `request` then has what was read before.
Framing read_head(std::string_view head, Request& request);

}  // namespace serve::http
