// SPDX-License-Identifier: Apache-2.0
#include "text/bracket_pairs.h"

#include <doctest/doctest.h>

namespace bracket_pairs_test {

namespace {

std::string mended(std::string_view source, std::string translation) {
    dragoman::text::apply(dragoman::text::bracket_pairs(source, translation), translation, {});
    return translation;
}

}  // namespace

TEST_CASE("brackets that do not pair become the source's") {
    CHECK(mended("The king [of France] is old.", "Der K\u00f6nig (von Frankreich] ist alt.") ==
          "Der K\u00f6nig [von Frankreich] ist alt.");
    CHECK(mended("a (b) [c]", "a (b] (c]") == "a (b) [c]");
    CHECK(mended("a [b [c]]", "a [b (c]]") == "a [b [c]]");
}

TEST_CASE("brackets stay that pair, or whose source's do not") {
    CHECK(mended("a [b]", "a (b)") == "a (b)");
    CHECK(mended("in (0, 1]", "in (0, 1]") == "in (0, 1]");
    CHECK(mended("a [b", "a (b]") == "a (b]");
    CHECK(mended("a b", "a (b]") == "a (b]");
    CHECK(mended("a [b]", "a (b") == "a (b");
    CHECK(mended("", "") == "");
}

}  // namespace bracket_pairs_test
