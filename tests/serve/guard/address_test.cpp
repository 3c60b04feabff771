// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "serve/guard/address.h"

namespace address_test {
using namespace serve::guard;

TEST_CASE("addresses in all their spellings are one address") {
    for (const auto& [given, plain] : {std::pair{"192.0.2.1", "192.0.2.1"},
                                       {"0.0.0.0", "0.0.0.0"},
                                       {"255.255.255.255", "255.255.255.255"},
                                       {"::", "::"},
                                       {"::1", "::1"},
                                       {"2001:DB8:0:0:0:0:0:1", "2001:db8::1"},
                                       {"2001:db8::0:1", "2001:db8::1"},
                                       {"2001:0db8:0001:0000:0000:0ab9:C0A8:0102", "2001:db8:1::ab9:c0a8:102"},
                                       {"2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"},
                                       {"2001:0:0:1:0:0:0:1", "2001:0:0:1::1"},
                                       {"2001:db8::", "2001:db8::"},
                                       {"fe80::1%eth0", "fe80::1"},
                                       {"::ffff:192.0.2.1", "192.0.2.1"},
                                       {"::FFFF:c000:0201", "192.0.2.1"},
                                       {"64:ff9b::192.0.2.33", "64:ff9b::c000:221"},
                                       {"1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:8"},
                                       {"1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"}}) {
        CAPTURE(given);
        const auto address = read_address(given);
        REQUIRE(address);
        CHECK(address->text() == plain);
        CHECK(read_address(address->text()) == address);
    }
}

TEST_CASE("what is nearly an address is none") {
    for (const char* given : {"",
                              " ",
                              "1",
                              "1.2.3",
                              "1.2.3.4.5",
                              "256.1.1.1",
                              "01.2.3.4",
                              "1.2.3.04",
                              "0x7f.0.0.1",
                              "1.2.3.4 ",
                              " 1.2.3.4",
                              "1. 2.3.4",
                              "-1.2.3.4",
                              "+1.2.3.4",
                              "1.2.3.",
                              ".1.2.3",
                              "1..2.3",
                              "127.1",
                              ":",
                              ":::",
                              "1:2:3:4:5:6:7",
                              "1:2:3:4:5:6:7:8:9",
                              "1::2::3",
                              "12345::",
                              "g::",
                              "::-1",
                              "::+1",
                              "1:2:3:4:5:6:7::8",
                              "::1.2.3",
                              "1.2.3.4::",
                              "::1.2.3.4:5",
                              "1:2:3:4:5:6:7:1.2.3.4",
                              "[::1]",
                              "::1 ",
                              ":1",
                              "1:",
                              "localhost",
                              "unknown",
                              "1.2.3.4:80"}) {
        CAPTURE(given);
        CHECK_FALSE(read_address(given));
    }
}

TEST_CASE("ports and brackets around addresses") {
    CHECK(read_endpoint("192.0.2.1:80")->text() == "192.0.2.1");
    CHECK(read_endpoint("192.0.2.1")->text() == "192.0.2.1");
    CHECK(read_endpoint("[2001:db8::1]:80")->text() == "2001:db8::1");
    CHECK(read_endpoint("[2001:db8::1]")->text() == "2001:db8::1");
    CHECK(read_endpoint("2001:db8::1")->text() == "2001:db8::1");
    for (const char* given :
         {"[2001:db8::1", "[2001:db8::1]x", "[]", "[192.0.2.1]", "[192.0.2.1]:80", "example.org:80", ":80", "_x"}) {
        CAPTURE(given);
        CHECK_FALSE(read_endpoint(given));
    }
}

TEST_CASE("networks have what begins as they do") {
    const auto has = [](const char* network, const char* address) {
        return read_network(network)->has(*read_address(address));
    };
    CHECK(has("10.0.0.0/8", "10.255.1.2"));
    CHECK_FALSE(has("10.0.0.0/8", "11.0.0.0"));
    CHECK(has("10.0.0.7/31", "10.0.0.6"));
    CHECK_FALSE(has("10.0.0.7/32", "10.0.0.6"));
    CHECK(has("192.0.2.1", "192.0.2.1"));
    CHECK(has("192.0.2.1", "::ffff:192.0.2.1"));
    CHECK_FALSE(has("192.0.2.1", "192.0.2.2"));
    CHECK(has("0.0.0.0/0", "203.0.113.9"));
    CHECK_FALSE(has("0.0.0.0/0", "2001:db8::1"));  // another family
    CHECK(has("fd00::/7", "fc12::1"));
    CHECK_FALSE(has("fd00::/8", "fc12::1"));
    CHECK(has("::/0", "2001:db8::1"));
    for (const char* given :
         {"", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/08", "::/129", "10.0/8", "10.0.0.0/8/8"}) {
        CAPTURE(given);
        CHECK_FALSE(read_network(given));
    }
}

TEST_CASE("loopback, and what a limit takes for one customer") {
    CHECK(read_address("127.0.0.1")->is_loopback());
    CHECK(read_address("127.8.9.1")->is_loopback());
    CHECK(read_address("::1")->is_loopback());
    CHECK(read_address("::ffff:127.0.0.1")->is_loopback());
    CHECK_FALSE(read_address("128.0.0.1")->is_loopback());
    CHECK_FALSE(read_address("::2")->is_loopback());
    CHECK_FALSE(read_address("100::1")->is_loopback());
    CHECK(read_address("192.0.2.1")->customer() == "192.0.2.1");
    CHECK(read_address("2001:db8:1:2:3::4")->customer() == "2001:db8:1:2::/64");
    CHECK(read_address("2001:db8:1:2::9")->customer() == "2001:db8:1:2::/64");
    CHECK(read_address("2001:db8:1:3::9")->customer() != "2001:db8:1:2::/64");
}

}  // namespace address_test
