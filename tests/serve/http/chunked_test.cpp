// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "serve/http/chunked.h"
#include "serve/http/refusal.h"

namespace chunked_test {

using namespace serve::http;
using namespace std::string_literals;

struct Decoded {
    std::string data;
    std::size_t used = 0;
    bool done = false;
    int status = 0;  // of the refusal
};

Decoded decoded(std::string_view bytes, std::size_t step) {
    Decoded result;
    ChunkedDecoder decoder;
    try {
        while (!decoder.done() && result.used < bytes.size())
            result.used += decoder.feed(bytes.substr(result.used, step),
                                        [&](std::string_view data) { result.data += data; });
    } catch (const Refusal& refusal) {
        result.status = refusal.status;
    }
    result.done = decoder.done();
    return result;
}

// In one piece and byte by byte, which have to agree.
Decoded decoded(std::string_view bytes) {
    Decoded whole = decoded(bytes, bytes.size());
    const Decoded slow = decoded(bytes, 1);
    CHECK(whole.data == slow.data);
    CHECK(whole.status == slow.status);
    CHECK(whole.done == slow.done);
    if (whole.status == 0) CHECK(whole.used == slow.used);
    return whole;
}

TEST_CASE("chunks are put together, and what follows is left") {
    const Decoded result = decoded("4\r\nWiki\r\n05\r\npedia\r\nA\r\n in\r\n\r\nbc.\r\n0\r\n\r\nGET / HTTP/1.1\r\n");
    CHECK(result.done);
    CHECK(result.data == "Wikipedia in\r\n\r\nbc.");
    CHECK(result.used == std::string_view("4\r\nWiki\r\n05\r\npedia\r\nA\r\n in\r\n\r\nbc.\r\n0\r\n\r\n").size());
    CHECK(decoded("0\r\n\r\n").done);
    CHECK(decoded("000\r\n\r\n").done);
}

TEST_CASE("extensions and trailers say nothing") {
    const Decoded result = decoded("3;a=\"b;c\";d\r\nabc\r\n0;x\r\nX-Sum: 1\r\nOther:\r\n\r\n");
    CHECK(result.done);
    CHECK(result.data == "abc");
    CHECK_FALSE(decoded("3\r\nabc\r\n0\r\nX: y\r\n").done);
}

TEST_CASE("what is no chunk") {
    const std::string wrong[] = {
        "\r\n",
        "x\r\n",
        "-1\r\na\r\n0\r\n\r\n",
        "+1\r\na\r\n0\r\n\r\n",
        "0x1\r\na\r\n0\r\n\r\n",
        " 1\r\na\r\n0\r\n\r\n",
        "1 \r\na\r\n0\r\n\r\n",
        "1 ;a\r\na\r\n0\r\n\r\n",
        "1\t\r\na\r\n0\r\n\r\n",
        "1_0\r\n",
        "1\na\r\n0\r\n\r\n",
        "1\ra\r\n0\r\n\r\n",
        "1\r\nab\r\n0\r\n\r\n",
        "1\r\na\n0\r\n\r\n",
        "1\r\na\r0\r\n\r\n",
        "1\r\na0\r\n\r\n",
        "1;a\nb\r\na\r\n0\r\n\r\n",
        "1;a\rb\r\na\r\n0\r\n\r\n",
        "1;\0\r\na\r\n0\r\n\r\n"s,
        "10000000000000000\r\n",
        "ffffffffffffffff\r\n",
        "00000000000000001\r\na\r\n0\r\n\r\n",
        "1,1\r\na\r\n",
        "0\r\n\n",
        "0\r\nno trailer\r\n\r\n",
        "0\r\n X: y\r\n\r\n",
        "0\r\nX : y\r\n\r\n",
        "0\r\nX: y\n\r\n",
        "0\r\nX: y\rz\r\n\r\n",
        "0\r\nX: \0\r\n\r\n"s,
        "0\r\nContent-Length: 5\r\n\r\n",
        "0\r\ntransfer-encoding: chunked\r\n\r\n",
        "0\r\nHost: b\r\n\r\n",
    };
    for (const std::string& bytes : wrong) {
        CAPTURE(bytes);
        const Decoded result = decoded(bytes);
        CHECK(result.status == 400);
        CHECK_FALSE(result.done);
    }
}

TEST_CASE("extensions and trailers are bounded together") {
    CHECK(decoded("1;" + std::string(4000, 'a') + "\r\na\r\n0\r\n\r\n").done);
    CHECK(decoded("1;" + std::string(5000, 'a') + "\r\na\r\n0\r\n\r\n").status == 431);
    CHECK(decoded("0\r\nX: " + std::string(5000, 'a') + "\r\n\r\n").status == 431);
    std::string many;
    for (int i = 0; i < 2000; ++i) many += "1;ab\r\na\r\n";
    CHECK(decoded(many + "0\r\n\r\n").status == 431);
}

}  // namespace chunked_test
