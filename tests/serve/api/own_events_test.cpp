// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "serve/api/own/events.h"

namespace own_events_test {
using namespace serve;
using namespace std::chrono_literals;
using api::OwnEvents;
using api::OwnStream;

// A client that takes so many pieces, and then no more until it is told to.
class Client : public http::Exchange {
public:
    explicit Client(int room = 1000) : room_(room) {}
    const http::Request& request() const override { return request_; }
    void send(http::Response response) override {
        const std::lock_guard lock(mutex_);
        status_ = response.status;
        text_ = response.body;
    }
    void begin(http::Response head) override {
        const std::lock_guard lock(mutex_);
        status_ = head.status;
        type_ = head.content_type;
    }
    bool write(std::string piece) override {
        const std::lock_guard lock(mutex_);
        if (gone_ || room_ == 0) return false;
        --room_;
        text_ += piece;
        return true;
    }
    void end() override {
        const std::lock_guard lock(mutex_);
        ended_ = true;
    }
    void on_gone(std::function<void()>) override {}
    bool gone() const override {
        const std::lock_guard lock(mutex_);
        return gone_;
    }
    void read(int pieces) {
        const std::lock_guard lock(mutex_);
        room_ += pieces;
    }
    void go() {
        const std::lock_guard lock(mutex_);
        gone_ = true;
    }
    std::string text() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }
    bool ended() const {
        const std::lock_guard lock(mutex_);
        return ended_;
    }
    int status() const {
        const std::lock_guard lock(mutex_);
        return status_;
    }
    std::string type() const {
        const std::lock_guard lock(mutex_);
        return type_;
    }

private:
    mutable std::mutex mutex_;
    http::Request request_;
    int room_, status_ = 0;
    bool gone_ = false, ended_ = false;
    std::string text_, type_;
};

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
    OwnEvents events(10ms);
    const auto client = std::make_shared<Client>(0);
    {
        const auto stream = events.open(client);
        CHECK_FALSE(stream->send("partial", {}));
        stream->finish("result", {{"n", 1}});
    }
    CHECK_FALSE(client->ended());
    client->read(1);
    CHECK(comes([&] { return client->ended(); }));
    CHECK(client->text() == "event: result\ndata: {\"n\":1}\n\n");
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
