// SPDX-License-Identifier: Apache-2.0
// Answers are found again, in memory and in a file; limits hold, the oldest go first, and nothing but an equal question
// hits.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <future>
#include <random>
#include <thread>

#include "base/environment.h"
#include "base/error.h"
#include "base/log.h"
#include "tm/answer_cache.h"
#include "tm/answer_file.h"
#include "tm/answer_table.h"
#include "tm/translation_memory.h"
#include "support/again.h"
#include "support/temp_dir.h"

namespace answers_test {

using namespace dragoman;
using namespace dragoman::tm;
using test::TempDir;

namespace {

Answer made(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

constexpr std::chrono::seconds kLong{100};

std::string found(const Answer& answer) { return answer ? *answer : "none"; }

std::string message_of(const auto& action) {
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.status() == Status::io_error);
        return error.what();
    }
    return "nothing was thrown";
}

}  // namespace

TEST_CASE("a cache forgets what was asked for least recently, and keeps to its bytes") {
    constexpr std::size_t kOne = AnswerCache::kEntryBytes + 2;
    AnswerCache cache(3 * kOne);
    for (const char* question : {"a", "b", "c"}) cache.put(question, made(question));
    CHECK(cache.counts().entries == 3);
    CHECK(cache.counts().bytes == 3 * kOne);
    CHECK(found(cache.find("a")) == "a");  // now b is the oldest
    cache.put("d", made("d"));
    CHECK(found(cache.find("b")) == "none");
    CHECK(found(cache.find("a")) == "a");
    CHECK(found(cache.find("c")) == "c");
    CHECK(found(cache.find("d")) == "d");
    CHECK(cache.counts().evicted == 1);
    cache.put("a", made("A"));  // in place of the old one
    CHECK(found(cache.find("a")) == "A");
    CHECK(cache.counts().bytes == 3 * kOne);
    cache.put("large", made(std::string(4 * kOne, 'x')));  // more than there is room for: nothing goes for it
    CHECK(cache.counts().entries == 3);
    const Answer held = cache.find("a");
    cache.clear();
    CHECK(cache.counts().bytes == 0);
    CHECK(*held == "A");
}

TEST_CASE("questions are compared in full") {
    AnswerCache cache(1 << 20);
    cache.put(std::string("a\0b", 3), made("1"));
    CHECK(found(cache.find("a")) == "none");
    CHECK(found(cache.find(std::string("a\0c", 3))) == "none");
    CHECK(found(cache.find(std::string("a\0b", 3))) == "1");
    Memory memory({});
    const std::string &one = memory.context("model 1"), &other = memory.context("model 2");
    CHECK(&memory.context("model 1") == &one);
    memory.keep(one, "question", "answer");
    CHECK(found(memory.find(one, "question")) == "answer");
    CHECK(found(memory.find(other, "question")) == "none");
    CHECK(memory.stats().hits == 1);
    CHECK(memory.stats().misses == 1);
}

TEST_CASE("a cache under random use has what a plain list has") {
    std::mt19937 random(7);
    AnswerCache cache(20 * (AnswerCache::kEntryBytes + 4));
    std::vector<std::string> plain;  // the latest last
    for (int i = 0; i < 5000; ++i) {
        const std::string question = std::to_string(100 + random() % 40);
        const auto at = std::ranges::find(plain, question);
        const bool known = at != plain.end();
        CHECK((cache.find(question) != nullptr) == known);
        if (known) plain.erase(at);
        else cache.put(question, made("x"));
        plain.push_back(question);
        if (plain.size() > 20) plain.erase(plain.begin());
    }
}

TEST_CASE("a file keeps answers, zero bytes and empty ones too") {
    const TempDir folder;
    const std::string path = (folder.path() / "memory.sqlite").string();
    {
        AnswerFile file(path, 1 << 20);
        file.put("context", std::string("q\0r", 3), made(std::string("\0\1\2", 3)));
        file.put("context", "", made(""));
        CHECK(found(file.find("context", "")).empty());  // not written yet
    }
    AnswerFile file(path, 1 << 20);
    CHECK(found(file.find("context", std::string("q\0r", 3))) == std::string("\0\1\2", 3));
    CHECK(found(file.find("context", "")).empty());
    CHECK(found(file.find("context", "q")) == "none");
    CHECK(found(file.find("other context", "")) == "none");
    CHECK(file.counts().entries == 2);
    file.clear();
    CHECK(file.counts().entries == 0);
    CHECK(file.counts().bytes == 0);
    CHECK(found(file.find("context", "")) == "none");
}

TEST_CASE("a file keeps to its bytes, and what was used least recently goes first") {
    const TempDir folder;
    const std::string path = (folder.path() / "memory.sqlite").string();
    constexpr uint64_t kMax = 200 * (AnswerFile::kRowBytes + 1004);
    AnswerFile file(path, kMax);
    const auto put = [&](int i) { file.put("context", std::to_string(1000 + i), made(std::string(1000, 'x'))); };
    for (int i = 0; i < 100; ++i) put(i);
    CHECK(file.flush(kLong));
    for (int i = 100; i < 180; ++i) put(i);
    CHECK(file.flush(kLong));
    for (int i = 0; i < 50; ++i) CHECK(file.find("context", std::to_string(1000 + i)));  // the latest again
    for (int i = 180; i < 240; ++i) put(i);
    CHECK(file.flush(kLong));
    CHECK(file.counts().bytes <= kMax);
    CHECK(file.counts().bytes >= kMax / 2);
    CHECK(file.counts().entries * (AnswerFile::kRowBytes + 1004) == file.counts().bytes);
    for (int i = 0; i < 50; ++i) CHECK(file.find("context", std::to_string(1000 + i)));
    for (int i = 50; i < 90; ++i) CHECK_FALSE(file.find("context", std::to_string(1000 + i)));
    for (int i = 180; i < 240; ++i) CHECK(file.find("context", std::to_string(1000 + i)));
    for (int i = 0; i < 3000; ++i) put(1000 + i);
    CHECK(file.flush(kLong));
    CHECK(file.counts().bytes <= kMax);
    CHECK(std::filesystem::file_size(path) < 4 * kMax);
}

TEST_CASE("a file keeps to its bytes when many answers are written at once") {
    const TempDir folder;
    const std::string path = (folder.path() / "memory.sqlite").string();
    constexpr uint64_t kMax = 200 * (AnswerTable::kRowBytes + 1004);
    AnswersByContext many;
    for (int i = 0; i < 3000; ++i) many["context"][std::to_string(1000 + i)] = made(std::string(1000, 'x'));
    {
        AnswerTable table(path, kMax);
        table.write(many, {});
        CHECK(table.counts().bytes <= kMax);
        CHECK(table.counts().bytes >= kMax / 2);
        CHECK(table.counts().entries * (AnswerTable::kRowBytes + 1004) == table.counts().bytes);
    }
    CHECK(std::filesystem::file_size(path) < 3 * kMax);
}

TEST_CASE("files that are no memories are refused by name") {
    const TempDir folder;
    const auto open = [](const std::filesystem::path& path) {
        return message_of([&] { AnswerFile(path.string(), 1 << 20); });
    };
    CHECK(open(folder.write("text", std::string(5000, 'x'))).find("text: expected a memory of translations") !=
          std::string::npos);
    const auto foreign = folder.path() / "foreign.sqlite";
    {
        Database database(foreign.string(), 0);
        database.run("CREATE TABLE songs (name TEXT)");
    }
    CHECK(open(foreign).find("foreign.sqlite: expected a memory of translations") != std::string::npos);
    const auto newer = folder.path() / "newer.sqlite";
    { AnswerFile file(newer.string(), 1 << 20); }
    {
        Database database(newer.string(), 0);
        database.run("PRAGMA user_version = 2");
    }
    CHECK(open(newer).find("newer.sqlite: expected version 1 of memories of translations, got 2") != std::string::npos);
    const auto nowhere = folder.path() / "none" / "file";
    CHECK(open(nowhere).find(nowhere.string() + ": ") != std::string::npos);
    CHECK(open(folder.path()).find(folder.path().string()) != std::string::npos);
    // Damaged behind its header.
    const auto damaged = folder.path() / "damaged.sqlite";
    {
        AnswerFile file(damaged.string(), 1 << 24);
        for (int i = 0; i < 500; ++i)
            file.put("context", std::to_string(i), made(std::string(1000, char('a' + i % 20))));
    }
    std::string bytes = test::read_file(damaged);
    REQUIRE(bytes.size() > 100'000);
    for (std::size_t at = 4096; at < bytes.size(); at += 3) bytes[at] = char(bytes[at] ^ 0x5a);
    folder.write("damaged.sqlite", bytes);
    // What is found out while it is used fails nothing, and is told once.
    std::vector<std::string> told;
    set_log_sink([&](LogLevel, std::string_view line) { told.emplace_back(line); }, LogLevel::warning);
    {
        AnswerFile file(damaged.string(), 1 << 24);
        for (int i = 0; i < 500; ++i) file.find("context", std::to_string(i));
        file.put("context", "new", made("here"));
        CHECK(found(file.find("context", "new")) == "here");
        CHECK(file.counts().failures > 0);
    }
    set_log_sink({}, LogLevel::warning);
    REQUIRE(!told.empty());
    CHECK(told[0].find("damaged.sqlite: ") != std::string::npos);
    CHECK(told.size() <= 2);  // the other one: what was not written
}

namespace {

constexpr int kProcesses = 4, kEach = 700;

}  // namespace

TEST_CASE("child: one of several processes" * doctest::skip()) {
    AnswerFile file(environment("DRAGOMAN_TEST_FILE"), 1 << 24);
    const int first = std::stoi(environment("DRAGOMAN_TEST_PROCESS")) * kEach / 2;
    for (int i = 0; i < kEach; ++i) {  // half of them are another's, too
        const std::string question = std::to_string(first + i);
        file.put("context", question, made("answer " + question));
        CHECK(found(file.find("context", question)) == "answer " + question);
    }
}

TEST_CASE("several processes and threads use one file") {
    const TempDir folder;
    const std::string path = folder.path() / "memory.sqlite";
    std::vector<std::future<bool>> processes;
    for (int p = 0; p < kProcesses; ++p)
        processes.push_back(std::async(std::launch::async, [&path, p] {
            return test::passes_in_child("DRAGOMAN_TEST_FILE='" + path + "' DRAGOMAN_TEST_PROCESS=" + std::to_string(p),
                                         "child: one of several processes");
        }));
    for (std::future<bool>& process : processes) CHECK(process.get());
    AnswerFile file(path, 1 << 24);
    constexpr int kAll = (kProcesses - 1) * kEach / 2 + kEach;
    CHECK(file.counts().entries == kAll);
    uint64_t bytes = 0;
    for (int i = 0; i < kAll; ++i) {
        const std::string question = std::to_string(i);
        CHECK(found(file.find("context", question)) == "answer " + question);
        bytes += 2 * question.size() + 7 + AnswerFile::kRowBytes;
    }
    CHECK(file.counts().bytes == bytes);

    Memory memory({.cache_bytes = 20'000, .path = path, .record = true});
    std::vector<std::jthread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            const std::string& context = memory.context("context");
            for (int i = 0; i < 1500; ++i) {
                const std::string question = std::to_string(i * (t + 1) % 2500);
                if (const Answer answer = memory.find(context, question)) wrong += *answer != "answer " + question;
                else memory.keep(context, question, "answer " + question);
                memory.record({"en", question}, {"de", question});
                if (i % 100 == 0) memory.add({{"en", question}, {"de", question}});
                wrong += memory.similar(*spec::LanguageTag::find("en"), *spec::LanguageTag::find("de"), "100").size() >
                         3;
            }
        });
    threads.clear();
    CHECK(wrong == 0);
    const MemoryStats stats = memory.stats();
    CHECK(stats.hits + stats.file_hits + stats.misses == 6000);
    CHECK(stats.bytes <= 20'000);
    CHECK(stats.recorded <= 2500);
}

}  // namespace answers_test
