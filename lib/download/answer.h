// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "download/transfer.h"
#include "download/url.h"

namespace dragoman::download {

// The head of a server's answer.
struct Answer {
    int status = 0;
    std::map<std::string, std::string> headers;  // names in lower case

    // A line as the server sent it; a status line begins a new answer.
    void add_line(std::string_view line);
    std::string header(const std::string& name) const;  // "" none
    std::optional<uint64_t> length() const;             // Content-Length
    // How long the server asks to wait, by its Retry-After in seconds or as a date; against its own Date, or `now` (Unix
    // seconds) where it has none.
    std::optional<double> retry_after(int64_t now) const;

    bool redirects() const;
    bool good() const { return (status >= 200 && status < 300) || status == 416; }
    bool may_pass() const;  // a failure that a later try may not have
};

// "bytes 5-9/10" or "bytes */10".
struct ContentRange {
    std::optional<uint64_t> begin, total;
    static ContentRange parse(const std::string& header);
};

// Throws io_error with a sentence that says what to do. `tried`: how often it was asked.
[[noreturn]] void refuse_answer(const Request& request, const Url& url, const Answer& answer, int tried);

}  // namespace dragoman::download
