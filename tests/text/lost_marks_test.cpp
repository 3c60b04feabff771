// SPDX-License-Identifier: Apache-2.0
#include "text/lost_marks.h"

#include <doctest/doctest.h>

#include <string>

namespace lost_marks_test {

using namespace dragoman::text;

namespace {

std::string mended(std::string_view source, std::string target) {
    apply(lost_marks(source, target), target, {});
    return target;
}

}  // namespace

TEST_CASE("trade marks have their sign") {
    CHECK(mended("Dragoman\u2122 and Foo\u00ae", "DragomanTM und Foo\u00ae") == "Dragoman\u2122 und Foo\u00ae");
    CHECK(mended("A\u2122 and A\u2122", "ATM und ATM") == "A\u2122 und ATM");
    CHECK(mended("An ATM", "Ein ATM") == "Ein ATM");
    CHECK(mended("\u2122 signs", "TM-Zeichen") == "TM-Zeichen");
    CHECK(mended("Go\u2122", "GoTMs") == "GoTMs");
}

TEST_CASE("marks at the end") {
    CHECK(mended("What?!", "Was?") == "Was?!");
    CHECK(mended("What!?", "Was!") == "Was!?");
    CHECK(mended("What?!", "Was?!") == "Was?!");
    CHECK(mended("Dear Tom,", "Lieber Tom.") == "Lieber Tom,");
    CHECK(mended("Dear Tom,", "Lieber Tom") == "Lieber Tom");
    CHECK(mended("First, open the door;", "Zuerst die T\u00fcr.") == "Zuerst die T\u00fcr;");
    CHECK(mended("Ingredients:", "Zutaten.") == "Zutaten:");
    CHECK(mended("Flour etc.:", "Mehl usw.") == "Mehl usw.");
    CHECK(mended("It is N/A.", "Es ist k. A..") == "Es ist k. A.");
    CHECK(mended("Wait..", "Warte..") == "Warte..");
    CHECK(mended("Wait...", "Warte...") == "Warte...");
    CHECK(mended("", "") == "");
}

TEST_CASE("an ellipsis touches its word as in the source") {
    CHECK(mended("Save as\u2026", "Speichern als ...") == "Speichern als\u2026");
    CHECK(mended("Wait... what? He said that...", "Warte ... was? Er sagte das ...") ==
          "Warte... was? Er sagte das...");
    CHECK(mended("Wait...", "Warte\u2026") == "Warte...");
    CHECK(mended("Wait ...", "Warte ...") == "Warte ...");
    CHECK(mended("A... b ...", "A ... b ...") == "A ... b ...");
    CHECK(mended("Wait...", "Warte, ... ja ...") == "Warte, ... ja ...");
    CHECK(mended("He left...", "...") == "...");
    CHECK(mended("Loading {}... done", "Lade {}.... getan") == "Lade {}... getan");
}

TEST_CASE("a sign of an ellipsis does not become four dots") {
    CHECK(mended("\"Good\", she said, and left \u2026", "\"Gut\", sagte sie und ging....") ==
          "\"Gut\", sagte sie und ging...");
}

}  // namespace lost_marks_test
