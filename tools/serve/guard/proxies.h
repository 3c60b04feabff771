// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "serve/guard/address.h"
#include "serve/http/message.h"

namespace serve::guard {

// What proxies that the operator has named say of their clients. What others say is not heard.
class Proxies {
public:
    // Addresses, networks, or "unix" for what comes over a UNIX socket. Throws std::runtime_error for anything else.
    explicit Proxies(const std::vector<std::string>& named);

    // The right-most address of X-Forwarded-For, or of Forwarded, that is no named proxy's; the connection's own where
    // there is none, and where both headers are there and disagree: one of them was sent by the client, and nothing
    // says which.
    std::string client(const http::Request& request) const;
    bool secure(const http::Request& request) const;  // the connection, or a named proxy's client over https
    // The Host that a named proxy was asked for; empty: not said.
    std::string host(const http::Request& request) const;
    bool any() const { return unix_ || !networks_.empty(); }
    // Whether something between the client and here has left a trace, named or not.
    static bool forwarded(const http::Request& request);

private:
    bool trusts(std::string_view peer) const;
    std::string walk(const std::string& peer, const std::vector<std::string>& hops) const;
    std::vector<Network> networks_;
    bool unix_ = false;
};

// "2001:db8::1" of "2001:DB8:0::1"; "unix" and what is no address stay as they are.
std::string plain_address(const std::string& peer);

}  // namespace serve::guard
