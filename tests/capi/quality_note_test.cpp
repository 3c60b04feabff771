// SPDX-License-Identifier: Apache-2.0
// What `dragoman translate --quality` says of its numbers.
#include <doctest/doctest.h>

#include "support/child.h"
#include "support/run_program.h"
#include "support/system.h"
#include "text_model.h"

namespace quality_note_test {

using namespace dragoman::test;

namespace {

const std::string kWord = "\xd8\xa2\xd8\xaa\xd8\xb2\xd9\x85\xd9\x88\xd9\x86",
                  kNote = "estimates the translation's chrF";

}  // namespace

TEST_CASE("at a terminal the number of --quality is explained, once" * not_on_wine()) {
    const TextModel model;
    Child tool({DRAGOMAN_CLI, "translate", "--model", model.path, "--quality", kWord, kWord});
    CHECK(tool.wait().exit_code == 0);
    const std::string said = tool.output();
    CAPTURE(said);
    const std::size_t at = said.find(kNote);
    REQUIRE(at != std::string::npos);
    CHECK(said.find(kNote, at + 1) == std::string::npos);
    CHECK(at < said.find("0."));  // before the first of them
}

TEST_CASE("nothing of that is told to programs") {
    const TextModel model;
    const Run lines = run(DRAGOMAN_CLI, {"translate", "--model", model.path, "--quality", kWord});
    CHECK(lines.exit_code == 0);
    CHECK(lines.err.empty());
    CHECK(lines.out.starts_with("0."));
    Child json({DRAGOMAN_CLI, "translate", "--model", model.path, "--quality", "--json", kWord});
    CHECK(json.wait().exit_code == 0);
    CHECK(json.output().find(kNote) == std::string::npos);
    const Run help = run(DRAGOMAN_CLI, {"translate", "--help"});
    CHECK(help.out.find("estimate of its chrF") != std::string::npos);
}

}  // namespace quality_note_test
