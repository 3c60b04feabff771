// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <csignal>

#include "live/line_editor.h"
#include "recorded.h"
#include "support/child.h"
#include "support/run_program.h"
#include "support/system.h"

namespace live_test {

using namespace dragoman::test;
using Lines = std::vector<std::string>;

namespace {

const std::string kProgram = DRAGOMAN_SAMPLES "/live";
#ifdef SIGHUP
const int kSignals[] = {SIGTERM, SIGINT, SIGHUP};
#else
const int kSignals[] = {SIGTERM, SIGINT};
#endif

bool is_raw(const Child& child) { return child.raw().value_or(true); }
bool is_cooked(const Child& child) { return !child.raw().value_or(false); }

}  // namespace

TEST_CASE("lines from a pipe") {
    const Run toy = run(kProgram, {"--model", kToyModel}, "loson lonaß?\n\nlonan losora!\r\nbanaß banara!");
    CHECK(toy.exit_code == 0);
    CHECK(toy.out == "Gaлаx vöpisa?\n\nvösa vökuй!\nfoлаx foй!\n");
    const Run code = run(kProgram, {"--model", kCodeModel, "--to", "yy"}, "késora!\n");
    CHECK(code.out == "Gakux!\n");

    const Run bad = run(kProgram, {"--model", kToyModel}, "loson lonaß?\n\xff\n");
    CHECK(bad.exit_code == 1);
    CHECK(bad.out == "Gaлаx vöpisa?\n");
    CHECK(bad.err == "live: line 2: invalid UTF-8 at byte 0\n");
    CHECK(run(kProgram, {"--model", "/no/such/model"}).exit_code == 1);
    CHECK(run(kProgram, {"--help"}).exit_code == 0);
    CHECK(run(kProgram, {"x"}).exit_code == 2);
}

TEST_CASE("the translation appears while the line is typed" * not_on_wine()) {
    Child child({kProgram, "--model", kToyModel});
    REQUIRE(child.shows("> "));
    CHECK(is_raw(child));
    child.type("lonan");  // no Enter
    CHECK(child.shows("> lonan"));
    child.type(" losora!");
    CHECK(child.shows("vösa vökuй!"));
    child.type("\x7f");
    CHECK(child.shows("> lonan losora\033"));
    child.type("\x15");  // Ctrl-U
    child.type("loson lonaß?\n");
    CHECK(child.shows("Gaлаx vöpisa?"));
    child.type("\x04");
    CHECK(child.wait().exit_code == 0);
    CHECK(is_cooked(child));
}

TEST_CASE("signals leave the terminal as it was" * only_posix()) {
    for (const int signal : kSignals) {
        CAPTURE(signal);
        Child child({kProgram, "--model", kToyModel});
        REQUIRE(child.shows("> "));
        CHECK(is_raw(child));
        if (signal == SIGINT) {
            child.type("\x03");
        } else {
            child.signal(signal);
        }
        CHECK(child.wait().signal == signal);
        CHECK(is_cooked(child));
    }
}

TEST_CASE("keys become a line") {
    LineEditor editor;
    const auto type = [&](const std::string& keys) {
        LineEditor::Event last = LineEditor::Event::none;
        for (const char key : keys) last = editor.feed(static_cast<unsigned char>(key));
        return last;
    };
    CHECK(type("aé漢") == LineEditor::Event::changed);
    CHECK(editor.text() == "aé漢");
    type("\x7f\x7f");
    CHECK(editor.text() == "a");
    CHECK(type("\033[A\033[3~\033OP\x01") == LineEditor::Event::none);
    CHECK(editor.text() == "a");
    type(" bc d\x17");
    CHECK(editor.text() == "a bc ");
    CHECK(type("\x04") == LineEditor::Event::none);  // in a line, Ctrl-D is nothing
    CHECK(type("\x15\x7f") == LineEditor::Event::changed);
    CHECK(editor.text().empty());
    CHECK(type("\x04") == LineEditor::Event::end);
    CHECK(type("\n") == LineEditor::Event::enter);
    type("\xc3");
    CHECK_FALSE(editor.whole());
    type("\xa9");
    CHECK(editor.whole());
}

TEST_CASE("texts that are wider than the screen") {
    CHECK(tail("abcdef", 6) == "abcdef");
    CHECK(tail("abcdef", 4) == "…def");
    CHECK(fold("one two three", 20) == Lines{"one two three"});
    CHECK(fold("one two three", 8) == Lines{"one two", "three"});
    CHECK(fold("one two three", 7) == Lines{"one two", "three"});
    CHECK(fold("abcdefgh", 3) == Lines{"abc", "def", "gh"});
    CHECK(fold("", 3) == Lines{""});
    CHECK(columns_of("aé") == 2);
}

}  // namespace live_test
