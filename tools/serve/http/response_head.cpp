// SPDX-License-Identifier: Apache-2.0
#include "serve/http/response_head.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

#include "serve/ascii.h"
#include "serve/http/characters.h"

namespace serve::http {
namespace {

bool is_of_connection(std::string_view name) {
    static constexpr std::array kNames{"Connection", "Content-Length", "Transfer-Encoding",
                                       "Keep-Alive", "Trailer",        "Upgrade",
                                       "Date",       "Server",         "X-Request-Id"};
    return std::any_of(kNames.begin(), kNames.end(), [&](const char* own) { return same_in_any_case(name, own); });
}

void add_line(std::string& head, std::string_view name, std::string_view value) {
    head += name;
    head += ": ";
    for (char c : value) head += is_control(c) && c != '\t' ? ' ' : c;
    head += "\r\n";
}

}  // namespace

bool may_have_body(int status) { return status >= 200 && status != 204 && status != 304; }

std::string response_head(const Response& response, const HeadFacts& facts) {
    std::string head = fmt::format("HTTP/1.1 {} {}\r\nServer: dragoman\r\n", response.status, reason(response.status));
    add_line(head, "Date", facts.date);
    if (!facts.id.empty()) add_line(head, "X-Request-Id", facts.id);
    if (!response.content_type.empty() && may_have_body(response.status))
        add_line(head, "Content-Type", response.content_type);
    for (const Header& header : response.headers)
        if (is_token(header.name) && !is_of_connection(header.name)) add_line(head, header.name, header.value);
    if (facts.chunked) head += "Transfer-Encoding: chunked\r\n";
    if (facts.length && may_have_body(response.status))
        fmt::format_to(std::back_inserter(head), "Content-Length: {}\r\n", *facts.length);
    if (!facts.keep_alive) head += "Connection: close\r\n";
    if (facts.keep_alive && facts.minor == 0) head += "Connection: keep-alive\r\n";
    head += "\r\n";
    return head;
}

}  // namespace serve::http
