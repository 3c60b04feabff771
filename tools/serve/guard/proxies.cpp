// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/proxies.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "serve/ascii.h"
#include "serve/guard/words.h"

namespace serve::guard {
namespace {

constexpr std::string_view kUnix = "unix";

// The items of all headers of that name together, as if they were one.
std::vector<std::string> items(const http::Request& request, std::string_view name) {
    std::vector<std::string> all;
    for (const http::Header& header : request.headers)
        if (same_in_any_case(header.name, name))
            for (const std::string_view item : split(header.value, ',')) all.emplace_back(item);
    return all;
}

// A parameter of one element of Forwarded (RFC 7239): `for="[2001:db8::1]:4711";proto=https`
std::string parameter(std::string_view element, std::string_view name) {
    for (const std::string_view pair : split(element, ';')) {
        const std::size_t sign = pair.find('=');
        if (sign == std::string_view::npos || !same_in_any_case(trimmed(pair.substr(0, sign)), name)) continue;
        std::string_view value = trimmed(pair.substr(sign + 1));
        if (value.size() >= 2 && value.front() == '"' && value.back() == '"') value = value.substr(1, value.size() - 2);
        return std::string(value);
    }
    return {};
}

std::vector<std::string> forwarded_items(const http::Request& request, std::string_view name) {
    std::vector<std::string> all = items(request, "Forwarded");
    std::ranges::transform(all, all.begin(), [&](const std::string& each) { return parameter(each, name); });
    return all;
}

// What the nearest proxy says, by the header that it uses.
std::string nearest(const http::Request& request, std::string_view own_header, std::string_view of_forwarded) {
    if (const auto said = items(request, own_header); !said.empty()) return said.back();
    if (const auto said = forwarded_items(request, of_forwarded); !said.empty()) return said.back();
    return {};
}

}  // namespace

std::string plain_address(const std::string& peer) {
    const std::optional<Address> address = read_endpoint(peer);
    return address ? address->text() : peer;
}

Proxies::Proxies(const std::vector<std::string>& named) {
    for (const std::string& each : named) {
        if (each == kUnix) {
            unix_ = true;
            continue;
        }
        const std::optional<Network> network = read_network(each);
        if (!network)
            throw std::runtime_error(
                fmt::format("--trust-proxy {}: an address (192.0.2.1), a network (192.0.2.0/24) or "
                            "'unix' is expected",
                            each));
        networks_.push_back(*network);
    }
}

bool Proxies::trusts(std::string_view peer) const {
    if (peer == kUnix) return unix_;
    const std::optional<Address> address = read_endpoint(peer);
    return address && std::ranges::any_of(networks_, [&](const Network& each) { return each.has(*address); });
}

// From the connection back to the first address that nobody named.
std::string Proxies::walk(const std::string& peer, const std::vector<std::string>& hops) const {
    std::string client = plain_address(peer);
    for (auto hop = hops.rbegin(); hop != hops.rend() && trusts(client); ++hop) {
        if (!read_endpoint(*hop)) break;  // "unknown", "_hidden" or nonsense: what stands before cannot be believed
        client = plain_address(*hop);
    }
    return client;
}

std::string Proxies::client(const http::Request& request) const {
    if (!trusts(request.peer)) return plain_address(request.peer);
    const std::vector<std::string> common = items(request, "X-Forwarded-For");
    const std::vector<std::string> standard = forwarded_items(request, "for");
    if (standard.empty()) return walk(request.peer, common);
    const std::string client = walk(request.peer, standard);
    if (common.empty() || walk(request.peer, common) == client) return client;
    return plain_address(request.peer);
}

bool Proxies::secure(const http::Request& request) const {
    if (request.secure) return true;
    return trusts(request.peer) && same_in_any_case(nearest(request, "X-Forwarded-Proto", "proto"), "https");
}

std::string Proxies::host(const http::Request& request) const {
    return trusts(request.peer) ? nearest(request, "X-Forwarded-Host", "host") : std::string();
}

bool Proxies::forwarded(const http::Request& request) {
    static constexpr std::array kTraces = {"Forwarded",         "X-Forwarded-For", "X-Forwarded-Host",
                                           "X-Forwarded-Proto", "X-Real-IP",       "Via"};
    return std::ranges::any_of(request.headers, [](const http::Header& header) {
        return std::ranges::any_of(kTraces, [&](const char* name) { return same_in_any_case(header.name, name); });
    });
}

}  // namespace serve::guard
