// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <functional>
#include <string>
#include <thread>

#include "serve/api/own/events.h"
#include "slow_client.h"

namespace own_events_test {
using namespace serve;
using namespace std::chrono_literals;
using api::OwnEvents;
using api::OwnStream;
using Client = slow_client_test::SlowClient;

bool comes(const std::function<bool()>& what) {
    for (int i = 0; i < 1000 && !what(); ++i) std::this_thread::sleep_for(5ms);
    return what();
}

TEST_CASE("Events, and the last one ends the answer") {
    const auto client = std::make_shared<Client>();
    OwnStream stream(client);
    CHECK(stream.send("sentence", {{"text", "Good day.\n"}}));
    stream.finish("result", {{"n", 1}});
    CHECK(client->status() == 200);
    CHECK(client->type() == "text/event-stream; charset=utf-8");
    CHECK(client->text() == "event: sentence\ndata: {\"text\":\"Good day.\\n\"}\n\nevent: result\ndata: {\"n\":1}\n\n");
    CHECK(client->ended());
    CHECK_FALSE(stream.send("sentence", {}));
}

TEST_CASE("A problem before the first event is an ordinary answer, one behind it an event") {
    const auto early = std::make_shared<Client>(), late = std::make_shared<Client>();
    OwnStream(early).fail(Problem(Problem::Kind::busy, "the queue is full", "", 1));
    CHECK(early->status() == 503);
    CHECK(early->text() == R"({"error":{"code":"busy","message":"the queue is full"}})");
    OwnStream stream(late);
    stream.send("partial", {{"text", "Go"}});
    stream.fail(Problem(Problem::Kind::failed, "the device is lost"));
    CHECK(late->status() == 200);
    CHECK(late->text().ends_with(
        "event: error\ndata: {\"error\":{\"code\":\"failed\",\"message\":\"the device is lost\"}}\n\n"));
    CHECK(late->ended());
}

TEST_CASE("A slow reader misses events, but not the last one") {
    const auto client = std::make_shared<Client>(0), failed = std::make_shared<Client>(0);
    OwnStream stream(client), failing(failed);
    CHECK_FALSE(stream.send("partial", {}));
    stream.finish("result", {{"n", 1}});
    CHECK(client->text() == "event: result\ndata: {\"n\":1}\n\n");
    CHECK(client->ended());
    CHECK_FALSE(failing.send("partial", {}));
    failing.fail(Problem(Problem::Kind::failed, "the device is lost"));
    CHECK(failed->text().starts_with("event: error\n"));
    CHECK(failed->ended());
}

TEST_CASE("Silence is filled with comments until the client goes") {
    OwnEvents events(10ms);
    const auto client = std::make_shared<Client>();
    const std::weak_ptr<OwnStream> stream = events.open(client);
    CHECK(comes([&] { return client->text().starts_with(": ping\n\n: ping\n\n"); }));
    client->go();
    CHECK(comes([&] { return stream.expired(); }));
}

TEST_CASE("Who wants events") {
    const http::Request plain;
    http::Request browser;
    browser.headers = {{"accept", "text/event-stream"}};
    CHECK_FALSE(api::own_wants_events(plain, Json::object()));
    CHECK(api::own_wants_events(browser, Json::object()));
    CHECK(api::own_wants_events(plain, {{"stream", true}}));
    CHECK_FALSE(api::own_wants_events(browser, {{"stream", false}}));
}

}  // namespace own_events_test
