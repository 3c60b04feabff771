// SPDX-License-Identifier: Apache-2.0
#include "text/hour_rest.h"

#include <doctest/doctest.h>

#include <string>

namespace hour_rest_test {

using namespace dragoman::text;

namespace {

std::string mended(std::string_view source, std::string target) {
    apply(hour_rests(source, target), target, {});
    return target;
}

}  // namespace

TEST_CASE("what is left of a.m. and p.m. behind another word goes") {
    CHECK(mended("Call us at 9 a.m.", "Ruf uns um 9 Uhr an.m.") == "Ruf uns um 9 Uhr an.");
    CHECK(mended("I get up at 6 A.M.", "Ich stehe um 6 Uhr auf.m.") == "Ich stehe um 6 Uhr auf.");
    CHECK(mended("Call us between 9 a.m. and 5 p.m.", "Ruft uns zwischen 9 Uhr an.m. und 17 Uhr.") ==
          "Ruft uns zwischen 9 Uhr an und 17 Uhr.");
    CHECK(mended("Do you get up at 6 p. m.?", "Stehst du um 18 Uhr auf.m.?") == "Stehst du um 18 Uhr auf?");
    CHECK(mended("\"At 6 a.m.\"", "\"Um 6 Uhr an.m.\"") == "\"Um 6 Uhr an.\"");
    CHECK(mended("At 6 a.m. or 7 a.m.", "Um 6 an.m. oder 7 ab.m.") == "Um 6 an oder 7 ab.");
}

TEST_CASE("other dots stay") {
    for (const char* target : {"At 9 a.m.", "9 a.m", "www.m.de", "u.m.a.", "an.m4a", "z.m."})
        CHECK(mended("At 9 a.m.", target) == target);
    CHECK(mended("It is at 9.", "Es ist um 9 an.m.") == "Es ist um 9 an.m.");
    CHECK(mended("Spam. My dog.", "Es ist an.m.") == "Es ist an.m.");
    CHECK(mended("At 9 a.m.", "an.m. an.m.") == "an an.m.");  // one mark, one rest
}

TEST_CASE("the mark's stop goes in front of a zone of time") {
    CHECK(mended("It begins at 4:20 a.m. EDT today.", "Es beginnt heute um 4:20 Uhr. EDT.") ==
          "Es beginnt heute um 4:20 Uhr EDT.");
    CHECK(mended("Come at 5 p.m. NASA waits.", "Komm um 17 Uhr. NASA wartet.") == "Komm um 17 Uhr NASA wartet.");
    CHECK(mended("Come at 5 p.m. He waits.", "Komm um 17 Uhr. Er wartet.") == "Komm um 17 Uhr. Er wartet.");
    CHECK(mended("Come at 5 p.m. CET.", "Komm um 17 Uhr. MEZ.") == "Komm um 17 Uhr. MEZ.");
}

}  // namespace hour_rest_test
