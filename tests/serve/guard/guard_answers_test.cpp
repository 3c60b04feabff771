// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "request_of.h"
#include "serve/guard/guard.h"

namespace guard_answers_test {
using namespace serve;
using namespace serve::guard;
using namespace request_of_test;
using Headers = std::vector<http::Header>;

TEST_CASE("names that are not this service's are refused before anything is read") {
    const Guard guard({.hosts = {"translate.example.org"}});
    const auto status = [&](const std::string& peer, Headers headers) {
        const auto answer = guard.before(*request_of("GET", peer, std::move(headers)));
        return answer ? answer->status : 0;
    };
    CHECK(status("127.0.0.1", {{"Host", "localhost:5000"}}) == 0);
    CHECK(status("127.0.0.1", {{"Host", "translate.example.org"}}) == 0);
    CHECK(status("127.0.0.1", {{"Host", "rebound.example"}}) == 421);
    CHECK(status("127.0.0.1", {}) == 421);
    CHECK(status("unix", {{"Host", "anything.example"}}) == 0);
    const auto answer = guard.before(*request_of("GET", "127.0.0.1", {{"Host", "re\"bound\xff.example"}}));
    REQUIRE(answer);
    CHECK(Json::parse(answer->body)["error"].get<std::string>().find("--allow-host") != std::string::npos);
}

TEST_CASE("preflights and pages of other sites") {
    const Guard guard({.origins = {"https://a.example"}});
    const auto answered = [&](const std::string& method, Headers headers) {
        headers.push_back({"Host", "localhost"});
        const auto request = request_of(method, "127.0.0.1", std::move(headers));
        auto answer = guard.before(*request);
        if (answer) guard.finish(*request, *answer);
        return answer;
    };
    const auto allowed = answered("OPTIONS",
                                  {{"Origin", "https://a.example"}, {"Access-Control-Request-Method", "POST"}});
    REQUIRE(allowed);
    CHECK(allowed->status == 204);
    CHECK(allowed->body.empty());
    CHECK(allowed->content_type.empty());
    CHECK(header_of(*allowed, "Access-Control-Allow-Origin") == "https://a.example");
    CHECK(header_of(*allowed, "Access-Control-Allow-Methods").find("POST") != std::string::npos);
    CHECK(header_of(*allowed, "Access-Control-Allow-Headers") == "Authorization, Content-Type");
    CHECK(header_of(*allowed, "Access-Control-Max-Age") == "7200");
    CHECK(header_of(*allowed, "Vary") == "Access-Control-Request-Headers, Origin");
    CHECK(header_of(*allowed, "Access-Control-Allow-Private-Network").empty());
    const auto private_network = answered("OPTIONS", {{"Origin", "https://a.example"},
                                                      {"Access-Control-Request-Method", "POST"},
                                                      {"Access-Control-Request-Private-Network", "true"}});
    CHECK(header_of(*private_network, "Access-Control-Allow-Private-Network") == "true");
    const auto refused = answered("OPTIONS",
                                  {{"Origin", "https://b.example"}, {"Access-Control-Request-Method", "POST"}});
    CHECK(refused->status == 403);
    CHECK(header_of(*refused, "Access-Control-Allow-Origin").empty());
    CHECK(answered("POST", {{"Origin", "https://b.example"}})->status == 403);
    CHECK_FALSE(answered("POST", {{"Origin", "https://a.example"}}));
    CHECK_FALSE(answered("POST", {}));
    CHECK_FALSE(answered("OPTIONS", {{"Origin", "https://a.example"}}));  // no preflight
}

TEST_CASE("a page that is allowed may send the headers that it names") {
    const auto given = [](const std::string& wanted) {
        const Guard guard({.origins = {"*"}});
        const auto answer = guard.before(*request_of("OPTIONS", "127.0.0.1",
                                                     {{"Host", "localhost"},
                                                      {"Origin", "https://a.example"},
                                                      {"Access-Control-Request-Method", "POST"},
                                                      {"Access-Control-Request-Headers", wanted}}));
        REQUIRE(answer);
        CHECK(header_of(*answer, "Vary") == "Access-Control-Request-Headers");
        return header_of(*answer, "Access-Control-Allow-Headers");
    };
    CHECK(given("x-goog-api-key") == "x-goog-api-key");
    CHECK(given("authorization,content-type , x-stainless-os,x-stainless-retry-count") ==
          "authorization, content-type, x-stainless-os, x-stainless-retry-count");
    CHECK(given("") == "Authorization, Content-Type");
    CHECK(given("a b, x/y, ,ok, \"quoted\"") == "ok");
    CHECK(given(" , ,") == "Authorization, Content-Type");
    std::string many, some;
    for (int i = 0; i < 100; ++i) {
        many += "x" + std::to_string(i) + ",";
        if (i < 64) some += (i ? ", x" : "x") + std::to_string(i);
    }
    CHECK(given(many) == some);
    CHECK(given("a," + std::string(3000, 'b') + ",c") == "a");
}

TEST_CASE("security headers, unless an answer has its own") {
    const Guard plain({}), strict({.hsts = true});
    http::Response response;
    plain.finish(*request_of("GET", "127.0.0.1", {{"Origin", "https://b.example"}}), response);
    CHECK(header_of(response, "X-Content-Type-Options") == "nosniff");
    CHECK(header_of(response, "Referrer-Policy") == "no-referrer");
    CHECK(header_of(response, "Content-Security-Policy") == "default-src 'none'; frame-ancestors 'none'");
    CHECK(header_of(response, "Cross-Origin-Resource-Policy") == "same-origin");
    CHECK(header_of(response, "Cache-Control") == "no-store");
    CHECK(header_of(response, "Access-Control-Allow-Origin").empty());
    CHECK(header_of(response, "Strict-Transport-Security").empty());
    CHECK(header_of(response, "WWW-Authenticate").empty());
    http::Response page;
    page.headers = {{"content-security-policy", "default-src 'self'"}, {"Cache-Control", "max-age=60"}};
    plain.finish(*request_of("GET", "127.0.0.1", {}), page);
    CHECK(header_of(page, "Content-Security-Policy").empty());
    CHECK(header_of(page, "Cache-Control") == "max-age=60");
    http::Response unauthorized, secure;
    unauthorized.status = 401;
    plain.finish(*request_of("GET", "127.0.0.1", {}), unauthorized);
    CHECK(header_of(unauthorized, "WWW-Authenticate") == "Bearer");
    const auto over_tls = request_of("GET", "127.0.0.1", {});
    strict.finish(*over_tls, response);
    CHECK(header_of(response, "Strict-Transport-Security").empty());
    over_tls->secure = true;
    strict.finish(*over_tls, secure);
    CHECK(header_of(secure, "Strict-Transport-Security") == "max-age=31536000");
}

}  // namespace guard_answers_test
