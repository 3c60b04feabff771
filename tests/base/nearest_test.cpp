// SPDX-License-Identifier: Apache-2.0
#include "base/nearest.h"

#include <doctest/doctest.h>

namespace nearest_test {

using namespace dragoman;

TEST_CASE("the edit distance is the least number of changes") {
    CHECK(edit_distance("", "") == 0);
    CHECK(edit_distance("abc", "") == 3);
    CHECK(edit_distance("", "abc") == 3);
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("ab", "ba") == 2);
    CHECK(edit_distance("same", "same") == 0);
}

TEST_CASE("the nearest names come first, equally near ones in their order") {
    const std::vector<std::string> names = {"encoder.weight", "decoder.weight", "output.weight", "output.bias"};
    CHECK(nearest_names("outptu.weight", names, 2) == std::vector<std::string>{"output.weight", "encoder.weight"});
    CHECK(nearest_names("", names, 9).size() == 4);
    CHECK(nearest_names("x", {}, 3).empty());
    // Beginnings alone count in long names.
    const std::string begin(128, 'x');
    const std::vector<std::string> longer = {"y" + begin, begin + std::string(500, 'z')};
    CHECK(nearest_names(begin, longer, 1) == std::vector<std::string>{longer[1]});
}

}  // namespace nearest_test
