// SPDX-License-Identifier: Apache-2.0
// Answers are in a file as soon as they are there; those of other settings are refused.
#include "tm/answer_journal.h"

#include <doctest/doctest.h>

#include <memory>
#include <string>

#include "base/fingerprint.h"
#include "support/refused.h"
#include "support/temp_dir.h"
#include "tm/kept_key.h"
#include "tm/translation_memory.h"

namespace answer_journal_test {

using namespace dragoman;
using namespace dragoman::tm;

namespace {

const std::string kKey = "model\t#12\nbeam_size\t4\n";

Answer made(std::string text) { return std::make_shared<const std::string>(std::move(text)); }
std::string found(const Answer& answer) { return answer ? *answer : "none"; }

}  // namespace

TEST_CASE("answers are found by question and context, also by the next program") {
    const test::TempDir folder;
    const auto path = folder.path() / "kept";
    {
        AnswerJournal journal(path, kKey);
        journal.put("context", "question", made("answer"));
        journal.put("other", "question", made("another answer"));
        journal.put("other", "question", made("not this one"));
        CHECK(found(journal.find("context", "question")) == "answer");
        // A program that is ended now: the file as it is.
        AnswerJournal next(folder.write("copy", test::read_file(path)), kKey);
        CHECK(found(next.find("context", "question")) == "answer");
        CHECK(found(next.find("other", "question")) == "another answer");
        CHECK(found(next.find("other", "questio")) == "none");
        CHECK(found(next.find("third", "question")) == "none");
        next.put("third", "question", made("third"));
    }
    AnswerJournal last(folder.path() / "copy", kKey);
    CHECK(found(last.find("third", "question")) == "third");
    CHECK(found(last.find("other", "question")) == "another answer");
}

TEST_CASE("a file with a limit begins anew, with the same key") {
    const test::TempDir folder;
    const auto path = folder.path() / "kept";
    constexpr uint64_t kMost = 2000;
    AnswerJournal journal(path, kKey, kMost);
    for (int i = 0; i < 100; ++i) {
        journal.put("context", std::to_string(i), made(std::string(100, 'x')));
        REQUIRE(std::filesystem::file_size(path) < kMost + 500);
    }
    CHECK(found(journal.find("context", "99")) != "none");
    CHECK(found(journal.find("context", "0")) == "none");
    AnswerJournal next(folder.write("copy", test::read_file(path)), kKey, kMost);
    CHECK(found(next.find("context", "99")) != "none");
    CHECK(found(next.find("context", "0")) == "none");
}

TEST_CASE("answers of other settings are refused, and stay") {
    const test::TempDir folder;
    const auto path = folder.path() / "kept";
    AnswerJournal(path, kKey).put("context", "question", made("answer"));
    const std::string bytes = test::read_file(path);
    test::check_refused(Status::invalid_argument,
                        {"kept: ", "model: another one; beam_size: 4 then, 3 now", "remove the file"},
                        [&] { AnswerJournal(path, "model\t#13\nbeam_size\t3\n"); });
    CHECK(test::read_file(path) == bytes);
    CHECK(found(AnswerJournal(path, kKey).find("context", "question")) == "answer");
}

TEST_CASE("what differs is said once") {
    CHECK(differences(kKey, kKey).empty());
    CHECK(differences("glossary\tnone\n", "glossary\t#5\n") == "glossary: none then, one now");
    CHECK(differences("a\t1\n", "b\t\n") == "b: not there then, none now; a: 1 then, not there now");
    // Another device has another model and other rules.
    CHECK(differences("device\tA\nmodel\t#1\nsearch rules\t#1\n", "device\tB\nmodel\t#2\nsearch rules\t#2\n") ==
          "device: A then, B now");
    CHECK(differences("device\tA\nmodel\t#1\nsearch rules\t#1\n", "device\tA\nmodel\t#2\nsearch rules\t#2\n") ==
          "model: another one");
    CHECK(differences("search rules\t#1\n", "search rules\t#2\n") == "search rules: another one");
}

TEST_CASE("a memory with a journal uses another one, too") {
    const test::TempDir folder;
    const auto base = std::make_shared<Memory>(MemoryOptions{.record = true});
    REQUIRE(base->add({{"en", "station"}, {"de", "Bahnhof"}}));
    base->keep(base->context("context"), "old", "kept before");
    MemoryOptions options{.cache_bytes = 0, .journal = folder.path() / "kept", .journal_key = kKey, .base = base};
    {
        Memory memory(options);
        const std::string& context = memory.context("context");
        CHECK(found(memory.find(context, "old")) == "kept before");
        CHECK(found(memory.find(context, "new")) == "none");
        memory.keep(context, "new", "answer");
        CHECK(found(memory.find(context, "new")) == "answer");
        CHECK(found(base->find(base->context("context"), "new")) == "answer");
        CHECK(memory.has_segments());
        CHECK(memory.segments_fingerprint() == base->segments_fingerprint());
        CHECK(memory.exact(spec::LanguageTag::parse("en"), spec::LanguageTag::parse("de"), "station") == "Bahnhof");
        CHECK(base->stats().exact == 1);  // where its segments are counted, too
        CHECK(memory.stats().segments == 1);
        CHECK(memory.records());
        memory.record({"en", "a"}, {"de", "b"});
        CHECK(base->stats().recorded == 1);
    }
    options.base = nullptr;
    Memory alone(options);
    CHECK(found(alone.find(alone.context("context"), "new")) == "answer");
    CHECK_FALSE(alone.has_segments());
    alone.clear();
    CHECK(found(alone.find(alone.context("context"), "new")) == "none");
    CHECK(found(AnswerJournal(folder.write("copy", test::read_file(folder.path() / "kept")), kKey)
                    .find("context", "new")) == "none");
}

TEST_CASE("segments have a fingerprint of their own") {
    Memory a({}), b({}), c({});
    a.add({{"en", "station"}, {"de", "Bahnhof"}});
    b.add({{"en", "station"}, {"de", "Bahnhof"}});
    c.add({{"en", "station"}, {"de", "Haltestelle"}});
    CHECK(a.segments_fingerprint() == b.segments_fingerprint());
    CHECK_FALSE(a.segments_fingerprint() == c.segments_fingerprint());
    a.clear();
    CHECK(a.segments_fingerprint() == Memory({}).segments_fingerprint());
}

}  // namespace answer_journal_test
