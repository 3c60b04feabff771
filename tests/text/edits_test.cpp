// SPDX-License-Identifier: Apache-2.0
#include "text/edits.h"

#include <doctest/doctest.h>

#include <vector>

namespace edits_test {

using namespace dragoman::text;

TEST_CASE("edits change a text and what its tokens stand for") {
    std::string text = "one X1 three";
    std::vector<Range> ranges{{0, 3}, {4, 5}, {5, 6}, {7, 12}};
    const std::vector<Edit> edits{{{0, 0}, "* "}, {{4, 6}, "twenty"}, {{12, 12}, "!"}, {{12, 12}, "?"}};
    apply(edits, text, ranges);
    CHECK(text == "* one twenty three!?");
    CHECK(part(text, ranges[0]) == "* one");
    CHECK(part(text, ranges[1]) == "twenty");
    CHECK(part(text, ranges[2]) == "twenty");
    CHECK(part(text, ranges[3]) == "three!?");
}

TEST_CASE("no edits and no tokens") {
    std::string text = "a b";
    std::vector<Range> ranges{{0, 1}, {2, 3}};
    apply({}, text, ranges);
    CHECK(text == "a b");
    CHECK(ranges == std::vector<Range>{{0, 1}, {2, 3}});
    const std::vector<Edit> edit{{{1, 3}, {}}};
    apply(edit, text, {});
    CHECK(text == "a");
}

}  // namespace edits_test
