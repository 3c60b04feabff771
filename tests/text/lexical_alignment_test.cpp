// SPDX-License-Identifier: Apache-2.0
#include "text/lexical_alignment.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace dragoman::text::lexical_alignment_test {
namespace {

std::size_t best(const std::vector<float>& weights, std::size_t target, std::size_t sources) {
    const auto row = weights.begin() + std::ptrdiff_t(target * sources);
    return std::size_t(std::max_element(row, row + std::ptrdiff_t(sources)) - row);
}

// "subject verb object" as "subject object verb", of seven words each.
std::vector<WordPair> sentences() {
    std::vector<WordPair> pairs;
    const auto word = [](const char* kind, int number) { return kind + std::to_string(number); };
    for (int s = 0; s < 7; ++s)
        for (int v = 0; v < 7; ++v)
            for (int o = 0; o < 7; ++o)
                pairs.push_back({{word("s", s), word("v", v), word("o", o)},
                                 {word("er", s), word("das", o), word("tut", v)}});
    return pairs;
}

TEST_CASE("words that occur together belong together, whatever their places") {
    const auto pairs = sentences();
    const auto aligned = align_lexically(pairs);
    REQUIRE(aligned.size() == pairs.size());
    const std::size_t expected[] = {0, 2, 1};
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        REQUIRE(aligned[p].size() == 9);
        for (std::size_t t = 0; t < 3; ++t) {
            CHECK(best(aligned[p], t, 3) == expected[t]);
            CHECK(aligned[p][t * 3] + aligned[p][t * 3 + 1] + aligned[p][t * 3 + 2] == doctest::Approx(1));
        }
    }
}

TEST_CASE("where words tell nothing, their places do, and words that begin alike are the same") {
    const std::vector<WordPair> places{{{"a", "b", "c"}, {"x", "y", "z"}}};
    for (std::size_t t = 0; t < 3; ++t) CHECK(best(align_lexically(places)[0], t, 3) == t);
    std::vector<WordPair> alike{{{"Berlins", "Zoo"}, {"ZOO", "berlin"}}};
    for (int i = 0; i < 10; ++i) {
        alike.push_back({{"Berlin"}, {"Berlin"}});
        alike.push_back({{"zoo"}, {"Zoo"}});
    }
    CHECK(best(align_lexically(alike)[0], 0, 2) == 1);
    CHECK(best(align_lexically(alike)[0], 1, 2) == 0);
}

TEST_CASE("pairs without words") {
    const std::vector<WordPair> pairs{{{"gone"}, {}}, {{}, {"weg"}}};
    const auto aligned = align_lexically(pairs);
    REQUIRE(aligned.size() == 2);
    CHECK(aligned[0].empty());
    CHECK(aligned[1].empty());
    CHECK(align_lexically({}).empty());
}

}  // namespace
}  // namespace dragoman::text::lexical_alignment_test
