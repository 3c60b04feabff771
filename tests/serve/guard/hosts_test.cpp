// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <stdexcept>
#include <string>

#include "serve/guard/hosts.h"

namespace hosts_test {
using namespace serve::guard;

TEST_CASE("localhost and addresses are always served, names are not") {
    const Hosts hosts({});
    for (const char* host :
         {"localhost", "localhost:5000", "LocalHost:5000", "localhost.", "a.localhost", "127.0.0.1:5000",
          "192.168.1.7:5000", "[::1]", "[::1]:5000", "[2001:db8::1]:80", "0.0.0.0"}) {
        CAPTURE(host);
        CHECK(hosts.allows(host));
    }
    for (const char* host : {"",
                             "example.org",
                             "example.org:5000",
                             "localhost.example.org",
                             "notlocalhost",
                             "127.0.0.1.example.org",
                             "127.1",
                             "0x7f.0.0.1",
                             "2130706433",
                             "::1",
                             "[::1",
                             "[127.0.0.1]",
                             "localhost:5000x",
                             "localhost:123456",
                             "localhost/",
                             "user@localhost",
                             "localhost localhost",
                             "localhost,example.org",
                             "exam\tple",
                             "\xc3\xa4.localhost"}) {
        CAPTURE(host);
        CHECK_FALSE(hosts.allows(host));
    }
}

TEST_CASE("names that were allowed") {
    const Hosts hosts({"Translate.Example.org", "*.example.net", "box:5000", "::", "0.0.0.0", "2001:db8::1",
                       "unix:/run/d.sock"});
    for (const char* host : {"translate.example.org", "TRANSLATE.example.org:443", "translate.example.org.",
                             "a.example.net", "a.b.example.net:1", "box", "box:8080"}) {
        CAPTURE(host);
        CHECK(hosts.allows(host));
    }
    for (const char* host :
         {"example.org", "x.translate.example.org", "example.net", "badexample.net", "translate.example.org.evil"}) {
        CAPTURE(host);
        CHECK_FALSE(hosts.allows(host));
    }
    CHECK(Hosts({"*"}).allows("anything.example"));
    for (const char* given : {"", "a b", "https://example.org", "*example.org", "*."}) {
        CAPTURE(given);
        CHECK_THROWS_AS(Hosts({given}), std::runtime_error);
    }
}

TEST_CASE("name and port of a host") {
    CHECK(host_name("Example.org.:8080") == "example.org");
    CHECK(host_port("Example.org.:8080") == "8080");
    CHECK(host_name("[2001:DB8:0::1]:80") == "2001:db8::1");
    CHECK(host_port("[2001:DB8:0::1]:80") == "80");
    CHECK(host_port("example.org") == "");
    CHECK(host_name("a:b") == "");
    CHECK(is_localhost("127.0.0.2"));
    CHECK_FALSE(is_localhost("10.0.0.1"));
}

}  // namespace hosts_test
