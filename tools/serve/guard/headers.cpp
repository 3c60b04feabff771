// SPDX-License-Identifier: Apache-2.0
#include "serve/guard/headers.h"

#include <algorithm>

#include "serve/ascii.h"

namespace serve::guard {

void add_security_headers(http::Response& response, bool hsts) {
    const auto add = [&](const char* name, const char* value) {
        const bool there = std::ranges::any_of(response.headers, [&](const http::Header& each) {
            return same_in_any_case(each.name, name);
        });
        if (!there) response.headers.push_back({name, value});
    };
    add("X-Content-Type-Options", "nosniff");
    add("Referrer-Policy", "no-referrer");
    add("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    add("Cross-Origin-Resource-Policy", "same-origin");
    add("Cache-Control", "no-store");
    if (hsts) add("Strict-Transport-Security", "max-age=31536000");
}

}  // namespace serve::guard
