// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "temp_dir.h"
#include "test_application.h"

namespace server_limits_test {

using namespace dragoman::test;
using namespace serve::http;
using namespace std::chrono_literals;

std::size_t resident_bytes() {
    std::size_t pages = 0, resident = 0;
    std::FILE* file = std::fopen("/proc/self/statm", "r");
    if (!file) return 0;
    const int read = std::fscanf(file, "%zu %zu", &pages, &resident);
    std::fclose(file);
    return read == 2 ? resident * 4096 : 0;
}

TEST_CASE("connections beyond the limit are told so") {
    TestApplication application;
    ServerOptions options;
    options.max_connections = 2;
    RunningServer running(application, options);
    auto first = running.connect();
    auto second = running.connect();
    REQUIRE(soon([&] { return running.server->counts().connections == 2; }));
    auto third = running.connect();
    const Reply refused = third.read();
    CHECK(refused.status == 503);
    CHECK(refused.header("Retry-After") == "1");
    CHECK(third.is_ended());
    first.send(get("/echo"));
    CHECK(first.read().status == 200);
    second.close();
    third.close();
    REQUIRE(soon([&] { return running.server->counts().connections == 1; }));
    auto fourth = running.connect();
    fourth.send(get("/echo"));
    CHECK(fourth.read().status == 200);
    CHECK(running.server->counts().refused_connections == 1);
}

TEST_CASE("connections of one address have a limit of their own") {
    TestApplication application;
    ServerOptions options;
    options.max_connections_per_address = 1;
    RunningServer running(application, options);
    auto first = running.connect();
    first.send(get("/echo"));
    CHECK(first.read().status == 200);
    auto second = running.connect();
    CHECK(second.read().status == 503);
}

TEST_CASE("bodies beyond what all may have in files are refused, before they come and while they do") {
    TempDir folder;
    TestApplication application;
    application.to_file = true;
    application.max_files_bytes = 100;
    ServerOptions options;
    options.uploads = folder.path() / "uploads";
    RunningServer running(application, options);
    const auto held = [&](std::uint64_t bytes) {
        return soon([&] { return running.server->counts().file_bytes == bytes; });
    };
    auto large = running.connect();
    large.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\n\r\n");
    const Reply refused = large.read();
    CHECK(refused.status == 503);
    CHECK(refused.header("Retry-After") == "2");
    auto first = running.connect();
    first.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n\r\n" + std::string(60, 'x'));
    REQUIRE(held(60));
    auto second = running.connect();
    second.send(post("/echo", std::string(41, 'y')));
    CHECK(second.read().status == 503);
    auto chunked = running.connect();
    chunked.send("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1e\r\n" + std::string(30, 'z') +
                 "\r\n");
    REQUIRE(held(90));
    chunked.send("b\r\n" + std::string(11, 'z') + "\r\n0\r\n\r\n");
    CHECK(chunked.read().status == 503);
    chunked.close();
    CHECK(held(60));
    first.send(std::string(30, 'x'));
    CHECK(first.read().status == 200);
    first.close();
    CHECK(held(0));
    auto last = running.connect();
    last.send(post("/echo", std::string(100, 'y')));
    CHECK(last.read().status == 200);
    CHECK(std::filesystem::exists(options.uploads));
}

TEST_CASE("bodies beyond the memory of all are refused at once, and small requests are answered") {
    TestApplication application;
    application.max_body_bytes = 10 << 20;
    std::vector<std::shared_ptr<Exchange>> waiting;
    std::atomic<int> there{0};
    application.handlers["/wait"] = [&](const std::shared_ptr<Exchange>& exchange) {
        waiting.push_back(exchange);
        ++there;
    };
    ServerOptions options;
    options.max_memory_bytes = 1 << 20;
    options.workers = 1;
    RunningServer running(application, options);
    // What is announced only takes nothing.
    std::vector<SocketClient> announced;
    for (int i = 0; i < 5; ++i) {
        announced.push_back(running.connect());
        announced.back().send("POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\nx");
    }
    auto first = running.connect();
    first.send(post("/wait", std::string(900'000, 'x')));
    REQUIRE(soon([&] { return there == 1; }));
    CHECK(running.server->counts().memory_bytes < 1 << 20);
    auto second = running.connect();
    second.send(post("/wait", std::string(600'000, 'x')));
    const Reply refused = second.read();
    CHECK(refused.status == 503);
    CHECK(refused.header("Retry-After") == "2");
    auto small = running.connect();
    small.send(get("/echo"));
    CHECK(small.read().status == 200);
    waiting[0]->send({200, "text/plain", "x", {}, {}, false});
    CHECK(first.read().status == 200);
    waiting.clear();
    REQUIRE(soon([&] { return running.server->counts().memory_bytes < 200'000; }));
    auto third = running.connect();
    third.send(post("/echo", std::string(600'000, 'x')));
    CHECK(third.read().status == 200);
}

TEST_CASE("two thousand idle connections cost little and slow nobody") {
    TestApplication application;
    ServerOptions options;
    options.max_connections = 3000;
    RunningServer running(application, options);
    auto warm = running.connect();
    warm.send(get("/echo"));
    CHECK(warm.read().status == 200);
    const std::size_t before = resident_bytes();
    std::vector<SocketClient> idle;
    idle.reserve(2000);
    const std::string half = "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Len";
    for (int i = 0; i < 2000; ++i) {
        idle.push_back(running.connect());
        idle.back().send(i % 2 == 0 ? get("/echo") : half);
    }
    for (int i = 0; i < 2000; i += 2) CHECK(idle[static_cast<std::size_t>(i)].read().status == 200);
    REQUIRE(soon([&] { return running.server->counts().connections == 2001; }));
    const std::size_t grown = resident_bytes() - before;
    MESSAGE("2,000 connections: " << grown / 1024 << " KiB");
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they hold memory of their own for each byte
    CHECK(grown < 20'000'000);
#endif
    std::vector<double> times;
    for (int i = 0; i < 200; ++i) {
        const auto start = std::chrono::steady_clock::now();
        warm.send(get("/echo"));
        CHECK(warm.read().status == 200);
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    MESSAGE("an answer beside them: " << times[100] << " ms, 99 %: " << times[198] << " ms");
    CHECK(times[100] < 20);
}

TEST_CASE("what is at work is finished when the server is told to stop") {
    TestApplication application;
    std::shared_ptr<Exchange> waiting;
    std::atomic<bool> there{false};
    application.handlers["/wait"] = [&](const std::shared_ptr<Exchange>& exchange) {
        waiting = exchange;
        there = true;
    };
    RunningServer running(application);
    auto idle = running.connect();
    auto busy = running.connect();
    auto half = running.connect();
    idle.send(get("/echo"));
    CHECK(idle.read().status == 200);
    half.send("GET / HTTP/1.1\r\n");
    busy.send(get("/wait"));
    REQUIRE(soon([&] { return there.load(); }));
    REQUIRE(soon([&] { return running.server->counts().connections == 3; }));
    running.server->stop(10s);
    CHECK(idle.is_ended());
    CHECK(half.read().status == 503);
    CHECK_THROWS(running.connect());
    waiting->send({200, "text/plain", "done", {}, {}, false});
    const Reply reply = busy.read();
    CHECK(reply.body == "done");
    CHECK(reply.header("Connection") == "close");
    CHECK(busy.is_ended());
    const auto start = std::chrono::steady_clock::now();
    running.stop(10s);
    CHECK(std::chrono::steady_clock::now() - start < 5s);
}

TEST_CASE("what takes longer than the grace is cut off") {
    TestApplication application;
    std::shared_ptr<Exchange> waiting;
    std::atomic<bool> there{false};
    std::atomic<int> gone{0};
    application.handlers["/wait"] = [&](const std::shared_ptr<Exchange>& exchange) {
        waiting = exchange;
        exchange->on_gone([&] { ++gone; });
        there = true;
    };
    auto running = std::make_unique<RunningServer>(application);
    auto busy = running->connect();
    busy.send(get("/wait"));
    REQUIRE(soon([&] { return there.load(); }));
    running->stop(100ms);
    CHECK(gone == 1);
    CHECK(busy.read().status == 0);
    running.reset();
    waiting->send({200, "text/plain", "nobody is there", {}, {}, false});  // not even the server
    waiting.reset();
}

TEST_CASE("a prefix of all paths") {
    TestApplication application;
    ServerOptions options;
    options.api_prefix = "/lt";
    RunningServer running(application, options);
    auto client = running.connect();
    client.send(get("/lt/echo?a") + get("/lt") + get("/lt?b") + get("/ltx/echo") + get("/echo") + get("/%6ct/echo"));
    CHECK(client.read().body == "GET /echo a ");
    CHECK(client.read().body == "GET /  ");
    CHECK(client.read().body == "GET / b ");
    CHECK(client.read().status == 404);
    CHECK(client.read().status == 404);
    CHECK(client.read().body == "GET /echo  ");
}

TEST_CASE("a UNIX socket") {
    TempDir folder;
    TestApplication application;
    application.handlers["/peer"] = [](const std::shared_ptr<Exchange>& exchange) {
        exchange->send({200, "text/plain", exchange->request().peer, {}, {}, false});
    };
    ServerOptions options;
    const std::string path = (folder.path() / "socket").string();
    options.host = "unix:" + path;
    {
        RunningServer running(application, options);
        CHECK(running.server->address() == "unix:" + path);
        SocketClient client(path);
        client.send(get("/peer"));
        CHECK(client.read().body == "unix");
        CHECK_THROWS_WITH(Server(options, application), doctest::Contains(("listens on " + path).c_str()));
    }
    CHECK_FALSE(std::filesystem::exists(path));
    folder.write("socket", "a file");
    CHECK_THROWS_WITH(Server(options, application), doctest::Contains("no socket"));
    CHECK(read_file(path) == "a file");
}

TEST_CASE("who may connect to a UNIX socket") {
    TempDir folder;
    TestApplication application;
    ServerOptions options;
    const std::filesystem::path path = folder.path() / "socket";
    options.host = "unix:" + path.string();
    const mode_t before = umask(077);
    for (const auto& [mode, bits] :
         {std::pair("", 0700), std::pair("600", 0600), std::pair("660", 0660), std::pair("666", 0666)}) {
        options.unix_mode = mode;
        RunningServer running(application, options);
        CHECK(int(std::filesystem::status(path).permissions()) == bits);
    }
    umask(before);
}

TEST_CASE("an address that is taken, and one that is none") {
    TestApplication application;
    RunningServer running(application);
    ServerOptions options;
    options.port = running.server->port();
    CHECK_THROWS_WITH(Server(options, application),
                      doctest::Contains(("cannot listen on 127.0.0.1:" + std::to_string(options.port)).c_str()));
    options.host = "no.such.host.invalid";
    CHECK_THROWS_WITH(Server(options, application), doctest::Contains("no.such.host.invalid"));
    options.host = "127.0.0.1";
    options.api_prefix = "lt/";
    CHECK_THROWS_WITH(Server(options, application), doctest::Contains("lt/"));
}

}  // namespace server_limits_test
