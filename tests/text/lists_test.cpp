// SPDX-License-Identifier: Apache-2.0
#include "text/lists.h"

#include <doctest/doctest.h>

#include <string>

#include "support/in_brackets.h"

namespace lists_test {

using dragoman::test::in_brackets;

namespace {

std::string alternatives(std::string_view text) {
    return in_brackets(text, dragoman::text::alternatives(text, {0, text.size()}));
}

std::string items(std::string_view text) { return in_brackets(text, dragoman::text::items(text, {0, text.size()})); }

}  // namespace

TEST_CASE("alternatives are texts of their own") {
    CHECK(alternatives("Male/Female") == "[Male][Female]");
    CHECK(alternatives("Haus/Garten/Stra\u00dfe") == "[Haus][Garten][Stra\u00dfe]");
    CHECK(alternatives("First name / Last name:") == "[First name][Last name:]");
    CHECK(alternatives("(red/green/blue)") == "[red][green][blue]");
    CHECK(alternatives("yes/no?") == "[yes][no?]");
    for (const char* text :
         {"km/h", "TCP/IP", "n/a", "I/O", "Mitarbeiter/innen", "Sch\u00fcler/-in", "application/json", "24/7",
          "src/lib/text", "/usr/bin", "the red/blue house", "House", "a house / a big red dog", "https://example.org/a",
          "//", "word/", "\u65e5/\u6708", "USA/Kanada", ""})
        CHECK_MESSAGE(alternatives(text) == "", text);
}

TEST_CASE("items of lists between commas, and words that come again") {
    CHECK(items("London, Paris") == "[London][Paris]");
    CHECK(items("apple, traffic light, cherry.") == "[apple][traffic light][cherry.]");
    CHECK(items("mother Mother") == "[mother][Mother]");
    CHECK(items("no no no") == "[no][no][no]");
    CHECK(items("Danke, danke, danke!") == "[Danke][danke][danke!]");
    CHECK(items("Cat, dog and MOUSE!") == "[Cat][dog and MOUSE!]");
    CHECK(items("sit, on the mat") == "");
    for (const char* text : {"London", "no", "I saw a dog, a cat and a mouse.", "1, 2, 3", "no yes no", "no... no",
                             ", a, b", "New York New York", "\u6771 \u6771", "milk, {name}, bread", "a a a", "!", ""})
        CHECK_MESSAGE(items(text) == "", text);
}

TEST_CASE("a translation loses items if it has fewer words, or far more") {
    const auto loses = [](std::string_view text, std::string_view translation) {
        return dragoman::text::loses_items(text, {0, text.size()}, translation);
    };
    CHECK(loses("London, Paris", "London"));
    CHECK(loses("no no no", "Nein, nein!"));
    CHECK(loses("cy cy cy cy cy", "cycl-Zy-Zy-Zy-Zy-Zy"));
    CHECK(loses("London, Paris", "so so so so so so so"));
    CHECK(loses("ui ui ui", "UI UI ui ui"));
    CHECK(loses("Cat, cat and CAT!", "Katze und CAT!"));
    CHECK(loses("milk, bread and tea", "Milch, Brot"));
    CHECK_FALSE(loses("milk, bread and tea", "Milch, Brot und Tee"));
    CHECK_FALSE(loses("ui ui ui", "UI UI ui"));
    CHECK_FALSE(loses("danke danke", "thank you thank you"));
    CHECK_FALSE(loses("London, Paris", "London, Paris"));
    CHECK_FALSE(loses("Yes, please", "Ja bitte"));
    CHECK_FALSE(loses("London, Paris", "\u4f26\u6566\u3001\u5df4\u9ece"));
    CHECK_FALSE(loses("I saw a dog, a cat and a mouse.", ""));
}

// Each would be searched to the end of the document.
TEST_CASE("many sentences of a long text take linear time") {
    const std::string one = "a house where nobody was\t";
    std::string text;
    for (int i = 0; i < 400'000; ++i) text += one;
    for (std::size_t at = 0; at < text.size(); at += one.size())
        CHECK_FALSE(dragoman::text::loses_items(text, {at, at + one.size() - 1}, "ein Haus"));
}

}  // namespace lists_test
