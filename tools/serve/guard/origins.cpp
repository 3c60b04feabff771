// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/origins.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "serve/ascii.h"
#include "serve/guard/hosts.h"
#include "serve/http/characters.h"

namespace serve::guard {
namespace {

constexpr const char* kMethods = "GET, HEAD, POST, PUT, PATCH, DELETE";
constexpr const char* kHeaders = "Authorization, Content-Type";  // where a page names none
constexpr std::size_t kMostHeaders = 64, kMostHeaderBytes = 2048;  // of those that a page names
constexpr const char* kExposed = "Content-Disposition, Location, Retry-After, X-Request-Id";
constexpr const char* kMaxAge = "7200";  // seconds; browsers keep no preflight longer

// What says that a page may read an answer: nothing else of a request does.
std::string_view origin_of(const http::Request& request) { return request.header("Origin"); }

// "https://Example.org:443" as browsers write it: small letters, no port that the scheme has anyway.
std::string plain_origin(std::string_view origin) {
    std::string plain = in_small_letters(origin);
    const auto drop = [&](std::string_view scheme, std::string_view port) {
        if (plain.starts_with(scheme) && plain.ends_with(port)) plain.resize(plain.size() - port.size());
    };
    drop("https://", ":443");
    drop("http://", ":80");
    return plain;
}

// Host and port of an origin and of a Host header are the same. The scheme is not compared: behind a proxy that ends
// TLS this service does not know it.
bool same_place(std::string_view origin, std::string_view host) {
    const std::size_t begin = origin.find("://");
    if (begin == std::string_view::npos || host.empty()) return false;
    const std::string_view scheme = origin.substr(0, begin), place = origin.substr(begin + 3);
    const std::string standard = scheme == "https" ? "443" : scheme == "http" ? "80" : "";
    if (standard.empty() || host_name(place).empty() || host_name(place) != host_name(host)) return false;
    const std::string there = host_port(place), here = host_port(host);
    return (there.empty() ? standard : there) == (here.empty() ? standard : here);
}

// The headers that a page wants to send. It may read the answers anyway, so they are its own business: keys have other
// names in each interface, and libraries add some about themselves.
std::string wanted_headers(const http::Request& request) {
    std::string names;
    std::size_t count = 0;
    std::string_view rest = request.header("Access-Control-Request-Headers");
    while (!rest.empty() && count < kMostHeaders) {
        const std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(rest.size(), one.size() + 1));
        const std::string_view name = http::without_blanks(one);
        if (!http::is_token(name)) continue;
        if (names.size() + name.size() + 2 > kMostHeaderBytes) break;
        names += (names.empty() ? "" : ", ") + std::string(name);
        ++count;
    }
    return names.empty() ? kHeaders : names;
}

bool only_reads(const http::Request& request) { return request.method == "GET" || request.method == "HEAD"; }

}  // namespace

Origins::Origins(const std::vector<std::string>& named) {
    for (const std::string& each : named) {
        if (each == "*") {
            all_ = true;
            continue;
        }
        const std::size_t scheme = each.find("://");
        const bool is_origin = scheme != std::string::npos && scheme > 0 && scheme + 3 < each.size() &&
                               each.find('/', scheme + 3) == std::string::npos;
        if (!is_origin && each != "null")
            throw std::runtime_error(
                fmt::format("--allow-origin {}: SCHEME://NAME without a path, * or null is expected", each));
        named_.push_back(plain_origin(each));
    }
}

bool Origins::allows(std::string_view origin) const {
    return all_ || std::ranges::find(named_, plain_origin(origin)) != named_.end();
}

bool is_own_page(const http::Request& request, const Proxies& proxies) {
    // Pages cannot write this header, and the name in Host was checked before.
    if (request.header("Sec-Fetch-Site") == "same-origin") return true;
    const std::string origin = plain_origin(origin_of(request));
    return same_place(origin, request.header("Host")) || same_place(origin, proxies.host(request));
}

bool is_refused(const http::Request& request, const Origins& origins, const Proxies& proxies) {
    const std::string_view origin = origin_of(request), site = request.header("Sec-Fetch-Site");
    if (!origin.empty()) return !only_reads(request) && !origins.allows(origin) && !is_own_page(request, proxies);
    if (site.empty() || site == "same-origin" || site == "none" || origins.all()) return false;
    // Pictures, frames and forms say no origin. A link that somebody follows is welcome.
    // A script of a page always says its origin, so one without is an add-on's.
    const std::string_view target = request.header("Sec-Fetch-Dest"), mode = request.header("Sec-Fetch-Mode");
    const bool follows = mode == "navigate" && (target.empty() || target == "document");
    return !only_reads(request) || (!follows && mode != "cors");
}

bool is_preflight(const http::Request& request) {
    return request.method == "OPTIONS" && !origin_of(request).empty() &&
           !request.header("Access-Control-Request-Method").empty();
}

void add_preflight(const http::Request& request, http::Response& response) {
    response.headers.push_back({"Access-Control-Allow-Methods", kMethods});
    response.headers.push_back({"Access-Control-Allow-Headers", wanted_headers(request)});
    response.headers.push_back({"Vary", "Access-Control-Request-Headers"});
    response.headers.push_back({"Access-Control-Max-Age", kMaxAge});
    if (request.header("Access-Control-Request-Private-Network") == "true")
        response.headers.push_back({"Access-Control-Allow-Private-Network", "true"});
}

void add_origin(const http::Request& request, const Origins& origins, http::Response& response) {
    if (!origins.any()) return;
    if (origins.all()) {
        response.headers.push_back({"Access-Control-Allow-Origin", "*"});
    } else {
        response.headers.push_back({"Vary", "Origin"});
        const std::string_view origin = origin_of(request);
        if (origin.empty() || !origins.allows(origin)) return;
        response.headers.push_back({"Access-Control-Allow-Origin", std::string(origin)});
    }
    if (!is_preflight(request)) response.headers.push_back({"Access-Control-Expose-Headers", kExposed});
}

}  // namespace serve::guard
