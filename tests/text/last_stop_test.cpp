// SPDX-License-Identifier: Apache-2.0
#include "text/last_stop.h"

#include <doctest/doctest.h>

#include <string>

namespace last_stop_test {

using namespace dragoman::text;

namespace {

std::string mended(std::string_view source, std::string target) {
    apply(last_stop(source, target), target, {});
    return target;
}

}  // namespace

TEST_CASE("a stop that was part of an hour's mark is put back") {
    CHECK(mended("He slept until 7 a.m.", "Er schlief bis 7 Uhr") == "Er schlief bis 7 Uhr.");
    CHECK(mended("Rufen Sie vor 18.56 Uhr an!", "Call before 18:56") == "Call before 18:56!");
    CHECK(mended("Um 15 Uhr?", "At 3 pm") == "At 3 pm?");
}

TEST_CASE("other ends stay") {
    CHECK(mended("9 a.m. to 5 p.m.", "9 bis 17 Uhr") == "9 bis 17 Uhr");
    CHECK(mended("Open at 9", "Offen um 9 Uhr") == "Offen um 9 Uhr");
    CHECK(mended("It is 9.", "Es ist 9.") == "Es ist 9.");
    CHECK(mended("It is late.", "Es ist die Uhr") == "Es ist die Uhr");
    CHECK(mended("And then 9...", "Und dann 9") == "Und dann 9");
    CHECK(mended("", "9") == "9");
}

}  // namespace last_stop_test
