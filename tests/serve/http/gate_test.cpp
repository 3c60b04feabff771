// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "serve/http/gate.h"
#include "serve/http/head_scanner.h"
#include "serve/http/refusal.h"

namespace gate_test {

using namespace serve::http;
using namespace std::string_literals;

// As a connection does it, a byte at a time. The status of the refusal; 0: it is admitted.
int refused(std::string_view head, Request& request, Framing* framing = nullptr) {
    HeadScanner scanner(16 * 1024);
    try {
        for (std::size_t size = 1; size <= head.size(); ++size) {
            if (!scanner.scan(head.substr(0, size))) continue;
            CHECK(size == head.size());
            const Framing found = read_head(head.substr(scanner.begin()), request);
            if (framing) *framing = found;
            return request.path_fault.empty() ? 0 : 400;  // unless the application takes it, see connection_test.cpp
        }
    } catch (const Refusal& refusal) {
        INFO(refusal.what());
        CHECK(std::string_view(refusal.what()).size() > 5);
        return refusal.status;
    }
    return -1;  // no end
}

int refused(std::string_view head) {
    Request request;
    return refused(head, request);
}

// A request of HTTP/1.1 with a Host, and these lines.
std::string with(const std::string& lines) { return "POST / HTTP/1.1\r\nHost: a\r\n" + lines + "\r\n"; }

TEST_CASE("a plain request") {
    Request request;
    Framing framing;
    REQUIRE(refused("POST /a%20b/%c3%bc?q=1&r=%20"
                    " HTTP/1.1\r\nHost: Example.org:5000\r\nA:  b \t\r\n"
                    "content-LENGTH: 12\r\nExpect: 100-Continue\r\n\r\n",
                    request, &framing) == 0);
    CHECK(request.method == "POST");
    CHECK(request.path == "/a b/\xc3\xbc");
    CHECK(request.query == "q=1&r=%20");
    CHECK(request.header("a") == "b");
    CHECK(request.header("host") == "Example.org:5000");
    CHECK(request.header("c").empty());
    CHECK(framing.length == 12);
    CHECK_FALSE(framing.chunked);
    CHECK(framing.keep_alive);
    CHECK(framing.expects_continue);
}

TEST_CASE("a body has one length, or is chunked") {
    struct Case {
        const char* lines;
        int status;
    };
    static const Case cases[] = {
        {"Content-Length: 5\r\n", 0},
        {"Content-Length: 0005\r\n", 0},
        {"Content-Length:5\r\n", 0},
        {"Content-Length: \t5 \r\n", 0},
        {"Content-Length: 9223372036854775807\r\n", 0},
        {"Transfer-Encoding: chunked\r\n", 0},
        {"Transfer-Encoding: Chunked\r\n", 0},
        {"tRANSFER-eNCODING:CHUNKED\r\n", 0},
        // Two lengths.
        {"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", 400},
        {"Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", 400},
        {"Content-Length: 5\r\nContent-Length: 5\r\n", 400},
        {"Content-Length: 5\r\ncontent-length: 6\r\n", 400},
        {"Content-Length: 5, 5\r\n", 400},
        {"Content-Length: 5,6\r\n", 400},
        {"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400},
        {"Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n", 400},
        // No numbers.
        {"Content-Length:\r\n", 400},
        {"Content-Length: +5\r\n", 400},
        {"Content-Length: -5\r\n", 400},
        {"Content-Length: 5 5\r\n", 400},
        {"Content-Length: 0x5\r\n", 400},
        {"Content-Length: 5.0\r\n", 400},
        {"Content-Length: 1e1\r\n", 400},
        {"Content-Length: 5;\r\n", 400},
        {"Content-Length: \"5\"\r\n", 400},
        {"Content-Length: 5\x0b\r\n", 400},
        {"Content-Length: \xef\xbc\x95\r\n", 400},
        {"Content-Length: 18446744073709551621\r\n", 400},
        {"Content-Length: 99999999999999999999\r\n", 400},
        // Codings that are none, or none that is known.
        {"Transfer-Encoding: xchunked\r\n", 501},
        {"Transfer-Encoding: chunkedx\r\n", 501},
        {"Transfer-Encoding: gzip, chunked\r\n", 501},
        {"Transfer-Encoding: chunked, identity\r\n", 501},
        {"Transfer-Encoding: chunked,chunked\r\n", 501},
        {"Transfer-Encoding: identity\r\n", 501},
        {"Transfer-Encoding: \"chunked\"\r\n", 501},
        {"Transfer-Encoding: chunked;q=1\r\n", 501},
        {"Transfer-Encoding: ,chunked\r\n", 501},
        {"Transfer-Encoding: chunked,\r\n", 501},
        {"Transfer-Encoding:\r\n", 501},
        {"Transfer-Encoding: \xc2\xa0"
         "chunked\r\n",
         501},
        {"Transfer-Encoding: \x0b"
         "chunked\r\n",
         400},
        {"Transfer-Encoding: chunked\x0c\r\n", 400},
        {"Transfer-Encoding: chun\x7fked\r\n", 400},
        {"Transfer-Encoding: gzip\r\nContent-Length: 5\r\n", 400},
        // Names that some readers take for the ones above.
        {"Transfer-Encoding : chunked\r\n", 400},
        {"Content-Length\t: 5\r\n", 400},
        {" Transfer-Encoding: chunked\r\n", 400},
        {"\tContent-Length: 5\r\n", 400},
        {"X: y\r\n Transfer-Encoding: chunked\r\n", 400},
        {"Transfer-Encoding:\r\n chunked\r\n", 400},
        {"Content-Length: 5\r\n 6\r\n", 400},
        {"Transfer\xc2\xad"
         "Encoding: chunked\r\n",
         400},
        {"Transfer-Encoding\x01: chunked\r\n", 400},
        {"Trans(fer: a\r\n", 400},
        {"\"Content-Length\": 5\r\n", 400},
        {": 5\r\n", 400},
        {"Content-Length 5\r\n", 400},
        {"Content-Length\r\n", 400},
        // They are other names, and say nothing.
        {"Transfer_Encoding: xchunked\r\nContent_Length: a\r\n", 0},
        {"X-Transfer-Encoding: gzip\r\n", 0},
    };
    for (const Case& one : cases) {
        CAPTURE(one.lines);
        CHECK(refused(with(one.lines)) == one.status);
    }
}

TEST_CASE("lines end in CRLF") {
    CHECK(refused("GET / HTTP/1.1\nHost: a\n\n") == 400);
    CHECK(refused("GET / HTTP/1.1\r\nHost: a\n\r\n") == 400);
    CHECK(refused("GET / HTTP/1.1\r\nHost: a\r\n\n") == 400);
    CHECK(refused("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n") == 400);
    CHECK(refused("GET / HTTP/1.1\r\nHost: a\r\r\n\r\n") == 400);
    CHECK(refused("GET / HTTP/1.1\rHost: a\r\r") == 400);
    CHECK(refused("GET / HTTP/1.1\n\rHost: a\n\r\n\r") == 400);
    CHECK(refused(with("X: a\0b\r\n"s)) == 400);
    CHECK(refused(with("X\0: a\r\n"s)) == 400);
    CHECK(refused(with("X: a\x1b[31m\r\n")) == 400);
    CHECK(refused(with("X: a\tb \xc3\xbc\r\n")) == 0);
    CHECK(refused("\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n") == 0);
    CHECK(refused("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n") == 400);
    CHECK(refused("\nGET / HTTP/1.1\r\nHost: a\r\n\r\n") == 400);
    CHECK(refused(" GET / HTTP/1.1\r\nHost: a\r\n\r\n") == 400);
}

TEST_CASE("there is one Host, and it is one") {
    CHECK(refused("GET / HTTP/1.1\r\n\r\n") == 400);
    CHECK(refused("GET / HTTP/1.0\r\n\r\n") == 0);
    CHECK(refused("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n") == 400);
    CHECK(refused("GET / HTTP/1.1\r\nHost: a\r\nhost: b\r\n\r\n") == 400);
    for (const char* host : {"",         " ",       "a b",    "a,b",      "a/b", "a:b", "a:",       ":80",
                             "a:123456", "a:65536", "user@a", "[::1",     "::1", "[]",  "[1]",      "[::g]",
                             "[::1]a",   "[::1]:",  "a%2e",   "\xc3\xa4", "a?b", "a#b", "http://a", "a\tb"}) {
        CAPTURE(host);
        CHECK(refused("GET / HTTP/1.1\r\nHost: "s + host + "\r\n\r\n") == 400);
        if (*host != '\0' && *host != ' ') CHECK(refused("GET / HTTP/1.0\r\nHost: "s + host + "\r\n\r\n") == 400);
    }
    for (const char* host :
         {"a", "a.b-c_d", "A.B.", "a:0", "a:65535", "127.0.0.1", "[::1]", "[::1]:80", "[::ffff:1.2.3.4]"}) {
        CAPTURE(host);
        CHECK(refused("GET / HTTP/1.1\r\nHost:"s + host + "\r\n\r\n") == 0);
    }
}

TEST_CASE("the host of an absolute target outweighs Host, which nobody sees any more") {
    Request request;
    REQUIRE(refused("GET http://inner:81/a?b HTTP/1.1\r\nHost: outer\r\n\r\n", request) == 0);
    CHECK(request.header("Host") == "inner:81");
    CHECK(request.target == "/a?b");
    CHECK(request.path == "/a");
    CHECK(request.query == "b");
    Request bare;
    REQUIRE(refused("GET HTTPS://inner HTTP/1.1\r\nHost: outer\r\n\r\n", bare) == 0);
    CHECK(bare.path == "/");
    Request query;
    REQUIRE(refused("GET http://inner?x=1 HTTP/1.1\r\nHost: outer\r\n\r\n", query) == 0);
    CHECK(query.path == "/");
    CHECK(query.query == "x=1");
    for (const char* target : {"http:///a", "http://a@b/", "http://a:x/", "http:/a", "ftp://a/", "//", "a/b",
                               "http://a b/", "http://", "file:///etc/passwd", "javascript://a/", "*"}) {
        CAPTURE(target);
        const bool is_path = target == "//"s;
        CHECK(refused("GET "s + target + " HTTP/1.1\r\nHost: a\r\n\r\n") == (is_path ? 0 : 400));
    }
    CHECK(refused("GET http://inner/ HTTP/1.1\r\n\r\n") == 400);
    CHECK(refused("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n") == 0);
}

TEST_CASE("request lines") {
    struct Case {
        std::string line;
        int status;
    };
    const Case cases[] = {
        {"GET /", 400},
        {"GET", 400},
        {"GET  / HTTP/1.1", 400},
        {"GET /  HTTP/1.1", 400},
        {"GET / HTTP/1.1 ", 400},
        {"GET\t/\tHTTP/1.1", 400},
        {"GET / a HTTP/1.1", 400},
        {"GET / HTTP/2.0", 505},
        {"PRI * HTTP/2.0", 505},
        {"GET / HTTP/1.2", 505},
        {"GET / HTTP/0.9", 505},
        {"GET / HTTP/11", 400},
        {"GET / HTTP/1.1.1", 400},
        {"GET / http/1.1", 400},
        {"GET / HTTP/1.", 400},
        {"GET / HTTP/01.1", 400},
        {"GET / HTTPS/1.1", 400},
        {"GET / ICY", 400},
        {"get / HTTP/1.1", 501},
        {"PROPFIND / HTTP/1.1", 501},
        {"G@T / HTTP/1.1", 400},
        {"CONNECT a:80 HTTP/1.1", 405},
        {"TRACE / HTTP/1.1", 405},
        {"GET /#a HTTP/1.1", 400},
        {"GET /a%00b HTTP/1.1", 400},
        {"GET /%0d%0aX HTTP/1.1", 400},
        {"GET /% HTTP/1.1", 400},
        {"GET /%4 HTTP/1.1", 400},
        {"GET /%zz HTTP/1.1", 400},
        {"GET /%ff HTTP/1.1", 400},
        {"GET /%c0%af HTTP/1.1", 400},
        {"GET /%ed%a0%80 HTTP/1.1", 400},
        {"GET /%c3%bc HTTP/1.1", 0},
        {"GET /\xc3\xbc?q=\xc3\xbc HTTP/1.1", 0},
        {"GET /?q=\xff HTTP/1.1", 400},
        {"GET /../a HTTP/1.1", 400},
        {"GET /a/.. HTTP/1.1", 400},
        {"GET /a/%2e%2E/b HTTP/1.1", 400},
        {"GET /a/.%2e HTTP/1.1", 400},
        {"GET /a..b/...  HTTP/1.1", 400},
        {"GET /a..b/... HTTP/1.1", 0},
        {"GET /a%2fb HTTP/1.1", 400},
        {"GET /a%5cb HTTP/1.1", 400},
        {"GET /a\\b HTTP/1.1", 400},
        {"GET /?a=../%2f%00 HTTP/1.1", 0},
        {"DELETE /a HTTP/1.0", 0},
    };
    for (const Case& one : cases) {
        CAPTURE(one.line);
        CHECK(refused(one.line + "\r\nHost: a\r\n\r\n") == one.status);
    }
    CHECK(refused("\x16\x03\x01\x02") == 400);  // TLS
    CHECK(refused(std::string("\0", 1)) == 400);
}

TEST_CASE("what a path escapes and others may read as something else stays escaped") {
    const auto path = [](const std::string& target) {
        Request request;
        CHECK(refused("GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n", request) == 400);
        CHECK(request.path_fault.find("path has a") != std::string::npos);
        return request.path;
    };
    CHECK(path("/a/b%2Fc%20d") == "/a/b%2Fc d");
    CHECK(path("/a/%0A%5c%C3%BC") == "/a/%0A%5c\xc3\xbc");
    CHECK(path("/a/..%2f..") == "/a/..%2f..");
    CHECK(path("/%252F%2F") == "/%2F%2F");
    // What is broken is, whatever else it has.
    for (const char* target : {"/a%2Fb/..", "/a%2F%ff", "/a%2F%zz", "/a%2Fb\\c", "/a%C3%0A"}) {
        CAPTURE(target);
        Request request;
        CHECK(refused("GET " + std::string(target) + " HTTP/1.1\r\nHost: a\r\n\r\n", request) == 400);
        CHECK(request.path.empty());
    }
}

TEST_CASE("HTTP/1.0 has no chunks, and ends unless it says otherwise") {
    Framing framing;
    Request request;
    CHECK(refused("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n") == 400);
    REQUIRE(refused("GET / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n", request, &framing) == 0);
    CHECK_FALSE(framing.keep_alive);
    CHECK_FALSE(framing.expects_continue);
    const auto keeps = [&](const char* version, const char* connection) {
        Request one;
        REQUIRE(refused("GET / HTTP/"s + version + "\r\nHost: a\r\n" + connection + "\r\n", one, &framing) == 0);
        return framing.keep_alive;
    };
    CHECK(keeps("1.0", "Connection: Keep-Alive\r\n"));
    CHECK_FALSE(keeps("1.0", "Connection: keep-alive, close\r\n"));
    CHECK_FALSE(keeps("1.1", "Connection: Close\r\n"));
    CHECK_FALSE(keeps("1.1", "Connection: keep-alive\r\nConnection: te , close\r\n"));
    CHECK(keeps("1.1", "Connection: closed\r\n"));
    CHECK(keeps("1.1", "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n"));
}

TEST_CASE("limits of a head") {
    const std::string start = "GET / HTTP/1.1\r\nHost: a\r\n";
    CHECK(refused("GET /" + std::string(17'000, 'a') + " HTTP/1.1\r\nHost: a\r\n\r\n") == 414);
    CHECK(refused(std::string(17'000, 'A') + " / HTTP/1.1\r\nHost: a\r\n\r\n") == 414);
    CHECK(refused(start + "X: " + std::string(17'000, 'a') + "\r\n\r\n") == 431);
    const std::size_t room = 16 * 1024 - start.size() - 7;
    CHECK(refused(start + "X: " + std::string(room, 'a') + "\r\n\r\n") == 0);
    CHECK(refused(start + "X: " + std::string(room + 1, 'a') + "\r\n\r\n") == 431);
    std::string headers;
    for (int i = 0; i < 99; ++i) headers += "A: b\r\n";
    CHECK(refused(start + headers + "\r\n") == 0);
    CHECK(refused(start + headers + "A: b\r\n\r\n") == 431);
}

TEST_CASE("what is expected") {
    CHECK(refused(with("Expect: 100-continue\r\n")) == 0);
    CHECK(refused(with("Expect: 200-ok\r\n")) == 417);
    CHECK(refused(with("Expect:\r\n")) == 417);
    CHECK(refused(with("Expect: 100-continue\r\nExpect: 100-continue\r\n")) == 400);
}

}  // namespace gate_test
