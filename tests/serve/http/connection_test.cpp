// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "serve/problem.h"
#include "temp_dir.h"
#include "test_application.h"

namespace connection_test {

using namespace dragoman::test;
using namespace serve::http;
using namespace std::chrono_literals;

ServerOptions quick() {
    ServerOptions options;
    options.head_time = options.body_time = options.idle_time = 300ms;
    return options;
}

TEST_CASE("a broken request is answered, and its connection ends") {
    TestApplication application;
    RunningServer running(application);
    auto client = running.connect();
    client.send(get("/echo") + "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n" +
                get("/echo?smuggled"));
    CHECK(client.read().status == 200);
    const Reply refused = client.read();
    CHECK(refused.status == 501);
    CHECK(refused.header("Connection") == "close");
    CHECK(refused.body.find("xchunked") != std::string::npos);
    CHECK(client.is_ended());
    // Another protocol is told so at once, without the end of its head.
    auto tls = running.connect();
    tls.send("\x16\x03\x01\x02");
    CHECK(tls.read().status == 400);
    auto http2 = running.connect();
    http2.send("PRI * HTTP/2.0\r\n");
    CHECK(http2.read().status == 505);
}

TEST_CASE("bodies: chunked, forgotten, too long") {
    TestApplication application;
    application.max_body_bytes = 1000;
    RunningServer running(application);
    auto client = running.connect();
    const std::string start = "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n";
    client.send(start + "3\r\nabc\r\n2;x\r\nde\r\n0\r\nA: b\r\n\r\n" + get("/echo"));
    CHECK(client.read().body == "POST /echo  abcde");
    CHECK(client.read().body == "GET /echo  ");
    client.send(post("/nothing", std::string(60'000, 'x')) + post("/echo", std::string(1000, 'y')));
    CHECK(client.read().body == "POST /nothing  ");
    CHECK(client.read().body == "POST /echo  " + std::string(1000, 'y'));
    client.send(post("/echo", std::string(1001, 'y')));
    CHECK(client.read().status == 413);
    CHECK(client.is_ended());
    auto chunked = running.connect();
    chunked.send(start + "3e8\r\n" + std::string(1000, 'y') + "\r\n1\r\n");
    chunked.send("z\r\n0\r\n\r\n");
    CHECK(chunked.read().status == 413);
    CHECK(chunked.is_ended());
    auto forgotten = running.connect();
    forgotten.send("POST /nothing HTTP/1.1\r\nHost: a\r\nContent-Length: 65537\r\n\r\n");
    CHECK(forgotten.read().status == 413);
    auto wrong = running.connect();
    wrong.send(start + "3\r\nabcd\r\n");
    CHECK(wrong.read().status == 400);
}

TEST_CASE("a client that sends all of a body that is too long gets to read so") {
    TestApplication application;
    application.max_body_bytes = 1000;
    RunningServer running(application);
    auto client = running.connect();
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 30000000\r\n\r\n");
    const std::string piece(1'000'000, 'x');
    for (int i = 0; i < 30; ++i) {
        client.send(piece);
        if (i % 10 == 0) std::this_thread::sleep_for(800ms);
    }
    CHECK(client.read().status == 413);
    CHECK(client.is_ended());
}

TEST_CASE("the application refuses before the body") {
    TestApplication application;
    RunningServer running(application);
    auto client = running.connect();
    client.send(get("/closed") + get("/echo"));
    CHECK(client.read().status == 403);
    CHECK(client.read().status == 200);
    client.send("POST /closed HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n");
    const Reply refused = client.read(true, true);
    CHECK(refused.status == 403);
    CHECK(refused.header("Connection") == "close");
    CHECK(client.is_ended());
}

TEST_CASE("a path with escaped slashes or line ends is taken where it is a text, and refused elsewhere") {
    TestApplication application;
    RunningServer running(application);
    auto client = running.connect();
    client.send(get("/text/a%2Fb%0Ac?q=1") + get("/echo%2Ftext/a"));
    CHECK(client.read().body == "GET /text/a%2Fb%0Ac q=1 ");
    CHECK(client.read().status == 400);
    CHECK(client.is_ended());
    for (const char* target : {"/closed%2F", "/text%2Fa", "/text/../%2F", "/text/a%2F%ff"}) {
        CAPTURE(target);
        auto other = running.connect();
        other.send(get(target));
        CHECK(other.read().status == 400);
        CHECK(other.is_ended());
    }
}

TEST_CASE("a client that expects it is told to go on, when it is its turn") {
    TestApplication application;
    std::shared_ptr<Exchange> first;
    std::atomic<bool> there{false};
    application.handlers["/slow"] = [&](const std::shared_ptr<Exchange>& exchange) {
        first = exchange;
        there = true;
    };
    RunningServer running(application);
    auto client = running.connect();
    const std::string head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n";
    client.send(get("/slow") + head);
    REQUIRE(soon([&] { return there.load(); }));
    first->send({200, "text/plain", "slow", {}, {}, false});
    CHECK(client.read(true, true).body == "slow");
    CHECK(client.read(true, true).status == 100);
    client.send("text");
    CHECK(client.read(true, true).body == "POST /echo  text");
    client.send(head + "text");  // it did not wait
    CHECK(client.read(true, true).body == "POST /echo  text");
}

TEST_CASE("bodies that go to files are removed with the request") {
    TempDir folder;
    TestApplication application;
    application.to_file = true;
    std::filesystem::path file;
    application.handlers["/file"] = [&](const std::shared_ptr<Exchange>& exchange) {
        const Request& request = exchange->request();
        file = request.body_file;
        exchange->send({200, "text/plain", read_file(file) + " " + std::to_string(request.body.size()), {}, {}, false});
    };
    ServerOptions options;
    options.uploads = folder.path() / "uploads";
    RunningServer running(application, options);
    auto client = running.connect();
    client.send(post("/file", "text", "X-Request-Id: ..\r\n"));
    CHECK(client.read().body == "text 0");
    CHECK(file.parent_path() == options.uploads);
    CHECK(soon([&] { return !std::filesystem::exists(file); }));
    client.send("POST /file HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n");
    CHECK(client.read().body == "ab 0");
    client.send("POST /file HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
    CHECK(soon([&] { return !std::filesystem::is_empty(options.uploads); }));
    client.reset();
    CHECK(soon([&] { return std::filesystem::is_empty(options.uploads); }));
}

TEST_CASE("deadlines") {
    TestApplication application;
    RunningServer running(application, quick());
    auto idle = running.connect();
    auto head = running.connect();
    auto body = running.connect();
    auto chunk = running.connect();
    head.send("GET / HTTP/1.1\r\n");
    body.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
    chunk.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab");
    CHECK(head.read().status == 408);
    CHECK(head.is_ended());
    CHECK(body.read().status == 408);
    CHECK(chunk.read().status == 408);
    CHECK(idle.is_ended());
    CHECK(soon([&] { return running.server->counts().connections == 0; }));
}

TEST_CASE("a head that drips does not get more time, a body at a fair pace does, and one at work has all") {
    TestApplication application;
    std::shared_ptr<Exchange> waiting;
    std::atomic<bool> there{false};
    application.handlers["/slow"] = [&](const std::shared_ptr<Exchange>& exchange) {
        waiting = exchange;
        there = true;
    };
    RunningServer running(application, quick());
    auto slow = running.connect();
    slow.send(get("/slow"));
    auto steady = running.connect();
    steady.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 160000\r\n\r\n");
    auto drip = running.connect();
    drip.send("GET / HTTP/1.1\r\nX: ");
    for (int i = 0; i < 8; ++i) {
        std::this_thread::sleep_for(100ms);
        drip.try_send("a");
        steady.send(std::string(20'000, 'x'));
    }
    CHECK(steady.read().status == 200);
    CHECK(drip.read().status == 408);
    REQUIRE(there);
    waiting->send({200, "text/plain", "at last", {}, {}, false});
    CHECK(slow.read().body == "at last");
}

TEST_CASE("a request that ends early") {
    TestApplication application;
    RunningServer running(application);
    auto body = running.connect();
    body.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf");
    body.end_sending();
    const Reply reply = body.read();
    CHECK(reply.status == 400);
    CHECK(reply.body.find("after 4 bytes") != std::string::npos);
    auto head = running.connect();
    head.send("GET / HTT");
    head.end_sending();
    CHECK(head.read().status == 400);
    auto nothing = running.connect();
    nothing.end_sending();
    CHECK(nothing.is_ended());
}

TEST_CASE("handlers that throw, and that forget to answer") {
    TestApplication application;
    application.handlers["/throw"] = [](const auto&) { throw std::runtime_error("a secret"); };
    application.handlers["/problem"] = [](const auto&) {
        throw serve::Problem(serve::Problem::Kind::not_found, "no such thing");
    };
    application.handlers["/forget"] = [](const auto&) {};
    RunningServer running(application);
    auto client = running.connect();
    client.send(get("/throw") + get("/problem") + get("/forget") + get("/echo"));
    const Reply thrown = client.read();
    CHECK(thrown.status == 500);
    CHECK(thrown.body.find("secret") == std::string::npos);
    const Reply problem = client.read();
    CHECK(problem.status == 404);
    CHECK(problem.body == "no such thing");
    CHECK(client.read().status == 500);
    CHECK(client.read().status == 200);
    const auto faults = application.faults();
    REQUIRE(faults.size() == 2);
    CHECK(std::count(faults.begin(), faults.end(), "a secret") == 1);
    CHECK(std::count(faults.begin(), faults.end(), "a handler gave no answer") == 1);
}

TEST_CASE("requests of a connection that wait are bounded, and none is lost") {
    TestApplication application;
    std::mutex mutex;
    std::vector<std::shared_ptr<Exchange>> waiting;
    application.handlers["/wait"] = [&](const std::shared_ptr<Exchange>& exchange) {
        const std::lock_guard lock(mutex);
        waiting.push_back(exchange);
    };
    ServerOptions options;
    options.max_pipelined = 3;
    RunningServer running(application, options);
    auto client = running.connect();
    std::string requests;
    for (int i = 0; i < 10; ++i) requests += get("/wait?" + std::to_string(i));
    client.send(requests);
    std::size_t answered = 0, most = 0;
    while (answered < 10) {
        std::vector<std::shared_ptr<Exchange>> now;
        REQUIRE(soon([&] {
            const std::lock_guard lock(mutex);
            return !waiting.empty();
        }));
        std::this_thread::sleep_for(20ms);
        {
            const std::lock_guard lock(mutex);
            most = std::max(most, waiting.size());
            now = std::exchange(waiting, {});
        }
        for (const auto& exchange : now) exchange->send({200, "text/plain", exchange->request().query, {}, {}, false});
        for (std::size_t i = 0; i < now.size(); ++i) CHECK(client.read().body == std::to_string(answered++));
    }
    CHECK(most == 3);
}

TEST_CASE("methods that change things wait for those before and hold those behind") {
    TestApplication application;
    std::mutex mutex;
    std::string order;
    application.handlers["/it"] = [&](const std::shared_ptr<Exchange>& exchange) {
        if (exchange->request().method == "GET") std::this_thread::sleep_for(50ms);
        const std::lock_guard lock(mutex);
        order += exchange->request().method[0];
        exchange->send({204, "", "", {}, {}, false});
    };
    RunningServer running(application);
    auto client = running.connect();
    client.send(get("/it") + "DELETE /it HTTP/1.1\r\nHost: a\r\n\r\n" + post("/it", "x"));
    for (int i = 0; i < 3; ++i) CHECK(client.read().status == 204);
    CHECK(order == "GDP");
}

}  // namespace connection_test
