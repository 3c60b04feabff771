// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "test_application.h"

namespace disconnect_test {

using namespace dragoman::test;
using namespace serve::http;
using namespace std::chrono_literals;

// A request that waits until its client has gone.
struct Waiting {
    TestApplication application;
    std::shared_ptr<Exchange> exchange;
    std::atomic<bool> there{false};
    std::atomic<int> gone{0};
    Waiting() {
        application.handlers["/wait"] = [this](const std::shared_ptr<Exchange>& one) {
            exchange = one;
            one->on_gone([this] { ++gone; });
            there = true;
        };
    }
};

TEST_CASE("a client that goes is noticed while its request is at work") {
    for (const char* more : {"", "Connection: close\r\n"}) {
        for (bool reset : {false, true}) {
            CAPTURE(more);
            CAPTURE(reset);
            Waiting waiting;
            RunningServer running(waiting.application);
            auto client = running.connect();
            client.send(get("/wait", more));
            REQUIRE(soon([&] { return waiting.there.load(); }));
            CHECK_FALSE(waiting.exchange->gone());
            reset ? client.reset() : client.close();
            CHECK(soon([&] { return waiting.gone == 1; }));
            CHECK(waiting.exchange->gone());
            waiting.exchange->send({200, "text/plain", "too late", {}, {}, false});
            CHECK_FALSE(waiting.exchange->write("x"));
            int at_once = 0;
            waiting.exchange->on_gone([&] { ++at_once; });
            CHECK(at_once == 1);
            CHECK(waiting.application.wait_for(1));
            CHECK(waiting.application.statuses() == std::vector<int>{499});
            CHECK(waiting.gone == 1);
        }
    }
}

TEST_CASE("a proxy that speaks HTTP/1.0 goes when it closes") {
    Waiting waiting;
    RunningServer running(waiting.application);
    auto client = running.connect();
    client.send("GET /wait HTTP/1.0\r\nX-Forwarded-For: 192.0.2.1\r\n\r\n");
    REQUIRE(soon([&] { return waiting.there.load(); }));
    client.close();
    CHECK(soon([&] { return waiting.gone == 1; }));
}

TEST_CASE("a client that only says that it sends no more gets its answer") {
    Waiting waiting;
    RunningServer running(waiting.application);
    auto client = running.connect();
    client.send(get("/wait"));
    client.end_sending();
    REQUIRE(soon([&] { return waiting.there.load(); }));
    std::this_thread::sleep_for(500ms);
    CHECK(waiting.gone == 0);
    waiting.exchange->send({200, "text/plain", "here", {}, {}, false});
    CHECK(client.read(true, true).status == 100);
    CHECK(client.read(true, true).body == "here");
    CHECK(client.is_ended());
    // One of HTTP/1.0 knows no 100.
    auto old = running.connect();
    waiting.there = false;
    old.send("GET /wait HTTP/1.0\r\n\r\n");
    old.end_sending();
    REQUIRE(soon([&] { return waiting.there.load(); }));
    std::this_thread::sleep_for(300ms);
    waiting.exchange->send({200, "text/plain", "here", {}, {}, false});
    CHECK(old.read(true, true).body == "here");
    CHECK(waiting.gone == 0);
}

}  // namespace disconnect_test
