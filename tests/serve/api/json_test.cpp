// SPDX-License-Identifier: Apache-2.0
#include "serve/json.h"

#include <doctest/doctest.h>

#include <string>

namespace json_test {
using namespace serve;

std::string mended(const std::string& json) { return without_lone_surrogates(json).value_or("as it was"); }

TEST_CASE("Halves of pairs of surrogates are no characters") {
    CHECK(mended(R"("a\ud83d")") == R"("a\ufffd")");
    CHECK(mended(R"("\ude00b")") == R"("\ufffdb")");
    CHECK(mended(R"(["\uD800", "\uDFFF", "\udbff\ud83d\ude00"])") == R"(["\ufffd", "\ufffd", "\ufffd\ud83d\ude00"])");
    CHECK(mended(R"("\ude00\ud83d")") == R"("\ufffd\ufffd")");
    CHECK(mended(R"({"\ud83d": "\\\ud83d\n"})") == R"({"\ufffd": "\\\ufffd\n"})");
}

TEST_CASE("What is whole, and what is escaped itself, stays") {
    for (const char* json : {R"("\ud83d\ude00")", R"("\\ud83d")", R"("\\\\ude00")", R"("\u00e4\ud7ff\ue000")",
                             R"("\uD83D\uDE00")", R"("\ud8")", R"("\ud83")", R"("\u-d83")", "\\", "", "{}"}) {
        CAPTURE(json);
        CHECK(mended(json) == "as it was");
    }
}

TEST_CASE("Clients' JSON") {
    CHECK(parse_leniently(R"(["Nice work \ud83d", "\ud83d\ude00"])") ==
          Json::array({"Nice work \xef\xbf\xbd", "\xf0\x9f\x98\x80"}));
    CHECK(parse_leniently(R"({"a": 1})") == Json{{"a", 1}});
    for (const char* wrong : {R"(["\ud83d")", "", R"("\ud8")"}) {
        CAPTURE(wrong);
        CHECK(parse_leniently(wrong).is_discarded());
    }
}

}  // namespace json_test
