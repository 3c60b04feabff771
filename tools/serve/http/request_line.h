// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace serve::http {

struct RequestLine {
    std::string method;
    std::string authority;  // of a target in absolute form: "example.org:80"; otherwise empty
    std::string target;     // path and query, or "*"
    std::string path;       // decoded, but for what path_fault is about
    std::string path_fault;  // see Request
    std::string query;      // as it came
    int minor = 1;          // of HTTP/1
};

// A line without CRLF. Throws Refusal.
RequestLine read_request_line(std::string_view line);
// The decoded path of a target, checked. Throws Refusal; with `fault`, escaped slashes, backslashes and control
// characters stay escaped instead, and it says what they are.
std::string read_path(std::string_view path, std::string* fault = nullptr);
// "example.org", "example.org:80", "[::1]:80".
bool is_authority(std::string_view text);

}  // namespace serve::http
