// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <stdexcept>

#include "request_of.h"
#include "serve/guard/proxies.h"

namespace proxies_test {
using namespace serve::guard;
using namespace request_of_test;
using Headers = std::vector<serve::http::Header>;

struct Named {
    Proxies proxies{{"127.0.0.1", "10.0.0.0/8", "2001:db8:ff::/48"}};
    std::string client(const std::string& peer, Headers headers) const {
        return proxies.client(*request_of("GET", peer, std::move(headers)));
    }
};

TEST_CASE_FIXTURE(Named, "the address is the connection's where no proxy was named") {
    CHECK(client("203.0.113.5", {}) == "203.0.113.5");
    CHECK(client("203.0.113.5", {{"X-Forwarded-For", "192.0.2.1"}}) == "203.0.113.5");
    CHECK(client("203.0.113.5", {{"Forwarded", "for=192.0.2.1"}}) == "203.0.113.5");
    CHECK(client("2001:DB8:0::5", {}) == "2001:db8::5");
    CHECK(client("unix", {{"X-Forwarded-For", "192.0.2.1"}}) == "unix");
    CHECK(Proxies({}).client(*request_of("GET", "127.0.0.1", {{"X-Forwarded-For", "192.0.2.1"}})) == "127.0.0.1");
}

TEST_CASE_FIXTURE(Named, "behind named proxies it is the right-most address that nobody named") {
    CHECK(client("127.0.0.1", {}) == "127.0.0.1");
    CHECK(client("127.0.0.1", {{"X-Forwarded-For", "192.0.2.1"}}) == "192.0.2.1");
    // What a client writes itself stands to the left.
    CHECK(client("127.0.0.1", {{"X-Forwarded-For", "198.51.100.1, 192.0.2.1"}}) == "192.0.2.1");
    CHECK(client("127.0.0.1", {{"x-forwarded-for", "198.51.100.1"}, {"X-Forwarded-For", "192.0.2.1"}}) == "192.0.2.1");
    CHECK(client("127.0.0.1", {{"X-Forwarded-For", "198.51.100.1, 192.0.2.1, 10.1.2.3"}}) == "192.0.2.1");
    CHECK(client("127.0.0.1", {{"X-Forwarded-For", "10.9.9.9, 10.1.2.3"}}) == "10.9.9.9");
    CHECK(client("127.0.0.1", {{"X-Forwarded-For", "[2001:db8::1]:4711"}}) == "2001:db8::1");
    CHECK(client("127.0.0.1", {{"X-Forwarded-For", "192.0.2.1:4711"}}) == "192.0.2.1");
    CHECK(client("2001:db8:ff:1::1", {{"X-Forwarded-For", "192.0.2.1"}}) == "192.0.2.1");
    CHECK(client("::ffff:127.0.0.1", {{"X-Forwarded-For", "192.0.2.1"}}) == "192.0.2.1");
}

TEST_CASE_FIXTURE(Named, "what is no address ends the way back") {
    CHECK(client("127.0.0.1", {{"X-Forwarded-For", "192.0.2.1, unknown"}}) == "127.0.0.1");
    CHECK(client("127.0.0.1", {{"X-Forwarded-For", "192.0.2.1, <script>, 10.1.2.3"}}) == "10.1.2.3");
    CHECK(client("127.0.0.1", {{"X-Forwarded-For", ""}}) == "127.0.0.1");
    CHECK(client("127.0.0.1", {{"X-Forwarded-For", ", ,"}}) == "127.0.0.1");
}

TEST_CASE_FIXTURE(Named, "Forwarded") {
    CHECK(client("127.0.0.1", {{"Forwarded", "for=192.0.2.1;proto=https;by=10.0.0.1"}}) == "192.0.2.1");
    CHECK(client("127.0.0.1", {{"Forwarded", "For=\"[2001:db8:cafe::17]:4711\""}}) == "2001:db8:cafe::17");
    CHECK(client("127.0.0.1", {{"Forwarded", "for=198.51.100.1, for=192.0.2.1, for=10.1.2.3"}}) == "192.0.2.1");
    CHECK(client("127.0.0.1", {{"Forwarded", "for=_hidden"}}) == "127.0.0.1");
    CHECK(client("127.0.0.1", {{"Forwarded", "proto=https"}}) == "127.0.0.1");
}

TEST_CASE_FIXTURE(Named, "where both headers are there and disagree, neither is believed") {
    CHECK(client("127.0.0.1", {{"Forwarded", "for=192.0.2.1"}, {"X-Forwarded-For", "192.0.2.1"}}) == "192.0.2.1");
    CHECK(client("127.0.0.1", {{"Forwarded", "for=198.51.100.1"}, {"X-Forwarded-For", "192.0.2.1"}}) == "127.0.0.1");
}

TEST_CASE("a UNIX socket is a proxy where it was named") {
    const Proxies proxies({"unix"});
    CHECK(proxies.client(*request_of("GET", "unix", {{"X-Forwarded-For", "198.51.100.1, 192.0.2.1"}})) == "192.0.2.1");
    CHECK(proxies.client(*request_of("GET", "127.0.0.1", {{"X-Forwarded-For", "192.0.2.1"}})) == "127.0.0.1");
}

TEST_CASE_FIXTURE(Named, "https is believed from named proxies only") {
    const auto secure = [&](const std::string& peer, Headers headers) {
        return proxies.secure(*request_of("GET", peer, std::move(headers)));
    };
    CHECK(secure("127.0.0.1", {{"X-Forwarded-Proto", "https"}}));
    CHECK(secure("127.0.0.1", {{"X-Forwarded-Proto", "http, HTTPS"}}));
    CHECK_FALSE(secure("127.0.0.1", {{"X-Forwarded-Proto", "https, http"}}));
    CHECK(secure("127.0.0.1", {{"Forwarded", "for=192.0.2.1;proto=https"}}));
    CHECK_FALSE(secure("203.0.113.5", {{"X-Forwarded-Proto", "https"}}));
    CHECK_FALSE(secure("127.0.0.1", {}));
    const auto over_tls = request_of("GET", "203.0.113.5", {});
    over_tls->secure = true;
    CHECK(proxies.secure(*over_tls));
}

TEST_CASE("names that are no address are refused with their value") {
    for (const char* given : {"nginx", "10.0.0.0/33", "", "*", "localhost"}) {
        CAPTURE(given);
        try {
            const Proxies proxies({given});
            FAIL("it was taken");
        } catch (const std::runtime_error& error) {
            CHECK(std::string(error.what()).find("--trust-proxy " + std::string(given)) == 0);
        }
    }
}

TEST_CASE("traces of a proxy that nobody named") {
    for (const char* name :
         {"Forwarded", "x-forwarded-for", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"}) {
        CAPTURE(name);
        CHECK(Proxies::forwarded(*request_of("GET", "127.0.0.1", {{name, ""}})));
    }
    CHECK_FALSE(Proxies::forwarded(*request_of("GET", "127.0.0.1", {{"Host", "localhost"}})));
}

}  // namespace proxies_test
