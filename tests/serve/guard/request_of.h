// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "serve/http/message.h"

namespace request_of_test {

// A request as the server gives it to the guard.
inline std::unique_ptr<serve::http::Request> request_of(const std::string& method, const std::string& peer,
                                                        std::vector<serve::http::Header> headers) {
    auto request = std::make_unique<serve::http::Request>();
    request->method = method;
    request->peer = peer;
    request->path = request->target = "/translate";
    request->headers = std::move(headers);
    return request;
}

// The headers of that name as one list; empty: there is none.
inline std::string header_of(const serve::http::Response& response, const std::string& name) {
    std::string list;
    for (const serve::http::Header& header : response.headers)
        if (header.name == name) list += (list.empty() ? "" : ", ") + header.value;
    return list;
}

}  // namespace request_of_test
