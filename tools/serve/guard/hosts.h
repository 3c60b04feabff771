// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace serve::guard {

// "example.org" of "Example.org.:8080", "2001:db8::1" of "[2001:db8::1]:80"; empty: it is no host.
std::string host_name(std::string_view host);
// The port after it, empty: none.
std::string host_port(std::string_view host);

// Names in Host that are served. A page of another site can make its own name lead to this machine (DNS rebinding); it
// cannot take a name that is not its own, nor an address.
class Hosts {
public:
    // Names, "*.example.org" for all below it, "*" for all.
    explicit Hosts(const std::vector<std::string>& names);
    bool allows(std::string_view host) const;

private:
    std::vector<std::string> names_;
    bool all_ = false;
};

bool is_localhost(std::string_view name);  // "localhost", "x.localhost", addresses of loopback

}  // namespace serve::guard
