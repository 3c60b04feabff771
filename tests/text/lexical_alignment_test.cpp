// SPDX-License-Identifier: Apache-2.0
#include "text/lexical_alignment.h"

#include <doctest/doctest.h>

#include <algorithm>

namespace dragoman::text {
namespace {

std::size_t best(const std::vector<float>& weights, std::size_t target, std::size_t sources) {
    const auto row = weights.begin() + std::ptrdiff_t(target * sources);
    return std::size_t(std::max_element(row, row + std::ptrdiff_t(sources)) - row);
}

TEST_CASE("what pairs of sentences tell about their words") {
    const std::vector<WordPair> pairs{{{"the", "house"}, {"das", "Haus"}},
                                      {{"the", "book"}, {"das", "Buch"}},
                                      {{"a", "book"}, {"ein", "Buch"}},
                                      {{"today", "Tom", "reads", "the", "book"}, {"das", "Buch", "liest", "Tom", "heute"}},
                                      {{"Tom", "reads", "today"}, {"heute", "liest", "Tom"}},
                                      {{"he", "reads"}, {"er", "liest"}},
                                      {{"gone"}, {}},
                                      {{}, {"weg"}}};
    const auto aligned = align_lexically(pairs);
    REQUIRE(aligned.size() == pairs.size());
    const std::size_t expected[] = {3, 4, 2, 1, 0};
    for (std::size_t t = 0; t < 5; ++t) CHECK(best(aligned[3], t, 5) == expected[t]);
    for (std::size_t p = 0; p < 6; ++p) {
        const std::size_t sources = pairs[p].source.size();
        REQUIRE(aligned[p].size() == sources * pairs[p].target.size());
        for (std::size_t t = 0; t < pairs[p].target.size(); ++t) {
            float sum = 0;
            for (std::size_t s = 0; s < sources; ++s) sum += aligned[p][t * sources + s];
            CHECK(sum == doctest::Approx(1));
        }
    }
    CHECK(aligned[6].empty());
    CHECK(aligned[7].empty());
    CHECK(align_lexically({}).empty());
}

}  // namespace
}  // namespace dragoman::text
