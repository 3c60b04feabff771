// SPDX-License-Identifier: Apache-2.0
#include "text/word_piece.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "support/refused.h"

namespace word_piece_test {

using namespace dragoman;
using namespace dragoman::text;

namespace {

const std::vector<std::string> kVocabulary = {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "a",  "b",   "ab",
                                              "##b",   "##ab",  "play",  "##ing", "!",  "駅",  "は",
                                              "é",     "e",     "É",     "i",     "##̇", "##a", "-"};

std::string joined(const TokenizedText& found) {
    std::string line;
    for (const std::string& token : found.tokens) line += (line.empty() ? "" : " ") + token;
    return line;
}

TokenizedText encode(std::string_view text, spec::WordPieceSpec spec = {}) {
    spec.used = true;
    return WordPiece(spec, kVocabulary).encode(text);
}

}  // namespace

TEST_CASE("words become the longest pieces, or one unknown token") {
    CHECK(joined(encode("playing")) == "play ##ing");
    CHECK(joined(encode("abab abb")) == "ab ##ab ab ##b");
    CHECK(joined(encode("playx x a")) == "[UNK] [UNK] a");
    CHECK(joined(encode("")).empty());
    CHECK(joined(encode(" \t\r\n")).empty());
    CHECK(joined(encode("a!b-a")) == "a ! b - a");
    CHECK(joined(encode("a駅はb")) == "a 駅 は ##b");  // kana are no ideographs
    CHECK(joined(encode("駅 は")) == "駅 は");
    CHECK(joined(encode("a駅b", {.chinese_characters = false})) == "[UNK]");
    CHECK(joined(encode("abab", {.most_characters = 4})) == "ab ##ab");
    CHECK(joined(encode("ababa", {.most_characters = 4})) == "[UNK]");
}

TEST_CASE("case and accents as the file says") {
    CHECK(joined(encode("PLAYING")) == "[UNK]");
    CHECK(joined(encode("PLAYING", {.lower_case = true})) == "play ##ing");
    CHECK(joined(encode("É", {.strip_accents = true, .lower_case = true})) == "e");
    CHECK(joined(encode("É", {.lower_case = true})) == "é");
    CHECK(joined(encode("e\u0301", {.strip_accents = true})) == "e");
    CHECK(joined(encode("\u0130", {.lower_case = true})) == "i ##\u0307");
    CHECK(joined(encode("\u0130", {.strip_accents = true, .lower_case = true})) == "i");
}

TEST_CASE("controls and other white space") {
    const std::string text("a\0\u200b\ufffdb\u00a0a\u3000b", 16);
    CHECK(joined(encode(text)) == "ab a b");
    CHECK(joined(encode("a\u0085b")) == "ab");
    CHECK(joined(encode("a\u0085b", {.clean = false})) == "a b");
}

TEST_CASE("ranges are bytes of the text, and cover it") {
    const std::string text = "  Pla\u0301ying\u00ad, 駅!";
    const TokenizedText found = encode(text, {.strip_accents = true, .lower_case = true});
    CHECK(joined(found) == "play ##ing [UNK] 駅 !");
    REQUIRE(found.ranges.size() == 5);
    CHECK(part(text, found.ranges[0]) == "Pla\u0301y");
    CHECK(part(text, found.ranges[1]) == "ing\u00ad");
    CHECK(part(text, found.ranges[2]) == ",");
    CHECK(part(text, found.ranges[3]) == "駅");
    CHECK(part(text, found.ranges[4]) == "!");
}

TEST_CASE("tokens to text, and text that is not UTF-8") {
    const WordPiece pieces({.used = true}, kVocabulary);
    const std::vector<std::string> tokens = {"play", "##ing", "a", "!"};
    const DetokenizedText found = pieces.decode(tokens);
    CHECK(found.text == "playing a !");
    CHECK(found.ranges[1] == Range{4, 7});
    test::check_refused(Status::invalid_argument, {"expected UTF-8, byte 1 is 0xff"}, [&] { pieces.encode("a\xff"); });
}

}  // namespace word_piece_test
