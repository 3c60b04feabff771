// SPDX-License-Identifier: Apache-2.0
#include "text/unigram.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "spec/sentencepiece_fields.h"
#include "text/sentencepiece_types.h"

namespace dragoman::text::unigram_test {
namespace {

using Pieces = std::vector<std::string>;
using test::PieceEntry;
using test::texts_of;

Unigram unigram(const std::vector<PieceEntry>& entries, bool byte_fallback = false, const std::string& trainer = {}) {
    return Unigram(PieceTable::read(test::file_of(test::sentencepiece_bytes(entries, PieceTable::kUnigram,
                                                                            byte_fallback, trainer))));
}

Pieces pieces_of(const Unigram& model, std::string_view text) { return texts_of(model.encode(text)); }

constexpr const char* kBegin = "\xe2\x96\x81";

// Scores of n fives are n times that of one, so that all ways have equal sums.
Pieces fives(double begin, double one, const std::string& text) {
    const Unigram model =
        unigram({{kBegin, float(begin)}, {"5", float(one)}, {"55", float(2 * one)}, {"555", float(3 * one)}});
    return pieces_of(model, text);
}

// Recorded from SentencePiece 0.1.97, 0.2.0 and 0.2.1, which agree; 0.2.2 and 0.2.3 have fewer pieces.
TEST_CASE("of equal sums, the one that SentencePiece 0.1.97 to 0.2.1 take") {
    CHECK(fives(-1.03, -1.33, "555555555") == Pieces{kBegin, "555", "5", "5", "5", "555"});
    CHECK(fives(-1.94, -5.98, "555555555") == Pieces{kBegin, "55", "5", "5", "5", "55", "55"});
    CHECK(fives(-1.13, -4.36, "555555555") == Pieces{kBegin, "5", "555", "555", "5", "5"});
    CHECK(fives(-2.73, -1.16, "555555") == Pieces{kBegin, "5", "5", "5", "5", "55"});
}

TEST_CASE("the largest sum") {
    const Unigram model =
        unigram({{kBegin, -2}, {"a", -3}, {"b", -3}, {"ab", -5}, {"aba", -10}, {"never", -1, PieceTable::kUnused}});
    CHECK(pieces_of(model, "abab") == Pieces{kBegin, "ab", "ab"});
    CHECK(pieces_of(model, "aba") == Pieces{kBegin, "ab", "a"});
    CHECK(pieces_of(model, "").empty());
    CHECK(pieces_of(model, "   ").empty());
    CHECK(pieces_of(model, " a  b ") == Pieces{kBegin, "a", kBegin, "b"});
    CHECK(pieces_of(model, "never") == Pieces{kBegin, "never"});  // five unknown characters
}

TEST_CASE("unknown characters: one piece for neighbours, or bytes") {
    const std::vector<PieceEntry> some{{kBegin, -2}, {"a", -3}};
    const auto joined = unigram(some).encode(
        "a\xc3\xa9\xc3\xa8"
        "a");
    REQUIRE(joined.size() == 4);
    CHECK(joined[2].text == "\xc3\xa9\xc3\xa8");
    CHECK_FALSE(joined[2].known);
    CHECK(joined[2].range == Range{1, 5});
    CHECK(joined[3].range == Range{5, 6});
    const auto bytes = unigram(some, true).encode("a\xc3\xa9");
    REQUIRE(bytes.size() == 4);
    CHECK(bytes[2].text == "<0xC3>");
    CHECK(bytes[2].range == Range{1, 1});
    CHECK(bytes[3].text == "<0xA9>");
    CHECK(bytes[3].range == Range{1, 3});
}

TEST_CASE("user-defined pieces are taken before all others") {
    const Unigram model = unigram({{kBegin, -2},
                                   {"a", -1},
                                   {"b", -1},
                                   {"ab", -9, PieceTable::kUserDefined},
                                   {"aba", -9, PieceTable::kUserDefined}});
    CHECK(pieces_of(model, "ab") == Pieces{kBegin, "ab"});
    CHECK(pieces_of(model, "abab") == Pieces{kBegin, "ab", "ab"});  // each as likely as the other
}

// Recorded from tokenizers 0.23.3.
TEST_CASE("of equal sums, the one that tokenizers takes") {
    const auto fives = [](double one, const std::string& text) {
        const std::string in_double = test::number(spec::kSentencePieceSumsInDouble << 3) + test::number(1);
        return pieces_of(unigram({{kBegin, -1.03f}, {"5", float(one)}, {"55", float(2 * one)}, {"555", float(3 * one)}},
                                 false, in_double),
                         text);
    };
    CHECK(fives(-1.33, "555555555") == Pieces{kBegin, "555", "555", "555"});
    CHECK(fives(-5.98, "555555555") == Pieces{kBegin, "5", "55", "55", "55", "55"});
    CHECK(fives(-4.36, "555555555") == Pieces{kBegin, "555", "555", "555"});
    CHECK(fives(-1.16, "555555") == Pieces{kBegin, "55", "55", "55"});
}

}  // namespace
}  // namespace dragoman::text::unigram_test
