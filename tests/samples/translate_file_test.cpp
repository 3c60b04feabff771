// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <thread>

#include "recorded.h"
#include "support/child.h"
#include "support/os/file.h"
#include "support/run_program.h"
#include "support/system.h"

using namespace dragoman::test;
namespace fs = std::filesystem;

namespace {

const std::string kProgram = DRAGOMAN_SAMPLES "/translate_file";

struct Files {
    TempDir folder;
    std::string input = folder.path() / "in.txt", output = folder.path() / "out.txt";
    std::string part = output + ".part", state = output + ".state", expected;

    // `rounds` times all recorded sentences with blank lines and both kinds of line end.
    explicit Files(int rounds = 1) {
        std::string text;
        const auto sentences = recorded_sentences(kToyModel);
        for (int round = 0; round < rounds; ++round) {
            for (std::size_t i = 0; i < sentences.size(); ++i) {
                const std::string end = i % 3 == 0 ? "\r\n" : "\n";
                text += sentences[i].text + end;
                expected += sentences[i].translation + end;
                if (i % 5 == 0) {
                    text += i % 2 ? "\n" : " \n";
                    expected += "\n";
                }
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
    std::vector<std::string> command(std::vector<std::string> more = {}) const {
        std::vector<std::string> all = arguments(std::move(more));
        all.insert(all.begin(), kProgram);
        return all;
    }
    // Lines that the state file vouches for; 0: no state file.
    unsigned long lines_done() const {
        unsigned long lines = 0;
        std::ifstream file(state, std::ios::binary);  // on Windows not to be opened while it is replaced
        const std::string text{std::istreambuf_iterator<char>(file), {}};
        std::sscanf(text.c_str(), "%*[^\n]\n%*[^\n]\n%*[^\n]\n%*[^\n]\nlines %lu", &lines);
        return lines;
    }
    void check_complete() const {
        CHECK(read_file(output) == expected);
        CHECK_FALSE(fs::exists(part));
        CHECK_FALSE(fs::exists(state));
    }
};

// Runs until `lines` are done, then ends it by `how` after a moment of random length.
End interrupt(const Files& files, unsigned long lines, void (*how)(Child&), std::mt19937& random) {
    Child child(files.command({"--chunk", "1"}));
    while (child.running() && files.lines_done() < lines) std::this_thread::sleep_for(std::chrono::microseconds(200));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 20000));
    how(child);
    return child.wait();
}

void kill(Child& child) { child.kill(); }
void press_ctrl_c(Child& child) { child.type("\x03"); }

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

TEST_CASE("killed at any moment, it goes on where it was") {
    const Files files(2);
    std::mt19937 random(7);
    unsigned long done = 0;
    for (int time = 0; time < 6; ++time) {
        REQUIRE(interrupt(files, done + 3, kill, random).signal != 0);
        CHECK_FALSE(fs::exists(files.output));
        const unsigned long now = files.lines_done();
        CHECK(now >= done + 3);
        done = now;
        const std::string part = read_file(files.part);
        const auto lines = static_cast<unsigned long>(std::count(part.begin(), part.end(), '\n'));
        CHECK(lines >= now);
        CHECK(lines <= now + 1);  // one chunk
        CHECK(files.expected.starts_with(part.substr(0, part.rfind('\n') + 1)));
    }
    const Run last = files.run();
    CHECK(last.exit_code == 0);
    CHECK(last.err.find("going on after line " + std::to_string(done) + "\n") != std::string::npos);
    files.check_complete();
}

TEST_CASE("what a dying process may leave behind") {
    const Files files;
    std::mt19937 random(8);
    REQUIRE(interrupt(files, 5, kill, random).signal != 0);
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
    const Files files(2);
    std::mt19937 random(9);
    CHECK(interrupt(files, 4, press_ctrl_c, random).exit_code == 130);
    CHECK(files.run().exit_code == 0);
    files.check_complete();
}

TEST_CASE("a bar on a terminal" * not_on_wine()) {
    const Files files;
    Child child(files.command({"--chunk", "4"}));
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

    // What came before a bad line is done and kept.
    const std::string text = read_file(files.input);
    const std::size_t second = text.find('\n') + 1;
    files.folder.write("in.txt", text.substr(0, second) + "\xff\n");
    const Run bad = files.run({"--chunk", "1", "--restart"});
    CHECK(bad.exit_code == 1);
    CHECK(bad.err.find("in.txt:2: invalid UTF-8 at byte 0") != std::string::npos);
    CHECK(read_file(files.part) == files.expected.substr(0, files.expected.find('\n') + 1));
}
