// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <utility>

#include "test_application.h"

namespace server_test {

using namespace dragoman::test;
using namespace serve::http;

TEST_CASE("a request is answered, and the connection goes on") {
    TestApplication application;
    RunningServer running(application);
    CHECK(running.server->address() == "http://127.0.0.1:" + std::to_string(running.server->port()));
    auto client = running.connect();
    client.send(get("/echo?a=1", "X-Request-Id: from-a-proxy\r\n"));
    const Reply first = client.read();
    CHECK(first.status == 200);
    CHECK(first.body == "GET /echo a=1 ");
    CHECK(first.header("Server") == "dragoman");
    CHECK(first.header("Date").size() == 29);
    CHECK(first.header("X-Request-Id") == "from-a-proxy");
    CHECK(first.header("Content-Type") == "text/plain");
    CHECK(first.header("Connection") == "");
    client.send(post("/echo", "text"));
    const Reply second = client.read();
    CHECK(second.body == "POST /echo  text");
    CHECK(second.header("X-Request-Id").size() > 16);
    CHECK(application.wait_for(2));
    CHECK(application.statuses() == std::vector<int>{200, 200});
    CHECK(soon([&] { return running.server->counts().memory_bytes == 0; }));
    CHECK(running.server->counts().requests_in_flight == 0);
    CHECK(running.server->counts().connections == 1);
}

TEST_CASE("pipelined requests get their answers in order, though the first one takes longest") {
    TestApplication application;
    std::shared_ptr<Exchange> first;
    application.handlers["/slow"] = [&](const std::shared_ptr<Exchange>& exchange) { first = exchange; };
    application.handlers["/last"] = [&](const std::shared_ptr<Exchange>& exchange) {
        exchange->send({200, "text/plain", "last", {}, {}, false});
        std::exchange(first, nullptr)->send({200, "text/plain", "slow", {}, {}, false});
    };
    ServerOptions options;
    options.workers = 1;
    RunningServer running(application, options);
    auto client = running.connect();
    client.send(get("/slow") + get("/echo?2") + post("/echo", "3") + get("/echo?4") + get("/last"));
    CHECK(client.read().body == "slow");
    CHECK(client.read().body == "GET /echo 2 ");
    CHECK(client.read().body == "POST /echo  3");
    CHECK(client.read().body == "GET /echo 4 ");
    CHECK(client.read().body == "last");
}

}  // namespace server_test
