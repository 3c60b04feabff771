// SPDX-License-Identifier: Apache-2.0
#include "text/regex.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

#include "base/error.h"

namespace dragoman::text::regex_test {
namespace {

// ICU keeps a state for each repetition: a fixed limit refuses what any text may have.
TEST_CASE("regular expressions: a run of a million characters is found, whatever repeats it") {
    const std::vector<int32_t> blanks(1'000'000, ' ');
    for (const char* expression : {" {2,}", "(?: )+", "\\s+$"}) {
        CAPTURE(expression);
        CHECK(Regex(expression).find_all(blanks) == std::vector<Range>{{0, blanks.size()}});
    }
}

TEST_CASE("regular expressions: what takes more and more steps for each character is refused") {
    std::vector<int32_t> letters(60, 'a');
    letters.push_back('b');
    CHECK_THROWS_AS(Regex("(?:a+)+$").find_all(letters), Error);
}

}  // namespace
}  // namespace dragoman::text::regex_test
