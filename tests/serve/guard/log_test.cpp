// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <sstream>
#include <thread>

#include "serve/watch/log.h"

namespace log_test {
using namespace serve;
using namespace serve::watch;
using namespace std::chrono_literals;

const std::chrono::system_clock::time_point time = std::chrono::sys_days(std::chrono::year(2026) / 11 / 26) + 14h +
                                                   5min + 7s + 89ms;

TEST_CASE("lines for people and for programs") {
    const Json facts = {
        {"request", "r1"}, {"status", 200}, {"seconds", 0.25}, {"client", "2001:db8::1"}, {"why", "so it is"}};
    CHECK(log_line(LogForm::text, time, LogLevel::info, "request", facts) ==
          "2026-11-26T14:05:07.089Z info request request=r1 status=200 seconds=0.25 client=2001:db8::1 "
          "why=\"so it is\"\n");
    const std::string line = log_line(LogForm::json, time, LogLevel::error, "a handler failed", facts);
    CHECK(line.ends_with("}\n"));
    const Json read = Json::parse(line);
    CHECK(read["time"] == "2026-11-26T14:05:07.089Z");
    CHECK(read["level"] == "error");
    CHECK(read["message"] == "a handler failed");
    CHECK(read["status"] == 200);
    CHECK(read["why"] == "so it is");
    CHECK(log_line(LogForm::text, time, LogLevel::debug, "x", Json::object()) == "2026-11-26T14:05:07.089Z debug x\n");
}

TEST_CASE("nothing that a client writes ends a line, begins one, or gives a terminal an order") {
    for (const char* evil :
         {"a\nb", "a\r\n2026-11-26T14:05:07.089Z error forged", "\x1b[2J\x1b]0;title\x07", "a\tb", "\x7f",
          "\xc2\x9b"
          "31m",
          "\xe2\x80\xa8",
          "\xe2\x80\xae"
          "evil",
          "\xff\xfe broken", "\"quoted\" = x", "back\\slash", "", " ", "a status=200"}) {
        CAPTURE(evil);
        for (const LogForm form : {LogForm::text, LogForm::json}) {
            const std::string line = log_line(form, time, LogLevel::info, evil,
                                              {{"path", evil}, {evil, "x"}, {"n", {{"m", evil}}}});
            CHECK(std::ranges::count(line, '\n') == 1);
            CHECK(line.ends_with('\n'));
            CHECK(std::ranges::all_of(line.substr(0, line.size() - 1),
                                      [](char each) { return each >= ' ' && each < 0x7f; }));
            if (form == LogForm::json) CHECK(Json::parse(line).is_object());
        }
    }
    // A value with blanks cannot be taken for a fact of its own.
    CHECK(log_line(LogForm::text, time, LogLevel::info, "x", {{"path", "a status=200"}})
              .ends_with(" path=\"a status=200\"\n"));
}

TEST_CASE("keys are left out of targets") {
    for (const auto& [given, shown] :
         {std::pair{"/translate?q=x&api_key=abc&target=de", "/translate?q=x&api_key=***&target=de"},
          {"/v2/translate?auth_key=abc", "/v2/translate?auth_key=***"},
          {"/language/translate/v2?key=abc;q=x", "/language/translate/v2?key=***;q=x"},
          {"/x?API_KEY=abc", "/x?API_KEY=***"},
          {"/x?api%5Fkey=abc", "/x?api%5Fkey=***"},
          {"/x?%61%70%69%5f%6b%65%79=abc", "/x?%61%70%69%5f%6b%65%79=***"},
          {"/x?key=a=b&key=", "/x?key=***&key=***"},
          {"/x?monkey=a&keys=b&q=key", "/x?monkey=a&keys=b&q=key"},
          {"api_key=abc", "api_key=***"},
          {"https://user:pass@host/x?token=t#access_token=u", "https://***@host/x?token=***#access_token=***"},
          {"/x?%zz=a&key=b", "/x?%zz=a&key=***"},
          {"/plain", "/plain"},
          {"", ""}}) {
        CAPTURE(given);
        CHECK(redacted(given) == shown);
    }
    for (const char* name : {"target", "path", "query", "url", "referer"})
        CHECK(log_line(LogForm::json, time, LogLevel::info, "request", {{name, "/x?api_key=geheim"}}).find("geheim") ==
              std::string::npos);
}

// A reader of lines that can be held up.
struct Reader {
    std::mutex mutex;
    std::condition_variable changed;
    bool held = false;
    std::vector<std::string> lines;
    Log::Sink sink() {
        return [this](const std::string& line) {
            std::unique_lock lock(mutex);
            changed.wait(lock, [&] { return !held; });
            lines.push_back(line);
        };
    }
};

TEST_CASE("levels and forms") {
    const auto count = [](LogForm form, LogLevel level) {
        Reader reader;
        {
            Log log(form, level, reader.sink());
            for (const LogLevel each : {LogLevel::error, LogLevel::warning, LogLevel::info, LogLevel::debug})
                log.write(each, "x");
        }
        return reader.lines.size();
    };
    CHECK(count(LogForm::text, LogLevel::error) == 1);
    CHECK(count(LogForm::text, LogLevel::info) == 3);
    CHECK(count(LogForm::json, LogLevel::debug) == 4);
    CHECK(count(LogForm::none, LogLevel::debug) == 0);
}

TEST_CASE("lines of many threads are whole, and those of one are in order") {
    Reader reader;
    {
        Log log(LogForm::json, LogLevel::info, reader.sink());
        std::vector<std::thread> threads;
        for (int t = 0; t < 8; ++t)
            threads.emplace_back([&log, t] {
                for (int i = 0; i < 100; ++i) log.write(LogLevel::info, "x", {{"thread", t}, {"i", i}});
            });
        for (std::thread& thread : threads) thread.join();
    }
    REQUIRE(reader.lines.size() == 800);
    std::vector<int> next(8, 0);
    for (const std::string& line : reader.lines) {
        const Json read = Json::parse(line);
        CHECK(read["i"] == next[read["thread"].get<std::size_t>()]++);
    }
}

TEST_CASE("who does not read loses lines and is told so, and nobody waits") {
    Reader reader;
    reader.held = true;
    {
        Log log(LogForm::text, LogLevel::info, reader.sink());
        const auto begin = std::chrono::steady_clock::now();
        for (int i = 0; i < 3000; ++i) log.write(LogLevel::info, std::string(1000, 'x'));
        CHECK(std::chrono::steady_clock::now() - begin < 30s);
        {
            const std::lock_guard lock(reader.mutex);
            reader.held = false;
        }
        reader.changed.notify_all();
    }
    REQUIRE(reader.lines.size() > 900);
    CHECK(reader.lines.size() < 1100);
    CHECK(reader.lines.back().find(" warning lines of the log were lost") != std::string::npos);
    const std::size_t lost = std::stoul(reader.lines.back().substr(reader.lines.back().find("lines=") + 6));
    CHECK(lost + reader.lines.size() - 1 == 3000);
}

TEST_CASE("a log whose reader hangs ends all the same") {
    auto reader = std::make_shared<Reader>();
    reader->held = true;
    const auto begin = std::chrono::steady_clock::now();
    {
        Log log(LogForm::text, LogLevel::info, [reader](const std::string& line) { reader->sink()(line); });
        log.write(LogLevel::info, "x");
    }
    CHECK(std::chrono::steady_clock::now() - begin >= 1s);
    {
        const std::lock_guard lock(reader->mutex);
        reader->held = false;
    }
    reader->changed.notify_all();
}

}  // namespace log_test
