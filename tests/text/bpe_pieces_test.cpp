// SPDX-License-Identifier: Apache-2.0
#include "text/bpe_pieces.h"

#include <doctest/doctest.h>
#include <sentencepiece_processor.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "text/sentencepiece.h"
#include "text/sentencepiece_types.h"
#include "text/split_pieces.h"

namespace dragoman::text::bpe_pieces_test {
namespace {

using Pieces = std::vector<std::string>;
using test::PieceEntry;

constexpr const char* kBegin = "\xe2\x96\x81";
const std::string kClef = "\xf0\x9d\x84\x9e";  // U+1D11E

BpePieces bpe(const std::vector<PieceEntry>& entries) {
    return BpePieces(PieceTable::read(test::file_of(test::sentencepiece_bytes(entries, PieceTable::kBpe))));
}

TEST_CASE("BPE: the best score is joined first, of equal ones the first in the text") {
    const BpePieces model = bpe({{kBegin, -9}, {"a", -9}, {"b", -9}, {"ab", -2}, {"aa", -1}, {"aab", -3}});
    CHECK(test::texts_of(model.encode("aab")) == Pieces{kBegin, "aab"});
    CHECK(test::texts_of(model.encode("aaaab")) == Pieces{kBegin, "aa", "aab"});
    CHECK(test::texts_of(model.encode("aaa")) == Pieces{kBegin, "aa", "a"});
    CHECK(test::texts_of(model.encode("")).empty());
    CHECK(test::texts_of(model.encode("  ")).empty());
}

TEST_CASE("BPE: a piece that is not in use falls apart again, into those that it was joined of") {
    const BpePieces model = bpe({{"a", -9},
                                 {"b", -9},
                                 {"c", -9},
                                 {"ab", -1, PieceTable::kUnused},
                                 {"abc", -2, PieceTable::kUnused},
                                 {"abcc", -3}});
    CHECK(test::texts_of(model.encode("abcc")) == Pieces{kBegin, "abcc"});
    CHECK(test::texts_of(model.encode("abca")) == Pieces{kBegin, "a", "b", "c", "a"});
}

// A model of random pieces: letters, an unknown one, ties, pieces that are not in use, user-defined ones, bytes.
struct Random {
    std::mt19937 random;
    std::size_t below(std::size_t n) { return random() % n; }
    std::string text(std::size_t most) {
        const std::string letters[]{"a", "b", "5", " ", "\xc3\xa9", "\xe6\xb0\xb4", kClef, "  ", "aa", "\xcc\x81"};
        std::string text;
        for (std::size_t i = below(most + 1); i > 0; --i) text += letters[below(std::size(letters))];
        return text;
    }
    std::vector<PieceEntry> entries() {
        std::vector<std::string> texts{kBegin, "a", "b", "5", "\xc3\xa9"};
        for (std::size_t i = 0; i < 30; ++i) {
            const std::string joined = texts[below(texts.size())] + texts[below(texts.size())];
            if (std::ranges::find(texts, joined) == texts.end()) texts.push_back(joined);
        }
        std::vector<PieceEntry> found;
        for (const std::string& text : texts) {
            const std::size_t kind = below(12);
            found.push_back({text, -float(below(9)),
                             kind == 0   ? PieceTable::kUnused
                             : kind == 1 ? PieceTable::kUserDefined
                                         : PieceTable::kNormal});
        }
        return found;
    }
};

Pieces of_library(const std::string& file, const std::string& text) {
    sentencepiece::SentencePieceProcessor library;
    REQUIRE(library.LoadFromSerializedProto(file).ok());
    Pieces pieces;
    REQUIRE(library.Encode(text, &pieces).ok());
    return pieces;
}

TEST_CASE("pieces of BPE, words and characters are the library's") {
    Random random{std::mt19937(35)};
    std::size_t long_ones = 0;
    for (int round = 0; round < 300; ++round) {
        const bool bytes = random.below(3) == 0;
        auto entries = random.entries();
        if (bytes) entries = test::with_byte_pieces(std::move(entries));
        for (const auto type : {PieceTable::kBpe, PieceTable::kWords, PieceTable::kCharacters}) {
            const std::string file = test::sentencepiece_bytes(entries, type, bytes);
            PieceTable table = PieceTable::read(test::file_of(file));
            std::unique_ptr<const PieceModel> model;
            if (type == PieceTable::kBpe) model = std::make_unique<BpePieces>(std::move(table));
            else model = std::make_unique<SplitPieces>(std::move(table));
            const std::string text = random.text(30);
            CAPTURE(text);
            CAPTURE(type);
            const std::vector<Piece> found = model->encode(text);
            CHECK(test::texts_of(found) == of_library(file, text));
            for (const Piece& piece : found) {
                CHECK(piece.range.end <= text.size());
                long_ones += piece.known && piece.text.size() > 3;
            }
        }
    }
    CHECK(long_ones > 100);
}

// A library that copies a run for each of its characters takes minutes.
TEST_CASE("BPE, words and characters: runs of unknown characters take linear time") {
    std::string text;
    for (std::size_t i = 0; i < 1'500'000; ++i) text += kClef;
    const std::vector<PieceEntry> entries{{kBegin, -1}, {"a", -2}};
    for (const auto type : {PieceTable::kBpe, PieceTable::kWords, PieceTable::kCharacters}) {
        const SentencePiece model(test::file_of(test::sentencepiece_bytes(entries, type)));
        CHECK(model.encode(text).tokens == (type == PieceTable::kWords ? Pieces{kBegin + text} : Pieces{kBegin, text}));
    }
}

}  // namespace
}  // namespace dragoman::text::bpe_pieces_test
