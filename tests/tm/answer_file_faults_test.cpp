// SPDX-License-Identifier: Apache-2.0
// A file of answers that refuses, by a lock of another program or by a full disk, fails nothing and holds nobody up.
#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/log.h"
#include "tm/answer_file.h"
#include "tm/translation_memory.h"
#include "support/temp_dir.h"

namespace answer_file_faults_test {

using namespace dragoman;
using namespace dragoman::tm;
using test::TempDir;

namespace {

constexpr std::chrono::seconds kLong{100};

std::string found(const Answer& answer) { return answer ? *answer : "none"; }

// The warnings while it lives.
class Told {
public:
    Told() {
        set_log_sink(
            [this](LogLevel, std::string_view line) {
                const std::lock_guard lock(mutex_);
                lines_.emplace_back(line);
            },
            LogLevel::warning);
    }
    ~Told() { set_log_sink({}, LogLevel::warning); }
    std::vector<std::string> lines() const {
        const std::lock_guard lock(mutex_);
        return lines_;
    }

private:
    mutable std::mutex mutex_;
    std::vector<std::string> lines_;
};

// The file writes when its thread runs, which a loaded machine may put off.
bool becomes(const std::function<bool()>& state) {
    const auto end = std::chrono::steady_clock::now() + kLong;
    while (!state() && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return state();
}

Answer made(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

}  // namespace

TEST_CASE("a lock of another program costs no call more than a moment, and nothing is lost") {
    const TempDir folder;
    const std::string path = (folder.path() / "memory.sqlite").string();
    const Told told;
    AnswerFile file(path, 1 << 24);
    file.put("context", "before", made("1"));
    CHECK(file.flush(kLong));
    Database other(path, 0);
    other.run("BEGIN IMMEDIATE");
    for (int i = 0; i < 2000; ++i) {
        file.put("context", std::to_string(i), made("answer"));
        if (i % 100 == 0) file.flush();  // as the end of a translation does
    }
    CHECK(found(file.find("context", "before")) == "1");  // readers do not wait for writers
    CHECK(found(file.find("context", "1999")) == "answer");
    CHECK(file.counts().waiting == 2000);
    CHECK(file.counts().entries == 2001);
    CHECK(file.counts().lost == 0);
    other.run("ROLLBACK");
    CHECK(becomes([&] {
        file.flush();
        return file.counts().waiting == 0;
    }));
    CHECK(file.counts().entries == 2001);
    CHECK(told.lines().empty());
}

TEST_CASE("a file that has no room is told once, and the memory goes on") {
    const TempDir folder;
    const std::string path = (folder.path() / "memory.sqlite").string();
    const Told told;
    {
        Memory memory({.path = path});
        const std::string& context = memory.context("context");
        memory.keep(context, "first", "1");
        REQUIRE(becomes([&] {
            memory.flush();
            return memory.stats().file_waiting == 0;
        }));
        // A table that refuses stands for the disk: SQLite gives both errors at the same place. tests/faults has the
        // errors of the disk itself.
        Database other(path, 10'000);
        other.run("CREATE TRIGGER full BEFORE INSERT ON answers BEGIN SELECT RAISE(ABORT, 'disk is full'); END");
        for (int i = 0; i < 3; ++i) {
            memory.keep(context, "question " + std::to_string(i), "answer");
            memory.flush();
        }
        CHECK(found(memory.find(context, "first")) == "1");
        CHECK(found(memory.find(context, "question 2")) == "answer");
        CHECK(becomes([&] { return memory.stats().file_failures > 0; }));
        CHECK(memory.stats().file_waiting == 3);
        CHECK(becomes([&] { return !told.lines().empty(); }));  // counted first
        REQUIRE(told.lines().size() == 1);
        CHECK(told.lines()[0].find("memory.sqlite: disk is full; translations go on") != std::string::npos);
        other.run("DROP TRIGGER full");
    }
    Memory memory({.path = path});  // what waited is there
    CHECK(memory.stats().file_entries == 4);
}

TEST_CASE("what waits for a file that takes nothing keeps to its bound") {
    const TempDir folder;
    const std::string path = (folder.path() / "memory.sqlite").string();
    const Told told;
    AnswerFile file(path, 1 << 30);
    Database other(path, 10'000);
    other.run("CREATE TRIGGER full BEFORE INSERT ON answers BEGIN SELECT RAISE(ABORT, 'disk is full'); END");
    for (int i = 0; i < 100; ++i) file.put("context", std::to_string(i), made(std::string(1 << 20, 'x')));
    CHECK(file.counts().lost > 30);
    CHECK(file.counts().waiting >= 60);
    CHECK(file.counts().waiting + file.counts().lost == 100);
    other.run("DROP TRIGGER full");
}

}  // namespace answer_file_faults_test
