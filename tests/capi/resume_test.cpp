// SPDX-License-Identifier: Apache-2.0
// `dragoman translate -i lines -o file`: what is written stays, whatever ends the program, and --resume goes on behind
// it.
#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <thread>

#include "support/child.h"
#include "text_model.h"
#include "support/system.h"

namespace resume_test {

using namespace dragoman::test;
namespace fs = std::filesystem;

namespace {

const std::string kLineA = kSourceA, kLineB = kSourceB, kOutA = "a t z m o n\n", kOutB = "a z z a\n";

bool comes(const std::function<bool()>& what) {
    for (const auto end = std::chrono::steady_clock::now() + kPatience; !what();) {
        if (std::chrono::steady_clock::now() > end) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    return true;
}

std::string text_in(const fs::path& path) { return fs::exists(path) ? read_file(path) : std::string(); }

struct Files {
    TempDir folder;
    std::string input = folder.write("in.txt", kLineB + "\n" + kLineA + "\n\n" + kLineB + "\n");
    std::string output = folder.path() / "out file.txt", kept = output + ".resume";
    std::string expected = kOutB + kOutA + "\n" + kOutB;

    std::vector<std::string> command(const std::string& from, std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"translate", "--model", kModel, "--tokens", "-i", from, "-o", output});
        return more;
    }
    Run run(std::vector<std::string> more = {}) const {
        return dragoman::test::run(DRAGOMAN_CLI, command(input, std::move(more)));
    }
    Run resume(std::vector<std::string> more = {}) const {
        more.push_back("--resume");
        return run(std::move(more));
    }
    void check_refused(const Run& run, const std::string& why) const {
        const std::string before = text_in(output);
        CHECK(run.exit_code == 1);
        CHECK_MESSAGE(run.err.find(why) != std::string::npos, run.err);
        CHECK(run.err.find("without --resume the translation begins anew") != std::string::npos);
    }
    // Written by another hand in the same number of bytes, so that it is seen whether it stays.
    void mark_first() const {
        std::string text = read_file(output);
        text.replace(0, kOutB.size(), "M A R K\n");
        folder.write("out file.txt", text);
    }
    std::string marked() const { return "M A R K\n" + expected.substr(kOutB.size()); }
};

// A run whose input has no end: two lines are written and saved, and it waits for the third.
struct Waiting {
    explicit Waiting(const Files& files, std::vector<std::string> more = {}) {
        const std::string pipe = files.folder.path() / "pipe";
        make_named_pipe(pipe);
        std::vector<std::string> command = files.command(pipe, std::move(more));
        command.insert(command.begin(), DRAGOMAN_CLI);
        child = std::make_unique<Child>(command);
        in.open(pipe);
        in << kLineB << "\n" << kLineA << std::endl;
        waits = comes([&] { return text_in(files.kept).find("\nd 2 ") != std::string::npos; });
    }
    std::unique_ptr<Child> child;
    std::ofstream in;
    bool waits = false;
};

}  // namespace

TEST_CASE("lines of a program that was killed stay, and it goes on behind them" * only_posix()) {
    const Files files;
    {
        const Waiting run(files);
        REQUIRE(run.waits);
        run.child->kill();
        CHECK(run.child->wait().signal == SIGKILL);
    }
    CHECK(read_file(files.output) == kOutB + kOutA);
    files.mark_first();
    SUBCASE("as it was left") {}
    SUBCASE("with half a line in the output") { std::ofstream(files.output, std::ios::app) << "a z"; }
    SUBCASE("with half a record") { std::ofstream(files.kept, std::ios::app) << "d 3 2"; }
    SUBCASE("with a record that was damaged") { std::ofstream(files.kept, std::ios::app) << "d 4 99 0\t0\n"; }
    const Run run = files.resume();
    CHECK_MESSAGE(run.exit_code == 0, run.err);
    CHECK(read_file(files.output) == files.marked());
    CHECK_FALSE(fs::exists(files.kept));
}

TEST_CASE("wherever the record of what is done was cut, no line is lost or there twice" * only_posix()) {
    const Files files;
    {
        const Waiting run(files);
        REQUIRE(run.waits);
        run.child->kill();
        run.child->wait();
    }
    const std::string kept = read_file(files.kept), output = read_file(files.output);
    // At the end of each line, and inside of it.
    for (std::size_t at = 0; at < kept.size(); at = kept.find('\n', at) + 1) {
        if (at > 40 && at + 400 < kept.size()) continue;  // the key
        for (const std::size_t size : {at, at + 3}) {
            CAPTURE(size);
            files.folder.write("out file.txt.resume", kept.substr(0, size));
            files.folder.write("out file.txt", output);
            const Run run = files.resume();
            CHECK_MESSAGE(run.exit_code == 0, run.err);
            CHECK(read_file(files.output) == files.expected);
        }
    }
}

TEST_CASE("Ctrl-C and SIGTERM keep what is done, and say how to go on" * only_posix()) {
    const Files files;
    int number = 0;
    SUBCASE("Ctrl-C") { number = SIGINT; }
    SUBCASE("SIGTERM") { number = SIGTERM; }
    {
        const Waiting run(files, {"--beam", "4"});
        REQUIRE(run.waits);
        if (number == SIGINT) run.child->type("\x03");
        else run.child->signal(number);
        CHECK(run.child->shows("2 inputs are translated in"));
        CHECK(run.child->shows("--resume"));
        const End end = run.child->wait();
        CHECK(end.signal == number);  // which a shell shows as 130 or 143
        CHECK(run.child->output().find("'" + files.output + "'") != std::string::npos);  // quoted, for a shell
        CHECK(run.child->output().find("--beam 4 --resume") != std::string::npos);
    }
    files.mark_first();
    CHECK(files.resume({"--beam", "4"}).exit_code == 0);
    CHECK(read_file(files.output) == files.marked());
}

TEST_CASE("what other settings or another input made is not mixed with it" * only_posix()) {
    const Files files;
    {
        const Waiting run(files);
        REQUIRE(run.waits);
        run.child->kill();
        run.child->wait();
    }
    const std::string kept = read_file(files.kept), output = read_file(files.output);
    files.check_refused(files.resume({"--beam", "3"}), "settings: beam_size: 2 then, 3 now");
    files.check_refused(files.resume({"--json"}), "--json: false then, true now");
    files.check_refused(files.resume({"--scores"}), "return_scores: false then, true now");
    files.check_refused(files.resume({"--prefix", "a"}), "--prefix: ");
    files.check_refused(files.resume({"--on-error", "skip"}), "--on-error: 0 then, 1 now");
    const std::string lines = read_file(files.input);
    files.folder.write("in.txt", kLineA + "\n" + lines);
    files.check_refused(files.resume(), "the 2 inputs that are translated are not the first ones of the input");
    files.folder.write("in.txt", kLineB + "\n");
    files.check_refused(files.resume(), "the 2 inputs that are translated are not the first ones of the input");
    files.folder.write("in.txt", lines);
    files.folder.write("out file.txt", "a");
    files.check_refused(files.resume(), "has 1 bytes, of 20 that were written");
    CHECK(read_file(files.kept) == kept);
    files.folder.write("out file.txt", output);
    files.folder.write("out file.txt.resume", "My notes\n");
    files.check_refused(files.resume(), "is no file of this program");
    CHECK(read_file(files.output) == output);
    // More lines than before are no other input.
    files.folder.write("out file.txt.resume", kept);
    files.folder.write("in.txt", lines + kLineA + "\n");
    CHECK(files.resume().exit_code == 0);
    CHECK(read_file(files.output) == files.expected + kOutA);
}

TEST_CASE("--resume where nothing was stopped") {
    const Files files;
    CHECK(files.resume().exit_code == 0);  // from the beginning
    CHECK(read_file(files.output) == files.expected);
    CHECK_FALSE(fs::exists(files.kept));
    files.check_refused(files.resume(), "is no translation that was stopped");
    CHECK(read_file(files.output) == files.expected);
    CHECK(files.run().exit_code == 0);
    CHECK(read_file(files.output) == files.expected);
    const Run nowhere = run(DRAGOMAN_CLI, {"translate", "--model", kModel, "--tokens", "--resume", kLineA});
    CHECK(nowhere.exit_code == 1);
    CHECK(nowhere.err.find("--resume: expected an --output that is a file") != std::string::npos);
}

TEST_CASE("a bad line keeps what came before it, and the numbers of n-best lists go on") {
    const Files files;
    files.folder.write("in.txt", kLineB + "\n\xff\n" + kLineA + "\n");
    const std::vector<std::string> nbest = {"--beam", "2", "--n-best", "2"};
    const Run stopped = files.run(nbest);
    CHECK(stopped.exit_code == 1);
    CHECK(stopped.err.find("1 inputs are translated in") != std::string::npos);
    files.folder.write("in.txt", kLineB + "\n" + kLineA + "\n");
    CHECK(files.resume(nbest).exit_code == 0);
    const std::string resumed = read_file(files.output);
    CHECK(files.run(nbest).exit_code == 0);
    CHECK(read_file(files.output) == resumed);
    CHECK(resumed.find("\n2\t") != std::string::npos);
}

}  // namespace resume_test
