// SPDX-License-Identifier: Apache-2.0
// What the tool says of itself: help, mistakes and what was meant, completions of shells, pages for man.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>
#include <utility>

#include "support/child.h"
#include "support/run_program.h"
#include "support/system.h"

namespace cli_help_test {

using namespace dragoman::test;

namespace {

const std::string kToy = DRAGOMAN_TEST_DATA "/toy-text";

Run tool(const std::vector<std::string>& arguments) { return run(DRAGOMAN_CLI, arguments); }

std::string output(const std::vector<std::string>& arguments) {
    const Run run = tool(arguments);
    CAPTURE(run.err);
    CHECK(run.exit_code == 0);
    return run.out;
}

void check_usage(const std::vector<std::string>& arguments, const std::string& what) {
    const Run run = tool(arguments);
    CHECK(run.exit_code == 2);
    CHECK(run.out.empty());
    CHECK_MESSAGE(run.err.find(what) != std::string::npos, run.err);
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// Lines of help that begin with an option.
long options_in(const std::string& help) {
    long count = 0;
    std::istringstream stream(help);
    for (std::string line; std::getline(stream, line);) count += line.starts_with("  -");
    return count;
}

}  // namespace

TEST_CASE("help shows what most people need, --help-all everything") {
    const std::string help = output({"translate", "--help"}), all = output({"translate", "--help-all"});
    CHECK(options_in(help) <= 14);  // twelve, and those that show help
    CHECK(options_in(all) > 70);
    for (const char* option : {"--to", "--from", "--model", "--output", "--beam", "--glossary", "--help-all"}) {
        CAPTURE(option);
        CHECK(has(help, option));
        CHECK(has(all, option));
    }
    CHECK_FALSE(has(help, "--patience"));
    CHECK(has(all, "--patience"));
    CHECK(has(help, std::to_string(options_in(all) - options_in(help)) + " more options"));
    CHECK(has(help, "Examples:"));
    CHECK(output({"help", "translate"}) == help);
    CHECK(output({"help"}) == output({"--help"}));
    CHECK_FALSE(has(output({"bench", "--help"}), "--validation"));
    CHECK(has(output({"bench", "--help-all"}), "--validation"));
    const Run none = tool({});
    CHECK(none.exit_code == 2);
    CHECK(none.err == output({"--help"}));
    const std::string more = "Run with --help for more information.\n";
    CHECK(tool({"help", "translat"}).err == "dragoman: translat: no such command; did you mean translate?\n" + more);
    for (const char* command : {"help", "manual"}) check_usage({command, "nonsense"}, "nonsense: no such command");
    CHECK(has(output({"help", "completion"}), "bash, zsh or fish"));
    for (const char* command : {"completion", "manual"}) CHECK(has(output({"--help"}), command));
}

TEST_CASE("mistakes are named with what may have been meant") {
    check_usage({"tranlsate", "x"}, "tranlsate: no such command; did you mean translate?");
    check_usage({"fly"}, "fly: no such command\n");
    check_usage({"translate", "--beem", "4", "x"},
                "--beem: no such option of dragoman translate; did you mean --beam?");
    check_usage({"translate", "--glosary=x", "x"},
                "--glosary: no such option of dragoman translate; did you mean --glossary?");
    check_usage({"detect", "--sentence", "x"}, "did you mean --sentences?");
    for (const auto& [other, own] :
         {std::pair("--target", "--to"), std::pair("--source_lang", "--from"), std::pair("--beam-size", "--beam"),
          std::pair("--out", "--output"), std::pair("--gloss", "--glossary"), std::pair("--gpu=0", "--device")})
        check_usage({"translate", other, "x"}, "did you mean " + std::string(own) + "?");
    check_usage({"translate", "--beam-size", "1", "--input", "x"}, "did you mean --beam?");
    check_usage({"--verson"}, "--verson: no such option of dragoman; did you mean --version?");
    check_usage({"translate", "--completely-wrong", "x"}, "--completely-wrong: no such option of dragoman translate\n");
    check_usage({"translate", "-and then"}, "goes behind --");
}

TEST_CASE("messages name options as the command line does") {
    const auto refused = [](const std::vector<std::string>& more, const std::string& what) {
        std::vector<std::string> all = {"translate", "--model", kToy, "ab"};
        all.insert(all.end(), more.begin(), more.end());
        check_usage(all, what);
    };
    refused({"--beam", "0"}, "dragoman: --beam: ");
    refused({"--n-best", "3", "--beam", "2"}, "dragoman: --n-best: ");
    refused({"--n-best", "3", "--beam", "2"}, "--beam");
    refused({"--to", "fr"}, "dragoman: --to: ");
    refused({"--word-penalty", "1"}, "dragoman: --word-penalty: ");
    refused({"--top-k", "5"}, "dragoman: --top-k: ");
    refused({"--temperature=-1", "--sampling", "on"}, "dragoman: --temperature: ");
}

TEST_CASE("at a terminal the tool says that it waits for text" * not_on_wine()) {
    Child waiting({DRAGOMAN_CLI, "translate", "--model", kToy});
    CHECK(waiting.shows("Type a text"));
    CHECK(waiting.shows("Ctrl-D"));
    waiting.type("\x04");
    CHECK(waiting.wait().exit_code == 0);
    Child given({DRAGOMAN_CLI, "translate", "--model", kToy, "ab"});
    CHECK(given.wait().exit_code == 0);
    CHECK_FALSE(has(given.output(), "Type a text"));
}

TEST_CASE("each command has a page for man") {
    const std::string page = output({"manual", "translate"});
    CHECK(page.starts_with(".TH DRAGOMAN-TRANSLATE 1 "));
    for (const char* part : {"\\-\\-glossary", ".SH DECODING", ".SH EXAMPLES", "\\-\\-help\\-all"}) {
        CAPTURE(part);
        CHECK(has(page, part));
    }
    const std::string all = output({"manual"});
    CHECK(has(all, "\\fBdragoman\\-embed\\fR(1)"));
    CHECK_FALSE(has(all, "manual"));
    CHECK(tool({"manual", "fly"}).exit_code == 2);
    const TempDir folder;
    const std::string share = (folder.path() / "share").string();
    CHECK(output({"shell-files", share}).empty());
    CHECK(read_file(share + "/man/man1/dragoman-translate.1") == page);
    CHECK(read_file(share + "/man/man1/dragoman.1") == all);
    CHECK(read_file(share + "/bash-completion/completions/dragoman") == output({"completion", "bash"}));
}

TEST_CASE("wrong values are told in words of the tool") {
    check_usage({"translate", "--model", kToy, "--beam", "x", "ab"},
                "--beam: expected a whole number from 0 on, got x");
    check_usage({"translate", "--model", kToy, "--beam", "99999999999", "ab"},
                "--beam: expected a smaller number, got 99999999999");
    check_usage({"translate", "--model", kToy, "--length-penalty", "x", "ab"},
                "--length-penalty: expected a number, got x");
    check_usage({"translate", "--model", kToy, "--early-stopping", "onn", "ab"},
                "--early-stopping: expected auto, never, off or on, got onn; did you mean on?");
    check_usage({"translate", "--model", kToy, "--compute-type", "f99", "ab"},
                "--compute-type: expected auto, float32, float16, int8 or int8_float16, got f99");
    check_usage({"embed", "--pooling", "sum", "ab"}, "--pooling: expected cls, mean, model, pooler or tokens, got sum");
    check_usage({"embed", "--batch-size", "0", "ab"}, "--batch-size: expected more than 0, got 0");
    check_usage({"devices", "extra"}, "extra: is an argument too many for dragoman devices");
}

TEST_CASE("help and versions that go nowhere are failures" * only_posix()) {
    if (!std::filesystem::exists("/dev/full")) return;
    for (const char* flag : {"--help", "--version", "--help-all"}) {
        CAPTURE(flag);
        CHECK(run_into("/dev/full", DRAGOMAN_CLI, {flag}) == 1);
    }
}

}  // namespace cli_help_test
