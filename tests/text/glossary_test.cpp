// SPDX-License-Identifier: Apache-2.0
#include "text/glossary.h"

#include <doctest/doctest.h>

#include <fstream>
#include <sstream>

#include "base/error.h"

namespace dragoman::text::glossary_test {
namespace {

// "term=target/target" of what is found.
std::string found(const Glossary& glossary, std::string_view text) {
    std::string result;
    for (const GlossaryMatch& match : glossary.find(text)) {
        result += (result.empty() ? "" : "; ") + std::string(part(text, match.range)) + "=";
        for (const std::string& target : match.targets) result += (result.ends_with('=') ? "" : "/") + target;
    }
    return result;
}

std::string refused(std::string_view bytes, std::string_view from = {}, std::string_view to = {}) try {
    const Glossary glossary(read_glossary(bytes, from, to));
    return "";
} catch (const Error& error) {
    CHECK(error.status() == Status::invalid_argument);
    return error.what();
}

const Glossary& list() {
    static const Glossary glossary(
        read_glossary("house\tHaus\n"
                      "house rules\tHausordnung|Hausregeln\n"
                      "NATO\tNATO-Bündnis\n"
                      "apple\tApfel\texact\n"
                      "über\tabove\tpart\n"
                      "東京\tTokio\n"
                      "straße\tstreet\n"));
    return glossary;
}

TEST_CASE("terms are found at the borders of words, the longest first") {
    CHECK(found(list(), "A house, two houses, housework: house.") == "house=Haus; house=Haus");
    CHECK(found(list(), "The house rules: no house.") == "house rules=Hausordnung/Hausregeln; house=Haus");
    CHECK(found(list(), "house  \n rules, house-rules") == "house  \n rules=Hausordnung/Hausregeln; house=Haus");
    CHECK(found(list(), "(house) \"house\" house's") == "house=Haus; house=Haus; house=Haus");
    CHECK(found(list(), "gegenüber, über uns") == "über=above; über=above");
    CHECK(found(list(), "私は東京に行く") == "東京=Tokio");
    CHECK(found(list(), "") == "");
}

TEST_CASE("capitals of a term count where it has them inside, and go over") {
    CHECK(found(list(), "House") == "House=Haus");
    CHECK(found(list(), "HOUSE RULES") == "HOUSE RULES=Hausordnung/Hausregeln/HAUSORDNUNG/HAUSREGELN");
    CHECK(found(list(), "nato, Nato and NATO") == "NATO=NATO-Bündnis");
    CHECK(found(list(), "Apple, apple") == "apple=Apfel");
    CHECK(found(list(), "Straße") == "Straße=street/Street");
    CHECK(found(list(), "STRASSE") == "");
}

TEST_CASE("tables: tabs, or commas with quotes, notes and a header") {
    const Glossary csv(
        read_glossary("\xef\xbb\xbfSource,Target,Case\r\n"
                      "# a note\r\n"
                      "\"salt, common\",\"Salz, \"\"einfach\"\"\"\r\n"
                      "\r\n"
                      "a\\b,x\\|y|z,exact,part\r\n"));
    CHECK(csv.size() == 2);
    CHECK(found(csv, "salt, common") == "salt, common=Salz, \"einfach\"");
    CHECK(found(csv, "xa\\bx") == "a\\b=x|y/z");
    CHECK(found(Glossary(read_glossary("a\tb\na\tc\n")), "a") == "a=c");
    CHECK(Glossary(read_glossary("a\tb\n")).fingerprint() != Glossary(read_glossary("a\tc\n")).fingerprint());
}

TEST_CASE("TBX, old and new, with what is forbidden and what stays") {
    constexpr std::string_view kOld = R"(<?xml version="1.0"?>
<martif type="TBX"><text><body>
<termEntry><langSet xml:lang="en-US"><tig><term>screen &amp; bell</term></tig></langSet>
  <langSet xml:lang="de"><tig><term>Bildschirm</term></tig>
  <tig><term>Schirm</term><termNote type="administrativeStatus">forbidden</termNote></tig></langSet>
  <langSet xml:lang="fr"><tig><term>écran</term></tig></langSet></termEntry>
<termEntry><langSet xml:lang="en"><ntig><termGrp><term>Dragoman</term>
  <termNote type="translationNote">no</termNote></termGrp></ntig></langSet></termEntry>
</body></text></martif>)";
    CHECK(found(Glossary(read_glossary(kOld, "en", "de")), "screen & bell, Dragoman") ==
          "screen & bell=Bildschirm; Dragoman=Dragoman");
    CHECK(found(Glossary(read_glossary(kOld, "en", "fr")), "screen & bell") == "screen & bell=écran");
    constexpr std::string_view kNew = R"(<tbx><text><body><conceptEntry id="1">
<langSec xml:lang="en"><termSec><term>bell</term></termSec></langSec>
<langSec xml:lang="de"><termSec><term>Glocke</term></termSec><termSec><term>Klingel</term></termSec></langSec>
</conceptEntry></body></text></tbx>)";
    CHECK(found(Glossary(read_glossary(kNew, "en", "de")), "a bell") == "bell=Glocke/Klingel");
}

TEST_CASE("what is wrong with a glossary is said with its line") {
    CHECK(refused("a\tb\nc\n") == "glossary, line 2: expected a term and a target, got 1 cell");
    CHECK(refused("a,\"b\n") == "glossary, line 1: a quotation mark that nothing closes");
    CHECK(refused("a\tb\tblue\n").find("got \"blue\"") != std::string::npos);
    CHECK(refused("a\t \n").find("entry 1: expected a term and a target") != std::string::npos);
    CHECK(refused("a\t" + std::string(1025, 'x') + "\n").find("at most 1024 bytes, got 1025") != std::string::npos);
    CHECK(refused("a\t\xff\n").find("byte 2") != std::string::npos);
    CHECK(refused("<tbx>", "en", "de").find("line 1") != std::string::npos);
    CHECK(refused("<tbx/>").find("expected two of them") != std::string::npos);
    // Entities that grow without end are no glossary, either.
    std::string bomb = "<?xml version=\"1.0\"?><!DOCTYPE t [<!ENTITY a \"aaaaaaaaaa\">";
    for (char c = 'b'; c <= 'k'; ++c) {
        bomb += "<!ENTITY " + std::string(1, c) + " \"";
        for (int i = 0; i < 10; ++i) bomb += "&" + std::string(1, char(c - 1)) + ";";
        bomb += "\">";
    }
    CHECK(refused(bomb + "]><t>&k;</t>", "en", "de") != "");
}

}  // namespace
}  // namespace dragoman::text::glossary_test
