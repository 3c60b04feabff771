// SPDX-License-Identifier: Apache-2.0
#include "text/vocabulary.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace dragoman::text::vocabulary_test {
namespace {

using Tokens = std::vector<std::string>;
using Ids = std::vector<uint32_t>;

TEST_CASE("tokens and ids") {
    const Vocabulary vocabulary({"<unk>", "a", "bc", "\xe2\x96\x81\xd0\xb4"}, "<unk>");
    CHECK(vocabulary.size() == 4);
    CHECK(vocabulary.unk_id() == 0);
    CHECK(vocabulary.find("bc") == 2u);
    CHECK_FALSE(vocabulary.find("b").has_value());
    CHECK_FALSE(vocabulary.find("bcd").has_value());
    CHECK_FALSE(vocabulary.find("").has_value());
    CHECK(vocabulary.id("bc") == 2);
    CHECK(vocabulary.id("nowhere") == 0);
    CHECK(vocabulary.token(3) == "\xe2\x96\x81\xd0\xb4");
    CHECK(vocabulary.ids(Tokens{"bc", "x", "a"}) == Ids{2, 0, 1});
    CHECK(vocabulary.tokens(Ids{3, 0}) == Tokens{"\xe2\x96\x81\xd0\xb4", "<unk>"});
    CHECK(vocabulary.ids({}).empty());
    CHECK_THROWS_AS(vocabulary.token(4), Error);
}

TEST_CASE("a missing unknown token becomes the last one") {
    const Vocabulary vocabulary({"a", "b"}, "[UNK]");
    CHECK(vocabulary.size() == 3);
    CHECK(vocabulary.unk_id() == 2);
    CHECK(vocabulary.token(2) == "[UNK]");
    CHECK(vocabulary.id("[UNK]") == 2);
    CHECK(Vocabulary({}, "u").size() == 1);
}

TEST_CASE("a repeated token is found at its first place and printed at both") {
    const Vocabulary vocabulary({"a", "b", "a", "c", ""}, "b");
    CHECK(vocabulary.size() == 5);
    CHECK(vocabulary.id("a") == 0);
    CHECK(vocabulary.id("c") == 3);
    CHECK(vocabulary.id("") == 4);
    CHECK(vocabulary.token(2) == "a");
    CHECK(vocabulary.unk_id() == 1);
}

TEST_CASE("a vocabulary that moved still finds its tokens, the short ones too") {
    std::vector<Vocabulary> kept;
    for (int i = 0; i < 9; ++i) kept.push_back(Vocabulary({"x" + std::to_string(i), std::string(100, 'y')}, "u"));
    for (int i = 0; i < 9; ++i) {
        CHECK(kept[i].id("x" + std::to_string(i)) == 0);
        CHECK(kept[i].id(std::string(100, 'y')) == 1);
        CHECK(kept[i].id("u") == 2);
    }
}

}  // namespace
}  // namespace dragoman::text::vocabulary_test
