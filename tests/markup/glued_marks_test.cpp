// SPDX-License-Identifier: Apache-2.0
#include "markup/glued_marks.h"

#include <doctest/doctest.h>

#include <string>

#include "markup/project.h"
#include "markup/units.h"
#include "markup/write.h"

namespace glued_marks_test {

using namespace dragoman;
using namespace dragoman::markup;

namespace {

std::string plain(std::string_view source, Literals literals = Literals::named) {
    const Units units = html_units(source, "en", literals);
    REQUIRE(units.units.size() == 1);
    return std::string(text::part(units.text, units.units.front().plain));
}

// The document with its own text, but for `from`, which becomes `to`, as the translation.
std::string with(std::string_view source, std::string_view from, std::string_view to) {
    const Units units = html_units(source, "en", Literals::named);
    const std::string_view text = text::part(units.text, units.units.front().plain);
    std::string target(text);
    target.replace(target.find(from), from.size(), to);
    AlignedSentence sentence{{0, text.size()}, {0, target.size()}, {}};
    for (const Mark& mark : units.units.front().marks) {
        if (mark.kind != Mark::Kind::literal) continue;
        const std::string_view name = text::part(text, mark.plain);
        const std::size_t at = target.find(name);
        sentence.literals.push_back({mark.plain, {at, at + name.size()}});
    }
    const auto places = project(units.units.front(), text, target, std::span(&sentence, 1));
    return splice(source, {edit(units.units.front(), target, places)});
}

}  // namespace

TEST_CASE("marks of notes are no text, and stay behind their word") {
    CHECK(plain("<p>in Vienna<sup>1</sup> then</p>") == "in Vienna then");
    CHECK(plain("<p>a house<sup><a href=\"#n2\">[2]</a></sup>, red</p>") == "a house, red");
    CHECK(plain("<p>very old<a href=\"#f\">1</a>.</p>") == "very old.");
    CHECK(plain("<p>the word<sup>a</sup> and the name<sup>*</sup></p>") == "the word and the name");
    CHECK(plain("<p>it ends.<sup>1, 3</sup> So</p>") == "it ends. So");
    CHECK(plain("<p><sup>1</sup> See there</p>") == "See there");
    CHECK(plain("<p><sup>1</sup>See there</p>") == "See there");
    CHECK(plain("<p>a house <sup>1</sup> is red <sup>2</sup>.</p>") == "a house is red.");
    CHECK(with("<p>a house <sup>1</sup> is red <sup>2</sup>.</p>", "house", "Haus") ==
          "<p>a Haus <sup>1</sup> is red <sup>2</sup>.</p>");
    CHECK(plain("<p>Brand<sup>TM</sup> new</p>") == "Brand new");
    CHECK(with("<p>in Vienna<a href=\"#1\"><sup>1</sup></a><a href=\"#2\"><sup>2</sup></a> then</p>", "Vienna",
               "Wien") == "<p>in Wien<a href=\"#1\"><sup>1</sup></a><a href=\"#2\"><sup>2</sup></a> then</p>");
    CHECK(with("<p>in Vienna<sup>1</sup> then.</p>", "Vienna", "Wien") == "<p>in Wien<sup>1</sup> then.</p>");
    CHECK(with("<p>very old<b><a href=\"#f\">1</a></b>.</p>", "old", "alt") ==
          "<p>very alt<b><a href=\"#f\">1</a></b>.</p>");
    CHECK(with("<p><sup>1</sup> See there</p>", "See", "Siehe") == "<p><sup>1</sup> Siehe there</p>");
}

TEST_CASE("units and formulas are words that stay") {
    CHECK(plain("<p>20 m<sup>2</sup> large</p>") == "20 {_1} large");
    CHECK(plain("<p>20 m<sup>2</sup> large</p>", Literals::in_text) == "20 m2 large");
    CHECK(plain("<p>20 m<sup>2</sup> large</p>", Literals::as_points) == "20 m large");
    CHECK(plain("<p>drink H<sub>2</sub>O, not H<sub>2</sub>SO<sub>4</sub>.</p>") == "drink {_2}, not {_1}.");
    CHECK(plain("<p>E = mc<sup>2</sup> is it</p>") == "E = {_1} is it");
    CHECK(plain("<p>9.81 m/s<sup>2</sup> here</p>") == "9.81 {_1} here");
    CHECK(plain("<p>about 10<sup>-3</sup> of it</p>") == "about {_1} of it");
    CHECK(plain("<p>the <sup>238</sup>U here</p>") == "the {_1} here");
    CHECK(plain("<p>so<sup>2</sup> it is</p>") == "so it is");
    CHECK(plain("<p>5 in<sup>2</sup> of it</p>") == "5 {_1} of it");
    CHECK(with("<p>20 m<sup>2</sup> large</p>", "large", "gro\u00df") == "<p>20 m<sup>2</sup> gro\u00df</p>");
    CHECK(with("<p>drink H<sub>2</sub>O, now</p>", "drink", "trink") == "<p>trink H<sub>2</sub>O, now</p>");
    CHECK(with("<p>20 <b>m<sup>2</sup></b> large</p>", "large", "gro\u00df") ==
          "<p>20 <b>m<sup>2</sup></b> gro\u00df</p>");
    CHECK(plain("<p>20 &micro;m<sup>2</sup> large</p>") == "20 {_1} large");
    CHECK(plain("<p>is 3&times;10<sup>8</sup> m</p>") == "is {_1} m");
    CHECK(plain("<p>is 5&middot;10<sup>-3</sup> kg</p>") == "is {_1} kg");
    CHECK(plain("<p>is 2&#183;10<sup>3</sup>&times;b m</p>") == "is {_1} m");
    for (const char* formula : {"3&times;10<sup>8</sup>", "5&middot;10<sup>-3</sup>", "2&#xb7;10<sup>3</sup>&times;b"})
        CHECK(with(std::string("<p>it is ") + formula + " large</p>", "large", "gro\u00df") ==
              std::string("<p>it is ") + formula + " gro\u00df</p>");
}

TEST_CASE("parts of an amount go with it, in the notation of the translation") {
    CHECK(plain("<p>Only $1,299.<sup>99</sup> now</p>") == "Only $1,299.99 now");
    CHECK(plain("<p>in 1804.<sup>12</sup> So</p>") == "in 1804. So");
    CHECK(with("<p>Only $1,299.<sup>99</sup> now</p>", "$1,299.99", "1.299,99 $") ==
          "<p>Only 1.299,<sup>99</sup> $ now</p>");
    CHECK(with("<p>It is $<b>5</b>.<i>50</i> now</p>", "$5.50", "5,50 $") == "<p>It is <b>5</b>,<i>50</i> $ now</p>");
    const std::string price = "<p>Only <b>$1,299</b>.<sup>99</sup> now</p>";
    CHECK(with(price, "$1,299.99", "1.299,99 $") == "<p>Only <b>1.299</b>,<sup>99</sup> $ now</p>");
    CHECK(with(price, "$1,299.99", "$1.299,99") == "<p>Only <b>$1.299</b>,<sup>99</sup> now</p>");
    CHECK(with("<p>It is <b>$5</b> now</p>", "$5", "5 $") == "<p>It is <b>5 $</b> now</p>");
    CHECK(with("<p>It is <b>5 \u20ac</b> now</p>", "5 \u20ac", "\u20ac5") == "<p>It is <b>\u20ac5</b> now</p>");
}

TEST_CASE("other elements that touch words are text") {
    CHECK(plain("<p>a <b>F</b>ile</p>") == "a File");
    CHECK(plain("<p>the 21<sup>st</sup> century</p>") == "the 21st century");
    CHECK(plain("<p>see note <a href=\"#2\">2</a> there</p>") == "see note 2 there");
    CHECK(plain("<p>all file<b>s</b> here</p>") == "all files here");
    CHECK(plain("<p><b>Windows</b><i>new</i> x</p>") == "Windows new x");
}

TEST_CASE("the raised end of a word is around the same end, or behind the word") {
    CHECK(with("<p>the 21<sup>st</sup> century</p>", "21st", "21.") == "<p>the 21.<sup></sup> century</p>");
    CHECK(with("<p>the 21<b>st</b> century</p>", "21st", "21.") == "<p>the 21.<b></b> century</p>");
    CHECK(with("<p><b>1<sup>st</sup></b> prize</p>", "1st", "1.") == "<p><b>1.<sup></sup></b> prize</p>");
    CHECK(with("<p>the <b>21st</b> century</p>", "21st", "21.") == "<p>the <b>21.</b> century</p>");
    CHECK(with("<p>the 21<sup>st</sup>.</p>", "21st", "21") == "<p>the 21.<sup></sup></p>");
    CHECK(with("<p>the 21<sup>st</sup> century</p>", "century", "siecle") == "<p>the 21<sup>st</sup> siecle</p>");
}

}  // namespace glued_marks_test
