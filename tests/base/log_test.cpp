// SPDX-License-Identifier: Apache-2.0
#include "base/log.h"

#include <doctest/doctest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace log_test {

using namespace dragoman;

namespace {

struct Sink {
    std::vector<std::string> lines;
    explicit Sink(LogLevel max_level) {
        set_log_sink(
            [this](LogLevel level, std::string_view line) {
                lines.push_back(std::to_string(static_cast<int>(level)) + " " + std::string(line));
            },
            max_level);
    }
    ~Sink() { set_log_sink({}, LogLevel::debug); }
};

}  // namespace

TEST_CASE("lines up to the level reach the sink, others are not formatted") {
    Sink sink(LogLevel::info);
    log(LogLevel::error, "e {}", 1);
    log(LogLevel::info, "i {}", 2);
    log(LogLevel::debug, "d {}", 3);
    CHECK(sink.lines == std::vector<std::string>{"0 e 1", "2 i 2"});
    CHECK(log_enabled(LogLevel::info));
    CHECK_FALSE(log_enabled(LogLevel::debug));
}

TEST_CASE("without a sink of one's own, debug is off unless the environment asks for it") {
    { Sink sink(LogLevel::debug); }
    CHECK(log_enabled(LogLevel::error));
    const char* level = std::getenv("DRAGOMAN_LOG");
    CHECK(log_enabled(LogLevel::debug) == (level && std::string(level) == "debug"));
}

TEST_CASE("calls of the sink are serialised") {
    Sink sink(LogLevel::info);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([] {
            for (int i = 0; i < 1000; ++i) log(LogLevel::info, "{}", i);
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(sink.lines.size() == 4000);
}

TEST_CASE("a sink that throws does not harm the caller") {
    set_log_sink([](LogLevel, std::string_view) { throw std::runtime_error("no"); }, LogLevel::info);
    CHECK_NOTHROW(log(LogLevel::info, "line"));
    set_log_sink({}, LogLevel::info);
}

}  // namespace log_test
