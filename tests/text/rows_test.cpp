// SPDX-License-Identifier: Apache-2.0
#include "text/rows.h"

#include <doctest/doctest.h>

#include <string>

#include "support/in_brackets.h"

namespace rows_test {

using dragoman::test::in_brackets;
using dragoman::text::part;

namespace {

std::string cells(std::string_view text) { return in_brackets(text, dragoman::text::cells(text, {0, text.size()})); }

std::string fields(std::string_view text, bool tabs = true) {
    return in_brackets(text, dragoman::text::fields(text, {0, text.size()}, tabs));
}

std::string enclosed(std::string_view text) {
    return std::string(part(text, dragoman::text::enclosed(text, {0, text.size()})));
}

}  // namespace

TEST_CASE("rows of tables have cells") {
    CHECK(cells("| First name | 12 | Age |") == "[First name][Age]");
    CHECK(cells("Name | Age | Town") == "[Name][Age][Town]");
    CHECK(cells("|---|---|") == "");
    CHECK(cells("either | or") == "");
    CHECK(cells("") == "");
}

TEST_CASE("alternatives between bars without blanks are cells") {
    CHECK(cells("Red|Green|Blue") == "[Red][Green][Blue]");
    for (const char* other :
         {"Red|Green", "a|b|c", "--color=auto|always|never", "grep foo|sort|uniq -c (all)", "Red||Blue"})
        CHECK_MESSAGE(cells(other) == "", other);
}

// Each blank of a run would look at all of it: minutes for a few hundred thousand.
TEST_CASE("a run of blanks takes linear time") {
    const std::string gap(400'000, ' '), line = "name:" + gap + "Tom" + gap + "old" + gap + "5";
    const auto found = dragoman::text::fields(line, {0, line.size()}, true);
    REQUIRE(found.size() == 3);
    CHECK(part(line, found[0]) == "name:");
    CHECK(part(line, found[1]) == "Tom" + gap + "old");
    CHECK(part(line, found[2]) == "5");
}

// Each field would look at the blanks before all of them.
TEST_CASE("blanks in front of many fields take linear time") {
    std::string text(400'000, ' ');
    const std::size_t first = text.size();
    for (int i = 0; i < 40'000; ++i) text += "ab\t";
    for (std::size_t at = first; at < text.size(); at += 3)
        CHECK(dragoman::text::sentence_lead(text, {at, at + 2}) == 0);
}

TEST_CASE("several blanks part columns") {
    CHECK(fields("Total:          5 dollars") == "[Total:][5 dollars]");
    CHECK(fields("-h, --help     show this help") == "[-h, --help][show this help]");
    CHECK(fields("Name     Age      the town") == "[Name][Age      the town]");
    for (const char* other : {"The dog      is small.", "One.  Two", "   One"})
        CHECK_MESSAGE(fields(other).find("][") == std::string::npos, other);
    CHECK(fields("Total:     5", false) == "[Total:     5]");
}

TEST_CASE("what begins a sentence that is no part of it") {
    const auto lead = [](std::string_view text, std::size_t begin) {
        return dragoman::text::sentence_lead(text, {begin, text.size()});
    };
    CHECK(lead("Where are you? - At home.", 15) == 2);
    CHECK(lead("Where are you? \xe2\x80\x93 At home.", 15) == 4);
    CHECK(lead("...that I love you.", 0) == 3);
    CHECK(lead("\xe2\x80\xa6that I love you.", 0) == 3);
    for (const char* other : {"- At home.", "-5 degrees", "... ", "...", "The dog"})
        CHECK_MESSAGE(lead(other, 0) == 0, other);
    CHECK(lead("Well - At home", 5) == 0);
}

TEST_CASE("steps of paths are cells") {
    CHECK(cells("Home > Products > Dogs") == "[Home][Products][Dogs]");
    CHECK(cells("Home \xc2\xbb Products \xc2\xbb Dogs") == "[Home][Products][Dogs]");
    CHECK(cells("Home &gt; Our Products &gt; Dogs") == "[Home][Our Products][Dogs]");
    CHECK(cells("Select Settings \xe2\x86\x92 Privacy \xe2\x86\x92 Cookies.") ==
          "[Select Settings][Privacy][Cookies.]");
    CHECK(cells("home \xe2\x80\xba products \xe2\x80\xba dogs") == "[home][products][dogs]");
    for (const char* sentence : {"Choose File > Save as to save it.", "If a > b and c > d, then stop.", "a > b > c",
                                 "On the menu bar, click File > Options > Advanced.", "5 > 3 > 1"})
        CHECK_MESSAGE(cells(sentence) == "", sentence);
}

TEST_CASE("line breaks of programs' strings divide fields") {
    CHECK(fields("Hi!\\n\\nDownload it here:\\n%s") == "[Hi!][Download it here:][%s]");
    CHECK(fields("Open C:\\News\\Texts now.") == "[Open C:\\News\\Texts now.]");
}

TEST_CASE("alternatives are cells") {
    CHECK(cells("Male/Female") == "[Male][Female]");
    CHECK(cells("Home / Our Products / Dogs") == "[Home][Our Products][Dogs]");
    CHECK(cells("at 50 km/h") == "");
}

TEST_CASE("texts between bullets and behind emoji are cells") {
    CHECK(cells("\xe2\x80\xa2 Milk \xe2\x80\xa2 Bread \xe2\x80\xa2 Eggs") == "[Milk][Bread][Eggs]");
    CHECK(cells("Monday \xc2\xb7 Tuesday \xc2\xb7 Wednesday") == "[Monday][Tuesday][Wednesday]");
    CHECK(cells("\xe2\x9c\x85 Done \xe2\x9d\x8c Not done") == "[Done][Not done]");
    CHECK(cells("\xe2\x9c\x93 Fast \xe2\x9c\x93 Free") == "[Fast][Free]");
    for (const char* sentence : {"\xe2\x80\xa2 Milk", "a \xc2\xb7 b \xc2\xb7 c", "\xe2\x9c\x85 Done",
                                 "I like \xf0\x9f\x8d\x8e apples and \xf0\x9f\x8d\x8c bananas.",
                                 "\xe2\x9d\xa4 I \xe2\x9d\xa4 you \xe2\x9d\xa4"})
        CHECK_MESSAGE(cells(sentence) == "", sentence);
}

TEST_CASE("tabs, leaders and lines to write on divide a line") {
    CHECK(fields("one\ttwo") == "[one][two]");
    CHECK(fields("one\ttwo", false) == "[one\ttwo]");
    CHECK(fields("Signed: ____________________ Date: ____________") == "[Signed:][Date:]");
    CHECK(fields("My name is ______") == "[My name is]");
    CHECK(fields("Chapter 1 ........................ 5") == "[Chapter 1][5]");
    CHECK(fields("Introduction............12") == "[Introduction][12]");
    for (const char* whole : {"Fill in the ______ here.", "I am ______.", "______ is a dog.", "Wait.......... what?",
                              "Wait ... what?", "Stop!!!!! Now!!!!!", "---- Note ----", ""})
        CHECK_MESSAGE(fields(whole) == (*whole ? "[" + std::string(whole) + "]" : ""), whole);
}

TEST_CASE("signs of paths in sentences are found with their blanks") {
    const auto signs = [](std::string_view text) { return in_brackets(text, dragoman::text::path_signs(text)); };
    CHECK(signs("Choose File > Save as, or Edit -> Copy.") == "[ > ][ -> ]");
    CHECK(signs("Wählen Sie \"Datei\" \xe2\x86\x92 \"Öffnen\".") == "[ \xe2\x86\x92 ]");
    CHECK(signs("If x > 5 or A > B or revenue > cost, a->b, \xc2\xab Bonjour \xc2\xbb Paul") == "");
}

TEST_CASE("brackets around all of a sentence are no part of it") {
    CHECK(enclosed("[Please wait.]") == "Please wait.");
    CHECK(enclosed("[Music]") == "Music");
    CHECK(enclosed("*The dog is here.*") == "The dog is here.");
    CHECK(enclosed("**The dog is here.**") == "The dog is here.");
    CHECK(enclosed("_The dog is here._") == "The dog is here.");
    CHECK(enclosed("[The dog is here.") == "The dog is here.");
    CHECK(enclosed("The cat is there.]") == "The cat is there.");
    for (const char* whole : {"[name]", "[1]", "[a] and [b]", "[b]bold[/b]", "[1] The dog", "see [1]", "* item *", "*",
                              "**", "***", "*a* and *b*", "_name_", "f[x]", "[x]", ""})
        CHECK_MESSAGE(enclosed(whole) == whole, whole);
}

TEST_CASE("numbers of lists are told from ordinals") {
    using dragoman::text::begins_with_ordinal;
    using dragoman::text::label_end;
    CHECK(label_end("1. Erster Punkt") == 3);
    CHECK(label_end("12. Öffnen") == 4);
    CHECK(label_end("iv. The fourth point") == 4);
    CHECK(label_end("XII. Ergebnisse") == 5);
    for (const char* none :
         {"1.Punkt", "1. a", "1.5 m", "a. B", "", "1.", "1234. A", "V. Miller", "IIX. A", "xvii", "Ix. A"})
        CHECK_MESSAGE(label_end(none) == 0, none);
    CHECK(begins_with_ordinal("1st first point"));
    CHECK(begins_with_ordinal("22nd point"));
    CHECK_FALSE(begins_with_ordinal("1. First point"));
    CHECK_FALSE(begins_with_ordinal("1 stone"));
    using dragoman::text::loses_stop_of_label;
    CHECK(loses_stop_of_label("2. Log in", "2 anmelden"));
    CHECK_FALSE(loses_stop_of_label("2. Log in", "2. Anmelden"));
    CHECK_FALSE(loses_stop_of_label("2 dogs", "2 Hunde"));
    CHECK_FALSE(loses_stop_of_label("II. Dogs", "II Hunde"));
    using dragoman::text::is_roman_label;
    for (const char* label : {"iv.", "II.", "v."}) CHECK_MESSAGE(is_roman_label(label), label);
    for (const char* other : {"I.", "V.", "ii", ".", "", "1.", "iix."}) CHECK_MESSAGE(!is_roman_label(other), other);
    using dragoman::text::is_counted_noun;
    for (const char* counted : {"Weltkrieg", "Tag", "Mai", "Spieltag", "Platz", "Jahrhundert", "März"})
        CHECK_MESSAGE(is_counted_noun(counted), counted);
    for (const char* heading : {"Grundlagen", "Einleitung", "Methode", "Schauplatz", ""})
        CHECK_MESSAGE(!is_counted_noun(heading), heading);
}

TEST_CASE("boxes and numbers of items are no part of their sentences") {
    const auto lead = [](std::string_view text) { return dragoman::text::sentence_lead(text, {0, text.size()}); };
    CHECK(lead("- [x] 6 Eier kaufen") == 6);
    CHECK(lead("* [ ] Brot holen") == 6);
    CHECK(lead("[X] Done here") == 4);
    CHECK(lead("1) Open the lid.") == 3);
    CHECK(lead("12) 2 batteries") == 4);
    for (const char* none : {"- [x]", "[y] Done", "1) and more", "123) Open", "(1) Open", "1. Open", "5) 6", "[x]y"})
        CHECK_MESSAGE(lead(none) == 0, none);
}

}  // namespace rows_test
