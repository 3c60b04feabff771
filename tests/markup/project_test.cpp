// SPDX-License-Identifier: Apache-2.0
#include "markup/project.h"

#include <doctest/doctest.h>

#include "markup/units.h"
#include "markup/write.h"
#include "text/words.h"

namespace project_test {

using namespace dragoman;
using namespace dragoman::markup;

namespace {

struct Sentence {
    std::string_view target;
    std::vector<text::WordLink> links;  // none: not known
    std::vector<std::string_view> literals{};  // that stand in both texts, once
};

// Writes the translation of a document that is one unit. Its sentences end with "|" in `source_sentences`.
std::string translated(std::string_view source, const std::vector<std::string_view>& source_sentences,
                       const std::vector<Sentence>& sentences) {
    const Units units = html_units(source, "en");
    REQUIRE(units.units.size() == 1);
    const Unit& unit = units.units.front();
    const std::string_view plain = text::part(units.text, unit.plain);
    std::vector<AlignedSentence> aligned;
    std::string target;
    std::size_t at = 0;
    for (std::size_t i = 0; i < sentences.size(); ++i) {
        if (!target.empty()) target += ' ';
        const std::size_t begin = plain.find(source_sentences[i], at);
        REQUIRE(begin != std::string_view::npos);
        at = begin + source_sentences[i].size();
        AlignedSentence one{{begin, at}, {target.size(), target.size() + sentences[i].target.size()}, {}};
        if (!sentences[i].links.empty()) {
            one.words.source = text::words(source_sentences[i]);
            one.words.target = text::words(sentences[i].target);
            one.words.weights.assign(one.words.source.size() * one.words.target.size(), 0.0f);
            std::vector<int> count(one.words.target.size());
            for (const text::WordLink& link : sentences[i].links) ++count.at(link.target);
            for (const text::WordLink& link : sentences[i].links)
                one.words.weights.at(link.target * one.words.source.size() + link.source) = 1.0f /
                                                                                            float(count[link.target]);
        }
        for (const std::string_view literal : sentences[i].literals) {
            const std::size_t from = begin + source_sentences[i].find(literal);
            const std::size_t to = target.size() + sentences[i].target.find(literal);
            one.literals.push_back({{from, from + literal.size()}, {to, to + literal.size()}});
        }
        target += sentences[i].target;
        aligned.push_back(std::move(one));
    }
    const auto places = project(unit, plain, target, aligned);
    return splice(source, {edit(unit, target, places)});
}

std::string one(std::string_view source, std::string_view plain, std::string_view target,
                std::vector<text::WordLink> links) {
    return translated(source, {plain}, {{target, std::move(links)}});
}

}  // namespace

TEST_CASE("tags go with their words") {
    CHECK(one("<p>I saw <b>the dog</b> today.</p>", "I saw the dog today.", "Heute sah ich den Hund.",
              {{4, 0}, {1, 1}, {0, 2}, {2, 3}, {3, 4}, {5, 5}}) == "<p>Heute sah ich <b>den Hund</b>.</p>");
    CHECK(one("a <b>b</b> <i>c</i>", "a b c", "x y z", {{0, 0}, {2, 1}, {1, 2}}) == "x <i>y</i> <b>z</b>");
    CHECK(one("a <b>b <i>c</i></b>", "a b c", "z y x", {{2, 0}, {1, 1}, {0, 2}}) == "<b><i>z</i> y</b> x");
    CHECK(one("<b>a</b> b & <i>c</i>", "a b & c", "x < y z", {{0, 0}, {2, 1}, {1, 2}, {3, 3}}) ==
          "<b>x</b> &lt; y <i>z</i>");
}

TEST_CASE("one interval, though the words are apart") {
    CHECK(one("he <b>gave up</b> it all", "he gave up it all", "er gab das alles auf",
              {{0, 0}, {1, 1}, {3, 2}, {4, 3}, {2, 4}}) == "er <b>gab</b> das alles auf");
    CHECK(one("he <b>really gave up</b> it", "he really gave up it", "er gab wirklich es auf",
              {{0, 0}, {2, 1}, {1, 2}, {4, 3}, {3, 4}}) == "er <b>gab wirklich</b> es auf");
}

TEST_CASE("never inside a word, never empty while words are left") {
    CHECK(one("a <b>F</b>ile here", "a File here", "eine Datei hier", {{0, 0}, {1, 1}, {2, 2}}) ==
          "eine <b>Datei</b> hier");
    CHECK(one("the <b>bird</b> <i>house</i> x", "the bird house x", "das Vogelhaus y",
              {{0, 0}, {1, 1}, {2, 1}, {3, 2}}) == "das <b>Vogelhaus</b> <i>y</i>");
    CHECK(one("x <b>a</b> y", "x a y", "p q", {{0, 0}, {2, 1}}) == "<b>p</b> q");
    CHECK(one("x <b></b> y z", "x y z", "r q p", {{2, 0}, {1, 1}, {0, 2}}) == "r <b></b>q p");
}

TEST_CASE("elements inside a stretch of characters that stays keep theirs") {
    CHECK(translated("<p>See <i>https://</i><b>a.org</b><u>/page</u> now.", {"See https://a.org/page now."},
                     {{"Jetzt https://a.org/page sehen.", {}}}) ==
          "<p>Jetzt <i>https://</i><b>a.org</b><u>/page</u> sehen.");
    CHECK(translated("<p>Call <b>030/12-34</b> now.", {"Call 030/12-34 now."}, {{"Jetzt 030/12-34 anrufen.", {}}}) ==
          "<p>Jetzt <b>030/12-34</b> anrufen.");
    CHECK(translated("<p>Add 2.5<i>x</i> now.", {"Add 2.5x now."}, {{"Jetzt 2,5x dazu.", {{1, 1}}}}) ==
          "<p>Jetzt 2,5<i>x</i> dazu.");
    CHECK(translated("<p>Add 2.5<i>x</i> now.", {"Add 2.5x now."}, {{"Jetzt zwei dazu.", {{1, 1}}}}) ==
          "<p>Jetzt <i>zwei</i> dazu.");
}

TEST_CASE("no element takes all words of another one") {
    CHECK(one("<i>a</i> <b>w h y.</b>", "a w h y.", "y w x h h.", {{3, 0}, {1, 1}, {0, 2}, {2, 3}, {2, 4}, {4, 5}}) ==
          "<b>y w</b> <i>x h h.</i>");
}

TEST_CASE("punctuation stays where it was") {
    CHECK(one("See <a>this</a>, please.", "See this, please.", "Bitte dies, sehen.",
              {{3, 0}, {1, 1}, {1, 2}, {0, 3}, {4, 4}}) == "Bitte <a>dies</a>, sehen.");
    CHECK(one("He said <q>\"No!\"</q> again.", "He said \"No!\" again.", "Er sagte wieder »Nein!«.",
              {{0, 0}, {1, 1}, {6, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {7, 7}}) == "Er sagte wieder <q>»Nein!«</q>.");
    CHECK(one("<b>All of it</b>.", "All of it.", "Alles.", {{0, 0}, {3, 1}}) == "<b>Alles</b>.");
}

TEST_CASE("an element of words is never around a stop alone") {
    CHECK(one("<b>one</b> two!", "one two!", "A B!", {{0, 2}, {1, 0}, {1, 1}}) == "<b>A</b> B!");
}

TEST_CASE("where all words of the source are in elements, so are all of the translation") {
    CHECK(one("<b>here you can see</b> <b>all books.</b>", "here you can see all books.", "hier kann man alle sehen.",
              {{0, 0}, {2, 1}, {1, 2}, {4, 3}, {3, 4}, {6, 5}}) == "<b>hier kann man</b> <b>alle sehen.</b>");
    CHECK(one("<i>a b</i> <b>c</b>", "a b c", "x w y z", {{0, 0}, {1, 2}, {2, 3}}) == "<i>x w y</i> <b>z</b>");
    CHECK(one("<i>a b</i> <b>c</b> d", "a b c d", "x w z y", {{0, 0}, {2, 2}, {3, 3}}) == "<i>x</i> w <b>z</b> y");
    CHECK(one("<b><i>a b</i></b> c", "a b c", "x w y", {{0, 0}, {1, 1}, {2, 2}}) == "<b><i>x w</i></b> y");
}

TEST_CASE("a sign behind its number stays in the element, with a blank before it or without") {
    CHECK(one("cost <b>5 \u20ac</b>!", "cost 5 \u20ac!", "kostet 5 \u20ac!", {{0, 0}, {1, 1}, {2, 2}, {3, 3}}) ==
          "kostet <b>5 \u20ac</b>!");
}

TEST_CASE("prices that stay keep their elements") {
    CHECK(one("cost <s>$20</s> <b>$5</b> now", "cost $20 $5 now", "jetzt $20 $5 kosten",
              {{5, 0}, {1, 1}, {2, 2}, {1, 3}, {4, 4}, {0, 5}}) == "jetzt <s>$20</s> <b>$5</b> kosten");
}

TEST_CASE("points") {
    CHECK(one("press <img> the key", "press the key", "die Taste dr\u00fccken", {{1, 0}, {2, 1}, {0, 2}}) ==
          "<img> die Taste dr\u00fccken");
    CHECK(one("the word<sup><!--n--></sup> ends", "the word ends", "das Ende Wort", {{0, 0}, {2, 1}, {1, 2}}) ==
          "das Ende Wort<sup><!--n--></sup>");
    CHECK(one("use <textarea>x</textarea> for it", "use for it", "nutze es", {{0, 0}, {2, 1}, {1, 1}}) ==
          "nutze <textarea>x</textarea> es");
    CHECK(one("a <b><i>see</i> <a><img></a> it</b>", "a see it", "b c d", {}) == "b <b><i>c</i> <a><img></a> d</b>");
    CHECK(one("the end of <a><textarea>x</textarea></a> it", "the end of it", "it of", {{3, 0}, {2, 1}}) ==
          "<a><textarea>x</textarea></a> it of");
    CHECK(one("see <textarea>x</textarea>.", "see .", "siehe.", {{0, 0}, {1, 1}}) == "siehe <textarea>x</textarea>.");
    CHECK(one("a (<img>b) c", "a (b) c", "c (b) a", {{4, 0}, {1, 1}, {2, 2}, {3, 3}, {0, 4}}) == "c (<img>b) a");
    CHECK(one("a <img> b", "a b", "\u732b\u72ac", {}) == "\u732b<img>\u72ac");
    CHECK(one("a <!--1--><!--2-->b c", "a b c", "z y x", {{2, 0}, {1, 1}, {0, 2}}) == "z <!--1--><!--2-->y x");
}

TEST_CASE("literals stand where the translation has their text") {
    const auto with = [](std::string_view source, std::string_view plain, Sentence sentence) {
        return translated(source, {plain}, {std::move(sentence)});
    };
    CHECK(with("Press <kbd>Ctrl</kbd> to copy.", "Press Ctrl to copy.",
               {"Zum Kopieren Ctrl dr\u00fccken.", {}, {"Ctrl"}}) == "Zum Kopieren <kbd>Ctrl</kbd> dr\u00fccken.");
    CHECK(with("<kbd>a &lt; b</kbd>, x <i>y</i>", "a < b, x y", {"p q, a < b", {{5, 1}}, {"a < b"}}) ==
          "p <i>q</i>, <kbd>a &lt; b</kbd>");
    // An element reaches as far as the literals that it holds, and is not around those of others.
    CHECK(with("a <b>b <kbd>K</kbd></b> c", "a b K c", {"x y K z", {{1, 0}}, {"K"}}) == "<b>x y <kbd>K</kbd></b> z");
    CHECK(with("<b>a</b> <kbd>K</kbd> c", "a K c", {"x K y", {{0, 0}, {0, 1}, {0, 2}}, {"K"}}) ==
          "<b>x</b> <kbd>K</kbd> y");
    CHECK(with("<a><code>K</code></a> b", "K b", {"z K", {{0, 0}, {1, 1}}, {"K"}}) == "z <a><code>K</code></a>");
    CHECK(with("See <a><code>f()</code></a> here.", "See f() here.", {"Siehe hier f().", {{0, 0}, {4, 1}}, {"f()"}}) ==
          "Siehe hier <a><code>f()</code></a>.");
    // Where the element around it cannot hold that: once all the same.
    CHECK(with("<i><code>L</code></i> x <b>b <kbd>K</kbd></b>", "L x b K", {"K L y", {{2, 2}}, {"L", "K"}}) ==
          "<b><kbd>K</kbd></b> <i><code>L</code></i> y");
    // Where the text is not known to be there it takes the place of what it was translated by.
    CHECK(with("Press <kbd>Ctrl</kbd> now.", "Press Ctrl now.",
               {"Jetzt Strg dr\u00fccken.", {{2, 0}, {1, 1}, {0, 2}, {3, 3}}}) ==
          "Jetzt <kbd>Ctrl</kbd> dr\u00fccken.");
    CHECK(with("a <code>K</code> <kbd>M</kbd>", "a K M", {"x", {{0, 0}}}) == "<code>K</code> <kbd>M</kbd> x");
}

TEST_CASE("marks over several sentences") {
    CHECK(translated("a <b>b. C</b> d.", {"a b.", "C d."},
                     {{"x y.", {{0, 0}, {1, 1}, {2, 2}}}, {"u v.", {{1, 0}, {0, 1}, {2, 2}}}}) == "x <b>y. u v</b>.");
    CHECK(translated("a b. <b>C d.</b> E.", {"a b.", "C d.", "E."},
                     {{"x.", {{0, 0}, {2, 1}}}, {"u v.", {{0, 0}, {1, 1}, {2, 2}}}, {"w.", {{0, 0}, {1, 1}}}}) ==
          "x. <b>u v.</b> w.");
}

TEST_CASE("an element that goes on in the next unit ends the translation") {
    const std::string_view source = "one <b>two three<br>four</b> five";
    const Units units = html_units(source, "en");
    REQUIRE(units.units.size() == 2);
    const auto write = [&](const Unit& unit, std::string_view target) {
        const std::string_view plain = text::part(units.text, unit.plain);
        const AlignedSentence sentence{{0, plain.size()}, {0, target.size()}, {}};
        return edit(unit, target, project(unit, plain, target, std::span(&sentence, 1)));
    };
    CHECK(splice(source, {write(units.units[0], "eins zwei drei"), write(units.units[1], "vier sechs")}) ==
          "eins <b>zwei drei<br>vier</b> sechs");
}

TEST_CASE("without an alignment: by length; a copy keeps every place") {
    CHECK(one("a <b>b</b> c d", "a b c d", "w x y z", {}) == "w <b>x</b> y z");
    CHECK(one("a <b>b c</b> d", "a b c d", "w z", {}).find("<b>") != std::string::npos);
    CHECK(one("a <b>b</b><img>c, (<i>d</i>)!", "a bc, (d)!", "a bc, (d)!", {}) == "a <b>bc</b><img>, (<i>d</i>)!");
    CHECK(one("1 a <b>b <i>c</b> d</i> e", "1 a b c d e", "1 v w x y z", {{5, 1}, {4, 2}, {3, 3}, {2, 4}, {1, 5}}) ==
          "1 v <b>w <i>x</b> y</i> z");
}

TEST_CASE("places that make no sense still give tags that nest") {
    const std::string_view source = "a <b>b <i>c</i> <img>d</b> e <u>f</u>";
    const Units units = html_units(source, "en");
    const Unit& unit = units.units.at(0);
    REQUIRE(unit.marks.size() == 4);
    const auto write = [&](std::vector<Range> places) { return splice(source, {edit(unit, "0123456789", places)}); };
    CHECK(write({{5, 2}, {0, 9}, {9, 0}, {3, 4}}) == "012<u>3</u>4<b><i></i> <img></b>56789");
    CHECK(write({{0, 99}, {50, 60}, {99, 99}, {99, 99}}) == "<b>0123456789<i></i> <img></b><u></u>");
    CHECK(write({{2, 4}, {2, 4}, {4, 4}, {3, 6}}) == "01<b><i>23</i> <img></b><u>45</u>6789");
}

TEST_CASE("where elements hold all of the source, they hold the translation's punctuation, too") {
    CHECK(one("<p><b>I know</b> <i>what it is.</i></p>", "I know what it is.", "Ich weiß, was es ist.",
              {{0, 0}, {1, 1}, {2, 3}, {3, 4}, {4, 5}, {5, 6}}) == "<p><b>Ich weiß,</b> <i>was es ist.</i></p>");
    CHECK(one("<p><b>Never</b> <i>open it!</i></p>", "Never open it!", "Öffne es nie!",
              {{0, 2}, {1, 0}, {2, 1}, {3, 3}}) == "<p><i>Öffne es</i> <b>nie!</b></p>");
    CHECK(one("<p><b>I know</b>, <i>it is.</i></p>", "I know, it is.", "Ich weiß, es ist.",
              {{0, 0}, {1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}}) == "<p><b>Ich weiß</b>, <i>es ist.</i></p>");
}

}  // namespace project_test
