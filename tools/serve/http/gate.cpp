// SPDX-License-Identifier: Apache-2.0
#include "serve/http/gate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "serve/ascii.h"
#include "serve/http/characters.h"
#include "serve/http/refusal.h"
#include "serve/http/request_line.h"

namespace serve::http {
namespace {

constexpr std::size_t kMaxDigits = 19;

Header read_header(std::string_view line) {
    if (line[0] == ' ' || line[0] == '\t') throw Refusal(400, "a header goes on over several lines");
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) throw Refusal(400, fmt::format("a header has no colon: \"{}\"", shown(line)));
    const std::string_view name = line.substr(0, colon);
    if (!is_token(name)) throw Refusal(400, fmt::format("\"{}\" is no name of a header", shown(name)));
    const std::string_view value = without_blanks(line.substr(colon + 1));
    if (std::any_of(value.begin(), value.end(), [](char c) { return is_control(c) && c != '\t'; }))
        throw Refusal(400, fmt::format("the header {} has a control character", shown(name)));
    return {std::string(name), std::string(value)};
}

// The header of that name, of which there may be one at most.
const Header* only(const Request& request, std::string_view name) {
    const Header* found = nullptr;
    for (const Header& header : request.headers) {
        if (!same_in_any_case(header.name, name)) continue;
        if (found) throw Refusal(400, fmt::format("the request has the header {} more than once", name));
        found = &header;
    }
    return found;
}

std::uint64_t read_length(const std::string& value) {
    if (value.empty() || value.size() > kMaxDigits || !std::all_of(value.begin(), value.end(), is_digit))
        throw Refusal(400, fmt::format("Content-Length is \"{}\", no number of at most {} digits", shown(value),
                                       kMaxDigits));
    return std::stoull(value);  // 19 digits fit into 64 bits
}

void read_body_length(const Request& request, Framing& framing) {
    const Header* length = only(request, "Content-Length");
    const Header* coding = only(request, "Transfer-Encoding");
    if (length && coding) throw Refusal(400, "the request has both Content-Length and Transfer-Encoding");
    if (length) framing.length = read_length(length->value);
    if (!coding) return;
    if (framing.minor == 0) throw Refusal(400, "HTTP/1.0 has no Transfer-Encoding");
    if (!same_in_any_case(coding->value, "chunked"))
        throw Refusal(501, fmt::format("Transfer-Encoding is \"{}\"; only \"chunked\" is known", shown(coding->value)));
    framing.chunked = true;
}

void read_host(Request& request, const RequestLine& line) {
    const Header* host = only(request, "Host");
    if (!host && line.minor == 1) throw Refusal(400, "the request has no Host");
    if (host && !is_authority(host->value))
        throw Refusal(400, fmt::format("Host is \"{}\", no host", shown(host->value)));
    if (line.authority.empty()) return;
    // A target in absolute form outweighs Host (RFC 9112, 3.2.2); nobody behind may see the other one.
    std::erase_if(request.headers, [](const Header& header) { return same_in_any_case(header.name, "Host"); });
    request.headers.push_back({"Host", line.authority});
}

void read_connection(const Request& request, Framing& framing) {
    framing.keep_alive = framing.minor == 1;
    for (const Header& header : request.headers) {
        if (!same_in_any_case(header.name, "Connection")) continue;
        if (list_has(header.value, "keep-alive")) framing.keep_alive = true;
    }
    for (const Header& header : request.headers)
        if (same_in_any_case(header.name, "Connection") && list_has(header.value, "close")) framing.keep_alive = false;
    if (const Header* expect = only(request, "Expect")) {
        if (!same_in_any_case(expect->value, "100-continue"))
            throw Refusal(417, fmt::format("Expect is \"{}\"; only \"100-continue\" is known", shown(expect->value)));
        framing.expects_continue = framing.minor == 1;
    }
}

}  // namespace

Framing read_head(std::string_view head, Request& request) {
    const auto take_line = [&head] {
        const std::size_t end = head.find("\r\n");
        if (end == std::string_view::npos) throw Refusal(400, "the request's head has no end");
        const std::string_view line = head.substr(0, end);
        head.remove_prefix(end + 2);
        return line;
    };
    RequestLine line = read_request_line(take_line());
    request.method = line.method;
    request.target = std::move(line.target);
    request.path = std::move(line.path);
    request.path_fault = std::move(line.path_fault);
    request.query = std::move(line.query);
    for (std::string_view text = take_line(); !text.empty(); text = take_line())
        request.headers.push_back(read_header(text));
    Framing framing;
    framing.minor = line.minor;
    framing.keep_alive = false;  // until all of it was read
    read_host(request, line);
    read_body_length(request, framing);
    read_connection(request, framing);
    return framing;
}

}  // namespace serve::http
