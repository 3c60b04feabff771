// SPDX-License-Identifier: Apache-2.0
// TMX: what is read of it, what is refused by name, and that what is written is read again.
#include <doctest/doctest.h>

#include "base/error.h"
#include "tm/translation_memory.h"
#include "tm/tmx.h"
#include "support/temp_dir.h"

namespace dragoman::tm {
bool operator==(const Segment& a, const Segment& b) { return a.language == b.language && a.text == b.text; }
}  // namespace dragoman::tm

namespace tmx_test {

using namespace dragoman;
using namespace dragoman::tm;
using test::TempDir;
using Units = std::vector<std::vector<Segment>>;

namespace {

Units read(std::string_view bytes) {
    Units units;
    read_tmx(bytes, [&](std::vector<Segment> unit) { units.push_back(std::move(unit)); });
    return units;
}

std::string in_tmx(std::string_view body, std::string_view before = "") {
    return std::string(before) + "<tmx version=\"1.4\"><header/><body>" + std::string(body) + "</body></tmx>";
}

std::string refused(std::string_view bytes) {
    try {
        read(bytes);
    } catch (const Error& error) {
        CHECK(error.status() == Status::invalid_argument);
        return error.what();
    }
    return "nothing was thrown";
}

bool says(const std::string& message, std::string_view part) {
    CAPTURE(message);
    return message.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("units are read in all their languages, without what is code") {
    const Units units = read(in_tmx(
        R"(<tu tuid="1"><note>not this</note><prop type="x">nor this</prop>
             <tuv xml:lang="en-US"><prop type="y">nor that</prop><seg>
               Press <bpt i="1">&lt;b <sub>bold</sub>&gt;</bpt><hi type="x">the <ph>{1}</ph>button</hi><ept i="1"/> &amp; wait. </seg></tuv>
             <tuv lang="de"><seg>Knopf dr&#252;cken<it pos="begin">x</it><ut>y</ut>.</seg></tuv></tu>
           <tu><tuv xml:lang="fr"><seg/></tuv><tuv xml:lang="es"><seg>a</seg></tuv></tu>)",
        "<?xml version=\"1.0\"?><!DOCTYPE tmx SYSTEM \"tmx14.dtd\">"));
    REQUIRE(units.size() == 2);
    CHECK(units[0] == std::vector<Segment>{{"en-US", "Press the button & wait."}, {"de", "Knopf dr\u00fccken."}});
    CHECK(units[1] == std::vector<Segment>{{"fr", ""}, {"es", "a"}});
}

TEST_CASE("other encodings") {
    const std::string latin = "<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>" +
                              in_tmx("<tu><tuv xml:lang=\"de\"><seg>\xfc</seg></tuv></tu>");
    CHECK(read(latin)[0][0].text == "\u00fc");
    std::string utf16 = "\xff\xfe";
    for (const char c : in_tmx("<tu><tuv xml:lang=\"de\"><seg>abc</seg></tuv></tu>")) utf16 += {c, '\0'};
    CHECK(read(utf16)[0][0].text == "abc");
}

TEST_CASE("what is broken or dangerous is refused, with its line") {
    CHECK(says(refused(""), "TMX, line 1: no element found"));
    CHECK(says(refused("<html/>"), "expected the element tmx, got html"));
    CHECK(says(refused("<tmx>\n<body>\n</tmx>"), "TMX, line 3: mismatched tag"));
    CHECK(says(refused(in_tmx("<tu>&nbsp;</tu>")), "undefined entity"));
    CHECK(says(refused("<tmx><body>\xff</body></tmx>"), "not well-formed"));
    std::string bomb = "<?xml version=\"1.0\"?>\n<!DOCTYPE tmx [\n<!ENTITY a \"aaaaaaaaaa\">\n";
    for (char c = 'b'; c < 'k'; ++c)
        bomb += fmt::format("<!ENTITY {} \"&{};&{};&{};&{};\">\n", c, char(c - 1), char(c - 1), char(c - 1),
                            char(c - 1));
    CHECK(says(refused(bomb + "]>" + in_tmx("<tu><tuv xml:lang=\"en\"><seg>&j;</seg></tuv></tu>")),
               "TMX, line 3: expected no entities but XML's, got a declaration of \"a\""));
    CHECK(says(refused("<!DOCTYPE tmx [<!ENTITY x SYSTEM \"file:///etc/hostname\">]>" + in_tmx("<tu>&x;</tu>")),
               "got a declaration of \"x\""));
    std::string deep = "<tmx>";
    for (int i = 0; i < 100; ++i) deep += "<body>";
    CHECK(says(refused(deep), "at most 64 deep"));
}

TEST_CASE("a segment that is too long leaves its unit out") {
    const std::string large(100'000, 'x');
    const Units units = read(in_tmx("<tu><tuv xml:lang=\"en\"><seg>" + large +
                                    "</seg></tuv></tu>"
                                    "<tu><tuv xml:lang=\"en\"><seg>y</seg></tuv></tu>"));
    REQUIRE(units.size() == 1);
    CHECK(units[0][0].text == "y");
}

TEST_CASE("what is written is read again") {
    const TempDir folder;
    const auto path = folder.path() / "memory.tmx";
    const Units units{{{"en", "a < b & \"c\" > d\r\n\te"}, {"zh-Hant", "\u5b57\U0001f600"}},
                      {{"en", std::string("bell\a and null\0.", 16)}, {"de", "x"}}};
    write_tmx_file(path, units);
    const std::string text = test::read_file(path);
    Units expected = units;
    expected[1][0].text = "bell and null.";
    CHECK(read(text) == expected);
    Units from_file;
    read_tmx_file(path, [&](std::vector<Segment> unit) { from_file.push_back(std::move(unit)); });
    CHECK(from_file == expected);
    CHECK_THROWS_WITH_AS(read_tmx_file(folder.path() / "none", [](auto) {}), doctest::Contains("none"), Error);
    const auto broken = folder.write("broken.tmx", "<tmx>\n<body>");
    CHECK_THROWS_WITH_AS(read_tmx_file(broken, [](auto) {}), doctest::Contains("broken.tmx: TMX, line 2"), Error);
    CHECK_THROWS_WITH_AS(write_tmx_file(folder.path() / "no" / "x.tmx", units), doctest::Contains("x.tmx"), Error);
}

TEST_CASE("a memory records each translation once, and a broken file adds nothing to it") {
    const TempDir folder;
    Memory memory({.record = true});
    for (int i = 0; i < 3; ++i) memory.record({"en", "one"}, {"de", "eins"});
    memory.record({"en", "one"}, {"de", "ein"});
    CHECK(memory.stats().recorded == 2);
    const auto path = folder.path() / "x.tmx";
    memory.write_tmx(path);
    const std::string written = test::read_file(path);
    CHECK(says(written, "<tu usagecount=\"3\">"));
    CHECK(says(written, "<tu>"));
    Memory other({});
    CHECK(other.load_tmx(path) == 2);
    CHECK(other.exact({}, *spec::LanguageTag::find("de"), "one") == "ein");
    CHECK(other.stats().exact == 1);
    CHECK_THROWS_AS(
        other.read_tmx(
            in_tmx("<tu><tuv xml:lang=\"en\"><seg>a</seg></tuv><tuv xml:lang=\"de\"><seg>b</seg></tuv></tu>") + "<"),
        Error);
    CHECK(other.stats().segments == 2);
    other.clear();
    CHECK_FALSE(other.has_segments());
    CHECK_THROWS_WITH_AS(Memory({.min_similarity = 0}), doctest::Contains("min_similarity: 0"), Error);
}

}  // namespace tmx_test
