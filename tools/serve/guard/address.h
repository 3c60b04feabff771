// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace serve::guard {

// An address of IPv4 or IPv6; IPv4 in IPv6 ("::ffff:1.2.3.4") is IPv4.
struct Address {
    std::array<std::uint8_t, 16> bytes{};  // IPv4: the first four
    bool v6 = false;

    bool operator==(const Address&) const = default;
    bool is_loopback() const;
    std::string text() const;  // as RFC 5952 writes it
    // What a limit counts: one customer of a provider has a /64 of IPv6.
    std::string customer() const;
};

// "192.0.2.1", "2001:db8::1", "fe80::1%eth0" (the zone is dropped). Nothing else: no brackets, ports, octal or short
// forms.
std::optional<Address> read_address(std::string_view text);
// With brackets and a port where it has them: "192.0.2.1:80", "[2001:db8::1]:80", "[2001:db8::1]".
std::optional<Address> read_endpoint(std::string_view text);

// "10.0.0.0/8", "fd00::/8", or one address.
struct Network {
    Address base;
    int bits = 0;
    bool has(const Address& address) const;
};
std::optional<Network> read_network(std::string_view text);

}  // namespace serve::guard
