// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "serve/http/message.h"

namespace serve::http {

// What a connection adds to the head of an answer.
struct HeadFacts {
    std::string date, id;
    int minor = 1;            // of the request's HTTP/1
    bool keep_alive = true;
    bool chunked = false;
    std::optional<std::uint64_t> length;
};

bool may_have_body(int status);  // not 204 and 304
// From the status line to the empty line. Headers of the application that would frame the message are left out, and control
// characters in values become blanks, so that no value ends its line.
std::string response_head(const Response& response, const HeadFacts& facts);

}  // namespace serve::http
