// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace serve::http {

struct RequestLine {
    std::string method;
    std::string authority;  // of a target in absolute form: "example.org:80"; otherwise empty
    std::string target;     // path and query, or "*"
    std::string path;       // decoded
    std::string query;      // as it came
    int minor = 1;          // of HTTP/1
};

// A line without CRLF. Throws Refusal.
RequestLine read_request_line(std::string_view line);
// The decoded path of a target, checked. Throws Refusal.
std::string read_path(std::string_view path);
// "example.org", "example.org:80", "[::1]:80".
bool is_authority(std::string_view text);

}  // namespace serve::http
