// SPDX-License-Identifier: Apache-2.0
#include "text/piece_rules.h"

#include <doctest/doctest.h>

#include "formats/sentencepiece_map.h"

namespace dragoman::text::piece_rules_test {
namespace {

// "a" becomes "x", "ab" becomes "yz".
PieceRules rules(bool of_clusters) {
    const test::SentencepieceMap map = test::small_map();
    constexpr std::size_t kHead = 4;  // the size of what follows
    return {.rules = spec::DoubleArray(map.bytes().substr(kHead, map.units.size() * 4)),
            .texts = map.texts,
            .dummy_prefix = false,
            .removes_spaces = false,
            .of_clusters = of_clusters,
            .symbols = {"ab!"}};
}

TEST_CASE("SentencePiece takes the longest rule") {
    CHECK(rules(false).normalize("cab").text == "cyz");
    CHECK(rules(false).normalize("a\u0301ba").text == "x\u0301bx");
    CHECK(rules(false).normalize("ab!ab").text == "ab!yz");
}

// Recorded from tokenizers 0.23.3, but for the symbol.
TEST_CASE("tokenizers takes a rule for each character, and the first one for a short cluster") {
    for (const auto& [given, normal] : {std::pair("ab", "xb"),
                                        {"cab", "cxb"},
                                        {"a\u0301", "x"},
                                        {"a\u0301\u0301\u0301b", "x\u0301\u0301\u0301b"},
                                        {"aab", "xxb"},
                                        {"ba", "bx"},
                                        {"\u0301a", "\u0301x"},
                                        {"c\u0301a", "c\u0301x"},
                                        {"ab!ab", "ab!xb"},
                                        {"", ""}}) {
        CAPTURE(given);
        CHECK(rules(true).normalize(given).text == normal);
    }
    const auto normal = rules(true).normalize("ba\u0301c");
    CHECK(normal.text == "bxc");
    CHECK(normal.source == std::vector<uint32_t>{0, 1, 4, 5});
}

}  // namespace
}  // namespace dragoman::text::piece_rules_test
