// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <utility>

#include "temp_dir.h"
#include "test_application.h"

namespace answer_test {

using namespace dragoman::test;
using namespace serve::http;
using namespace std::chrono_literals;

Response text(std::string body) { return {200, "text/plain", std::move(body), {}, {}, false}; }

TEST_CASE("HEAD has the head of GET") {
    TempDir folder;
    TestApplication application;
    application.handlers["/stream"] = [](const std::shared_ptr<Exchange>& exchange) {
        exchange->begin(text(""));
        exchange->write("piece");
        exchange->end("");
    };
    application.handlers["/file"] = [&](const std::shared_ptr<Exchange>& exchange) {
        Response response = text("");
        response.file = folder.write("answer", "four");
        exchange->send(std::move(response));
    };
    RunningServer running(application);
    auto client = running.connect();
    for (const char* path : {"/echo", "/stream", "/file", "/closed"}) {
        CAPTURE(path);
        client.send("HEAD " + std::string(path) + " HTTP/1.1\r\nHost: a\r\n\r\n" + get("/echo?next"));
        const Reply head = client.read(false);
        CHECK(head.header("Content-Type") == "text/plain");
        if (path == std::string("/stream")) CHECK(head.header("Transfer-Encoding") == "chunked");
        if (path == std::string("/file")) CHECK(head.header("Content-Length") == "4");
        CHECK(client.read().body == "GET /echo next ");
    }
}

TEST_CASE("answers without a body, and headers that would frame it otherwise") {
    TestApplication application;
    application.handlers["/none"] = [](const std::shared_ptr<Exchange>& exchange) {
        exchange->send({204, "", "", {}, {}, false});
    };
    application.handlers["/headers"] = [](const std::shared_ptr<Exchange>& exchange) {
        Response response = text("x");
        response.headers = {{"Content-Length", "100"},
                            {"transfer-encoding", "chunked"},
                            {"X-Good", "a\r\nX-Evil: b"},
                            {"Bad Name", "c"},
                            {"X-Evil:", "d"},
                            {"Server", "other"}};
        exchange->send(std::move(response));
    };
    application.handlers["/close"] = [](const std::shared_ptr<Exchange>& exchange) {
        Response response = text("x");
        response.headers = {{"Connection", "close"}};
        exchange->send(std::move(response));
    };
    RunningServer running(application);
    auto client = running.connect();
    client.send(get("/none") + get("/headers") + get("/close") + get("/echo"));
    const Reply none = client.read();
    CHECK(none.status == 204);
    CHECK(none.header("Content-Length") == "");
    const Reply headers = client.read();
    CHECK(headers.body == "x");
    CHECK(headers.header("Content-Length") == "1");
    CHECK(headers.header("X-Good") == "a  X-Evil: b");
    CHECK(headers.head.find("\r\nX-Evil") == std::string::npos);
    CHECK(headers.head.find("Bad Name") == std::string::npos);
    CHECK(headers.head.find("transfer-encoding") == std::string::npos);
    CHECK(client.read().header("Connection") == "close");
    CHECK(client.is_ended());
}

TEST_CASE("files are sent in pieces, and removed if they are to be") {
    TempDir folder;
    std::string content;
    while (content.size() < 3'000'000) content += std::to_string(content.size());
    const std::filesystem::path file = folder.write("large", content);
    TestApplication application;
    application.handlers["/file"] = [&](const std::shared_ptr<Exchange>& exchange) {
        Response response = text("");
        response.file = exchange->request().query == "none" ? folder.path() / "none" : file;
        response.remove_file = exchange->request().query == "remove";
        exchange->send(std::move(response));
    };
    RunningServer running(application);
    auto client = running.connect();
    client.send(get("/file") + get("/file?none"));
    const Reply reply = client.read();
    CHECK(reply.header("Content-Length") == std::to_string(content.size()));
    CHECK((reply.body == content));
    CHECK(client.read().status == 500);
    CHECK(std::filesystem::exists(file));
    client.send(get("/file?remove"));
    CHECK((client.read().body == content));
    CHECK(soon([&] { return !std::filesystem::exists(file); }));
}

TEST_CASE("answers in pieces") {
    TestApplication application;
    application.handlers["/stream"] = [](const std::shared_ptr<Exchange>& exchange) {
        exchange->begin(text(""));
        for (const char* piece : {"one ", "", "two ", "three"}) CHECK(exchange->write(piece));
        exchange->end("");
        CHECK_FALSE(exchange->write("late"));
    };
    application.handlers["/half"] = [](const std::shared_ptr<Exchange>& exchange) {
        exchange->begin(text(""));
        exchange->write("half");
    };
    RunningServer running(application);
    auto client = running.connect();
    client.send(get("/stream") + get("/echo"));
    const Reply reply = client.read();
    CHECK(reply.header("Transfer-Encoding") == "chunked");
    CHECK(reply.header("Content-Length") == "");
    CHECK(reply.body == "one two three");
    CHECK(client.read().status == 200);
    auto old = running.connect();
    old.send("GET /stream HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    const Reply plain = old.read();
    CHECK(plain.header("Transfer-Encoding") == "");
    CHECK(plain.header("Connection") == "close");
    CHECK(plain.body == "one two three");
    // One that breaks off is not made to look whole.
    auto half = running.connect();
    half.send(get("/half"));
    CHECK(half.read_to_end().find("\r\n0\r\n") == std::string::npos);
    CHECK(application.wait_for(4));
}

TEST_CASE("what a client leaves unread is bounded, and a client that reads nothing is cut off") {
    TestApplication application;
    std::shared_ptr<Exchange> stream;
    std::atomic<bool> there{false};
    std::atomic<int> gone{0};
    application.handlers["/stream"] = [&](const std::shared_ptr<Exchange>& exchange) {
        exchange->on_gone([&] { ++gone; });
        exchange->begin(text(""));
        stream = exchange;
        there = true;
    };
    ServerOptions options;
    options.send_time = 500ms;
    RunningServer running(application, options);
    auto client = running.connect();
    client.send(get("/stream"));
    REQUIRE(soon([&] { return there.load(); }));
    const std::string piece(64 * 1024, 'x');
    int refused = 0;
    for (int i = 0; i < 1000 && refused < 50; ++i) {
        if (stream->write(piece)) continue;
        ++refused;
        CHECK(running.server->counts().memory_bytes < 400 * 1024);
        std::this_thread::sleep_for(1ms);
    }
    CHECK(refused == 50);
    CHECK(soon([&] { return gone == 1; }));
    CHECK_FALSE(stream->write("x"));
    stream.reset();
    CHECK(soon([&] { return running.server->counts().memory_bytes == 0; }));
    CHECK(application.statuses() == std::vector<int>{499});
}

TEST_CASE("the last piece comes to a slow reader, too") {
    TestApplication application;
    std::shared_ptr<Exchange> stream;
    std::atomic<bool> there{false};
    application.handlers["/stream"] = [&](const std::shared_ptr<Exchange>& exchange) {
        exchange->begin(text(""));
        stream = exchange;
        there = true;
    };
    RunningServer running(application);
    auto client = running.connect();
    client.send(get("/stream") + get("/echo"));
    REQUIRE(soon([&] { return there.load(); }));
    const std::string piece(64 * 1024, 'x'), last(1024 * 1024, 'y');
    std::string wanted;
    // Until nothing has gone out for a while: the socket is full, and so is what may lie unsent.
    for (int refused = 0; refused < 50;) {
        if (stream->write(piece)) {
            wanted += piece;
            refused = 0;
            continue;
        }
        ++refused;
        std::this_thread::sleep_for(1ms);
    }
    stream->end(last);
    stream.reset();
    const Reply reply = client.read();
    CHECK(reply.body.size() == wanted.size() + last.size());
    CHECK((reply.body == wanted + last));
    CHECK(client.read().status == 200);
    CHECK(application.faults().empty());
    CHECK(soon([&] { return running.server->counts().memory_bytes == 0; }));
}

TEST_CASE("a large answer to a slow reader comes whole") {
    TestApplication application;
    const std::string body(8'000'000, 'y');
    application.handlers["/large"] = [&](const std::shared_ptr<Exchange>& exchange) { exchange->send(text(body)); };
    RunningServer running(application);
    auto client = running.connect();
    client.send(get("/large"));
    std::this_thread::sleep_for(100ms);
    CHECK((client.read().body == body));
    CHECK(soon([&] { return running.server->counts().memory_bytes == 0; }));
}

TEST_CASE("connections of HTTP/1.0") {
    TestApplication application;
    RunningServer running(application);
    auto keeps = running.connect();
    keeps.send("GET /echo HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
    CHECK(keeps.read().header("Connection") == "keep-alive");
    keeps.send("GET /echo HTTP/1.0\r\n\r\n");
    CHECK(keeps.read().header("Connection") == "close");
    CHECK(keeps.is_ended());
}

}  // namespace answer_test
