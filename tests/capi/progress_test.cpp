// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include <doctest/doctest.h>

#include <string>

#include "support/child.h"
#include "support/system.h"
#include "text_model.h"

namespace progress_test {

using namespace dragoman::test;
using cli::in_words;
using std::chrono::duration;

TEST_CASE("progress in words") {
    CHECK(in_words({}, "lines", duration<double>(0)) == "0 lines, 0 sentences, 0 %");
    CHECK(in_words({.inputs = 3, .of_inputs = 9, .sentences = 5, .share = 0.5}, "texts", duration<double>(0.5)) ==
          "3 of 9 texts, 5 sentences, 50 %");  // too early for a rate
    CHECK(in_words({.inputs = 0, .sentences = 5, .share = 0.25}, "lines", duration<double>(10)) ==
          "5 sentences, 25 %, 0.5/s, 0:30 left");  // the first line is at work
    CHECK(in_words({.inputs = 7, .sentences = 5, .share = 1}, "lines", duration<double>(10)) ==
          "7 lines, 5 sentences, 100 %, 0.5/s");
    CHECK(in_words({.inputs = 7, .sentences = 5, .share = 1.5}, "lines", duration<double>(10)) ==
          "7 lines, 5 sentences, 100 %, 0.5/s");
    CHECK(in_words({.sentences = 36, .share = 0.001}, "lines", duration<double>(36)).ends_with("1.0/s, 9:59:24 left"));
    // What an earlier run did took none of this one's time.
    CHECK(in_words({.inputs = 60, .sentences = 10, .share = 0.75, .share_before = 0.5}, "lines",
                   duration<double>(10)) == "60 lines, 10 sentences, 75 %, 1.0/s, 0:10 left");
}

TEST_CASE("a terminal shows it, and nothing else does for a short file" * not_on_wine()) {
    const TempDir folder;
    const std::string input = folder.write("in.txt", std::string(kSourceB) + "\n" + kSourceA + "\n");
    const std::vector<std::string> command = {"translate", "--model", kModel, "--tokens",
                                              "-i",        input,     "-o",   std::string(folder.path() / "out.txt")};
    std::vector<std::string> shown = command;
    shown.insert(shown.begin(), DRAGOMAN_CLI);
    {
        Child child(shown);
        CHECK(child.shows(" sentences, "));
        CHECK(child.wait().exit_code == 0);
    }
    shown.push_back("--no-progress");
    {
        Child child(shown);
        CHECK(child.wait().exit_code == 0);
        CHECK(child.output().find(" sentences") == std::string::npos);
    }
    CHECK(run(DRAGOMAN_CLI, command).err.find(" sentences") == std::string::npos);
}

}  // namespace progress_test
