// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "serve/guard/proxies.h"
#include "serve/http/message.h"

namespace serve::guard {

// Pages of which sites may ask from a browser (CORS), and which may not ask at all.
class Origins {
public:
    // Origins ("https://example.org", "moz-extension://ID"), "*" for all, "null" for files. Throws std::runtime_error.
    explicit Origins(const std::vector<std::string>& named);
    bool allows(std::string_view origin) const;
    bool all() const { return all_; }
    bool any() const { return all_ || !named_.empty(); }

private:
    std::vector<std::string> named_;
    bool all_ = false;
};

// Whether a browser says that the page it shows came from this service: by the name it was asked for, or the one that a
// named proxy was asked for.
bool is_own_page(const http::Request& request, const Proxies& proxies);
// Whether another site's page makes a browser ask, and is not allowed to: its requests that change or cost something.
bool is_refused(const http::Request& request, const Origins& origins, const Proxies& proxies);
// The answer to OPTIONS with Access-Control-Request-Method, for a page that is allowed: it may send the headers that it
// names.
bool is_preflight(const http::Request& request);
void add_preflight(const http::Request& request, http::Response& response);
// Access-Control-Allow-Origin and what belongs to it.
void add_origin(const http::Request& request, const Origins& origins, http::Response& response);

}  // namespace serve::guard
