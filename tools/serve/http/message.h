// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

// The room of HTTP: sockets, requests, answers. It knows nothing of translations, keys or routes.
namespace serve::http {

struct Header {
    std::string name, value;
};

// A request whose head was checked by the gate: it means one thing to everybody who reads it.
struct Request {
    std::string method;            // "GET"
    std::string target;            // as it came: path and query
    std::string path;              // percent-decoded, without --api-prefix and query: "/translate"
    std::string path_fault;  // what escapes the path has that others may read as something else: slashes, backslashes,
        // control characters, which stay escaped in it. The server refuses such a path unless its rest is a text
    std::string query;  // as it came, without '?'
    std::vector<Header> headers;  // as they came, values without blanks around them
    std::string peer;  // numeric address of the connection; "unix": a UNIX socket
    bool secure = false;  // over TLS
    std::string body;  // empty where `body_file` has it
    std::filesystem::path body_file;  // where a body was streamed to; removed with the request
    std::uint64_t body_bytes = 0;
    std::string id;  // of this request, for logs and the answer's X-Request-Id

    Request() = default;
    Request(const Request&) = delete;
    Request& operator=(const Request&) = delete;
    ~Request();  // removes body_file

    // The first header of that name in any case; empty: there is none.
    std::string_view header(std::string_view name) const;
    // The type without its parameters, in small letters: "application/json".
    std::string content_type() const;
};

struct Response {
    int status = 200;
    std::string content_type = "application/json";  // empty: no body
    std::string body;
    std::vector<Header> headers;
    std::filesystem::path file;  // is sent instead of `body`
    bool remove_file = false;  // after it was sent, or was not
};

// "Not Found"; empty for a status that has no name.
std::string_view reason(int status);

}  // namespace serve::http
