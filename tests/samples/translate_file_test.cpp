// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "recorded.h"
#include "support/child.h"
#include "support/environment.h"
#include "support/os/file.h"
#include "support/run_program.h"
#include "support/system.h"

namespace translate_file_test {

using namespace dragoman::test;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = DRAGOMAN_SAMPLES "/translate_file";
const std::string kHeldProgram = DRAGOMAN_HELD_TRANSLATE_FILE;  // programs/held_changes.cpp

// A chunk is written and synced, then its state is written, put in place and its folder synced.
constexpr int kChangesOfChunk = 5;

struct Files {
    TempDir folder;
    std::string input = folder.path() / "in.txt", output = folder.path() / "out.txt";
    std::string part = output + ".part", state = output + ".state", expected;

    // The first `most` recorded sentences with blank lines and both kinds of line end.
    explicit Files(std::size_t most = SIZE_MAX) {
        std::string text;
        const auto sentences = recorded_sentences(kToyModel);
        for (std::size_t i = 0; i < std::min(most, sentences.size()); ++i) {
            const std::string end = i % 3 == 0 ? "\r\n" : "\n";
            text += sentences[i].text + end;
            expected += sentences[i].translation + end;
            if (i % 5 == 0) {
                text += i % 2 ? "\n" : " \n";
                expected += "\n";
            }
        }
        folder.write("in.txt", text);
    }
    std::vector<std::string> arguments(std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"--model", kToyModel, "--beam", "4", "--raw"});
        more.insert(more.end(), {input, output});
        return more;
    }
    Run run(std::vector<std::string> more = {}) const {
        return dragoman::test::run(kProgram, arguments(std::move(more)));
    }
    std::vector<std::string> command(const std::string& program, std::vector<std::string> more = {}) const {
        std::vector<std::string> all = arguments(std::move(more));
        all.insert(all.begin(), program);
        return all;
    }
    // Lines that the state file vouches for; 0: no state file.
    unsigned long lines_done() const {
        unsigned long lines = 0;
        std::ifstream file(state, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        std::sscanf(text.c_str(), "%*[^\n]\n%*[^\n]\n%*[^\n]\n%*[^\n]\nlines %lu", &lines);
        return lines;
    }
    // Whoever ended the program: what is written is a beginning of what is expected, and at most one chunk is not vouched
    // for.
    void check_part(unsigned long chunk) const {
        const std::string text = read_file(part);
        const auto lines = static_cast<unsigned long>(std::count(text.begin(), text.end(), '\n'));
        CHECK(lines >= lines_done());
        CHECK(lines <= lines_done() + chunk);
        CHECK(expected.starts_with(text));
    }
    void check_complete() const {
        CHECK(read_file(output) == expected);
        CHECK_FALSE(fs::exists(part));
        CHECK_FALSE(fs::exists(state));
    }
};

// The program, which waits before one of its changes.
struct Held {
    Held(const Files& files, int change, const char* chunk = "1") {
        set_environment("TRANSLATE_FILE_HOLD", std::to_string(change).c_str());
        child = std::make_unique<Child>(files.command(kHeldProgram, {"--chunk", chunk}));
        set_environment("TRANSLATE_FILE_HOLD", nullptr);
        waits = child->shows("stopped before a change");
    }
    End kill() const {
        child->kill();
        return child->wait();
    }

    std::unique_ptr<Child> child;
    bool waits = false;  // else it has ended
};

}  // namespace

TEST_CASE("line by line, whatever the line ends") {
    const Files files;
    const Run run = files.run({"--chunk", "7"});
    CHECK(run.exit_code == 0);
    CHECK(run.err.find("out.txt is complete") != std::string::npos);
    files.check_complete();

    CHECK(files.run().exit_code == 1);  // the output exists
    CHECK(files.run({"--overwrite"}).exit_code == 0);
    files.check_complete();
}

TEST_CASE("marks, missing line ends, empty files, target languages") {
    const auto sentences = recorded_sentences(kCodeModel);
    const TempDir folder;
    const std::string output = folder.path() / "out.txt";
    const auto translate = [&](const std::string& text, std::vector<std::string> more) {
        more.insert(more.end(), {"--model", kCodeModel, "--beam", "4", "--overwrite"});
        more.insert(more.end(), {folder.write("in.txt", text), output});
        const Run run = dragoman::test::run(kProgram, more);
        CHECK(run.exit_code == 0);
        return read_file(output);
    };
    const std::string& text = sentences[0].text;
    REQUIRE(text.starts_with(">>xx<< "));
    CHECK(translate("", {}).empty());
    CHECK(translate("\n", {}) == "\n");
    CHECK(translate(text, {}) == sentences[0].translation);
    CHECK(translate("\xEF\xBB\xBF" + text.substr(7), {"--to", "xx"}) == sentences[0].translation);
    CHECK(translate("\n \n" + text.substr(7) + "\n", {"--to", "xx"}) == "\n\n" + sentences[0].translation + "\n");
}

TEST_CASE("paragraphs become lines") {
    const auto sentences = recorded_sentences(kToyModel);
    const std::size_t space = sentences[2].text.find(' ');
    std::string text = sentences[0].text + "\r\n\r\n\n" + sentences[2].text;
    text.replace(text.size() - sentences[2].text.size() + space, 1, "\n");
    const TempDir folder;
    const std::string output = folder.path() / "out.txt";
    const std::string input = folder.write("in.txt", text);
    const Run run = dragoman::test::run(kProgram, {"-m", kToyModel, "-b", "4", "-p", "-c", "1", input, output});
    CHECK(run.exit_code == 0);
    CHECK(read_file(output) == sentences[0].translation + "\r\n\r\n\n" + sentences[2].translation);
}

TEST_CASE("killed before any change of its files, it goes on where it was") {
    int change = 1;
    for (bool ended = false; !ended; ++change) {
        CAPTURE(change);
        const Files files(6);
        const Held held(files, change, "4");
        ended = !held.waits;
        if (ended) {
            CHECK(held.child->wait().exit_code == 0);
        } else {
            REQUIRE(held.kill().signal != 0);
            if (fs::exists(files.part)) files.check_part(4);
            else CHECK(read_file(files.output) == files.expected);
            CHECK(files.run({"--chunk", "4"}).exit_code == 0);
        }
        files.check_complete();
    }
    CHECK(change > 2 * kChangesOfChunk);
}

TEST_CASE("killed again and again, it comes to its end") {
    const Files files;
    unsigned long done = 0;
    for (int time = 0; time < 6; ++time) {
        // Three chunks, and each time one change more of the fourth.
        const Held held(files, 3 * kChangesOfChunk + 1 + time % kChangesOfChunk);
        REQUIRE(held.waits);
        REQUIRE(held.kill().signal != 0);
        CHECK_FALSE(fs::exists(files.output));
        const unsigned long now = files.lines_done();
        CHECK(now == done + 3 + (time % kChangesOfChunk == 4 ? 1 : 0));  // the state of the fourth is in place
        done = now;
        files.check_part(1);
    }
    const Run last = files.run();
    CHECK(last.exit_code == 0);
    CHECK(last.err.find("going on after line " + std::to_string(done) + "\n") != std::string::npos);
    files.check_complete();
}

TEST_CASE("what a dying process may leave behind") {
    const Files files;
    const Held held(files, 5 * kChangesOfChunk + 1);
    REQUIRE(held.waits);
    REQUIRE(held.kill().signal != 0);
    const std::string state = read_file(files.state), job = state.substr(0, state.find("input_bytes"));

    SUBCASE("half of a chunk") {
        std::ofstream(files.part, std::ios::app | std::ios::binary) << "half a lin";
        std::ofstream(files.state + ".new") << "translate_f";
        CHECK(files.run().exit_code == 0);
        files.check_complete();
    }
    SUBCASE("the output in place, the state not yet gone") {
        fs::remove(files.part);
        std::ofstream(files.output, std::ios::binary) << files.expected;
        std::ofstream(files.state) << job << "input_bytes " << fs::file_size(files.input) << "\noutput_bytes "
                                   << files.expected.size() << "\nlines 46\n";
        CHECK(files.run().exit_code == 0);
        files.check_complete();
    }
    SUBCASE("a part that lost its end") {
        fs::resize_file(files.part, 3);
        const Run run = files.run();
        CHECK(run.exit_code == 1);
        CHECK(run.err.find("has 3 bytes") != std::string::npos);
        CHECK(files.run({"--restart"}).exit_code == 0);
        files.check_complete();
    }
    SUBCASE("another process that is at it") {
        auto part = std::make_unique<::os::LockedFile>();
        REQUIRE_FALSE(part->open(files.part, false));
        for (const auto& options : {std::vector<std::string>{}, {"--restart"}}) {
            const Run run = files.run(options);
            CHECK(run.exit_code == 1);
            CHECK(run.err.find("another process is writing it") != std::string::npos);
            CHECK(read_file(files.state) == state);
            CHECK(fs::file_size(files.part) > 0);
        }
        part.reset();
        CHECK(files.run({"--restart"}).exit_code == 0);
        files.check_complete();
    }
    SUBCASE("another job's state") {
        const auto refused = [&](const Run& run) {
            CHECK(run.exit_code == 1);
            CHECK(run.err.find("another input, model or options") != std::string::npos);
        };
        refused(files.run({"--paragraphs"}));
        refused(files.run({"--beam", "2"}));
        const std::string text = read_file(files.input);
        std::ofstream(files.input, std::ios::binary) << "x" << text.substr(1);
        refused(files.run());
        std::ofstream(files.input, std::ios::binary) << text;
        std::ofstream(files.state) << "something else";
        CHECK(files.run().err.find("not a state file") != std::string::npos);
        CHECK(files.run({"--restart"}).exit_code == 0);
        files.check_complete();
    }
}

TEST_CASE("Ctrl-C ends it in order" * not_on_wine()) {
    const Files files;
    const Held held(files, 4 * kChangesOfChunk + 1);
    REQUIRE(held.waits);
    held.child->type("\x03");
    held.child->type("\n");
    CHECK(held.child->wait().exit_code == 130);
    CHECK(files.lines_done() == 5);
    CHECK(files.run().exit_code == 0);
    files.check_complete();
}

TEST_CASE("a bar on a terminal" * not_on_wine()) {
    const Files files;
    Child child(files.command(kProgram, {"--chunk", "4"}));
    CHECK(child.shows("[#"));
    CHECK(child.shows("100 %"));
    CHECK(child.shows("is complete"));
    CHECK(child.wait().exit_code == 0);
}

TEST_CASE("what is wrong is named") {
    const Files files;
    CHECK(run(kProgram, {"--help"}).exit_code == 0);
    CHECK(run(kProgram, {"--help"}).out.find("usage: ") == 0);
    CHECK(run(kProgram, {}).exit_code == 2);
    CHECK(run(kProgram, {"--chunk", "0", "a", "b"}).exit_code == 2);
    CHECK(run(kProgram, {"--no-such-option", "a", "b"}).exit_code == 2);
    CHECK(run(kProgram, {"/no/such/file", "b"}).err.find("/no/such/file: ") != std::string::npos);
    CHECK(run(kProgram, {files.input, files.input}).err.find("is the input") != std::string::npos);
    const Run model = run(kProgram, {"--model", "/no/such/model", files.input, files.output});
    CHECK(model.exit_code == 1);
    CHECK(model.err.find("io_error: ") != std::string::npos);

    // Everything before a bad line is done and kept.
    const std::string text = read_file(files.input);
    const std::size_t second = text.find('\n') + 1;
    files.folder.write("in.txt", text.substr(0, second) + "\xff\n");
    const Run bad = files.run({"--chunk", "1", "--restart"});
    CHECK(bad.exit_code == 1);
    CHECK(bad.err.find("in.txt:2: invalid UTF-8 at byte 0") != std::string::npos);
    CHECK(read_file(files.part) == files.expected.substr(0, files.expected.find('\n') + 1));
}

}  // namespace translate_file_test
