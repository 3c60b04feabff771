// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <stdexcept>

#include "request_of.h"
#include "serve/guard/origins.h"

namespace origins_test {
using namespace serve::guard;
using namespace request_of_test;
using Headers = std::vector<serve::http::Header>;

const Proxies no_proxies({});

bool refused(const std::string& method, Headers headers, const std::vector<std::string>& allowed = {}) {
    headers.push_back({"Host", "localhost:5000"});
    return is_refused(*request_of(method, "127.0.0.1", std::move(headers)), Origins(allowed), no_proxies);
}

TEST_CASE("programs and the own page may ask") {
    CHECK_FALSE(refused("POST", {}));
    CHECK_FALSE(refused("POST", {{"Origin", "http://localhost:5000"}}));
    CHECK_FALSE(refused("POST", {{"Origin", "https://localhost:5000"}}));  // a proxy ended TLS
    CHECK_FALSE(refused("DELETE", {{"Origin", "http://LOCALHOST:5000"}}));
    CHECK_FALSE(refused("POST", {{"Origin", "https://translate.example.org"}, {"Sec-Fetch-Site", "same-origin"}}));
    CHECK_FALSE(refused("GET", {{"Sec-Fetch-Site", "none"}}));
}

TEST_CASE("pages of other sites may not make a browser ask") {
    for (const char* origin : {"https://evil.example", "http://localhost", "http://localhost:5001",
                               "http://localhost:5000.evil.example", "null", "moz-extension://5f1c",
                               "chrome-extension://abc", "file://", "http://127.0.0.1:5000", "localhost:5000"}) {
        CAPTURE(origin);
        CHECK(refused("POST", {{"Origin", origin}}));
        CHECK(refused("PUT", {{"Origin", origin}}));
        CHECK(refused("DELETE", {{"Origin", origin}}));
        CHECK_FALSE(refused("GET", {{"Origin", origin}}));  // it may not read the answer
    }
    CHECK(refused("POST", {{"Sec-Fetch-Site", "cross-site"}}));
    CHECK(refused("POST", {{"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Mode", "navigate"}}));
    CHECK(refused("GET", {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "no-cors"}}));  // <img src="...">
    CHECK(refused("GET",
                  {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Dest", "iframe"}}));
    CHECK(refused("GET",
                  {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Dest", "object"}}));
    CHECK_FALSE(refused(
        "GET", {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "navigate"}, {"Sec-Fetch-Dest", "document"}}));
    CHECK_FALSE(refused("GET", {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "cors"}}));  // an add-on
}

TEST_CASE("origins that were allowed") {
    const std::vector<std::string> allowed = {"https://a.example", "moz-extension://5f1c", "http://b.example:80"};
    CHECK_FALSE(refused("POST", {{"Origin", "https://a.example"}}, allowed));
    CHECK_FALSE(refused("POST", {{"Origin", "https://A.example:443"}}, allowed));
    CHECK_FALSE(refused("POST", {{"Origin", "http://b.example"}}, allowed));
    CHECK_FALSE(refused("POST", {{"Origin", "moz-extension://5f1c"}, {"Sec-Fetch-Site", "cross-site"}}, allowed));
    CHECK(refused("POST", {{"Origin", "http://a.example"}}, allowed));
    CHECK(refused("POST", {{"Origin", "https://a.example.evil"}}, allowed));
    CHECK(refused("POST", {{"Origin", "moz-extension://other"}}, allowed));
    CHECK(refused("POST", {{"Origin", "null"}}, allowed));
    CHECK_FALSE(refused("POST", {{"Origin", "null"}}, {"null"}));
    CHECK_FALSE(refused("POST", {{"Origin", "https://any.example"}}, {"*"}));
    CHECK_FALSE(refused("GET", {{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Mode", "no-cors"}}, {"*"}));
    for (const char* given : {"", "a.example", "https://", "https://a.example/", "://a"}) {
        CAPTURE(given);
        CHECK_THROWS_AS(Origins({given}), std::runtime_error);
    }
}

TEST_CASE("the page's own name may be the one that a named proxy was asked for") {
    const Headers headers = {{"Host", "127.0.0.1:5000"},
                             {"Origin", "https://translate.example.org"},
                             {"X-Forwarded-Host", "translate.example.org"}};
    CHECK_FALSE(is_refused(*request_of("POST", "10.0.0.1", headers), Origins({}), Proxies({"10.0.0.1"})));
    CHECK(is_refused(*request_of("POST", "10.0.0.1", headers), Origins({}), Proxies({"10.0.0.2"})));
}

serve::http::Response answered(Headers headers, const std::vector<std::string>& allowed) {
    serve::http::Response response;
    add_origin(*request_of("GET", "127.0.0.1", std::move(headers)), Origins(allowed), response);
    return response;
}

TEST_CASE("who may read an answer is told only where it was configured") {
    CHECK(answered({{"Origin", "https://a.example"}}, {}).headers.empty());
    const auto echoed = answered({{"Origin", "https://a.example"}}, {"https://a.example"});
    CHECK(header_of(echoed, "Access-Control-Allow-Origin") == "https://a.example");
    CHECK(header_of(echoed, "Vary") == "Origin");
    CHECK(header_of(echoed, "Access-Control-Allow-Credentials").empty());
    const auto other = answered({{"Origin", "https://b.example"}}, {"https://a.example"});
    CHECK(header_of(other, "Access-Control-Allow-Origin").empty());
    CHECK(header_of(other, "Vary") == "Origin");  // a cache must not give this one to a.example
    const auto all = answered({{"Origin", "https://b.example"}}, {"*"});
    CHECK(header_of(all, "Access-Control-Allow-Origin") == "*");
    CHECK(header_of(all, "Access-Control-Allow-Credentials").empty());
}

}  // namespace origins_test
