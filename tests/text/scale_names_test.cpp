// SPDX-License-Identifier: Apache-2.0
#include "text/scale_names.h"

#include <doctest/doctest.h>

#include <string>

namespace scale_names_test {

using namespace dragoman::text;

namespace {

std::string mended(std::string_view source, std::string target, std::string_view from, std::string_view to) {
    apply(scale_names(source, target, from, to), target, {});
    return target;
}

}  // namespace

TEST_CASE("names of powers of ten that say another one elsewhere") {
    CHECK(mended("It costs 2 trillion dollars.", "Es kostet 2 Trillion Dollar.", "en", "de") ==
          "Es kostet 2 Billionen Dollar.");
    CHECK(mended("$34.5 trn or 4bn", "$34,5 Trillion oder 4 Milliarden", "en", "de-AT") ==
          "$34,5 Billionen oder 4 Milliarden");
    CHECK(mended("It costs 1 billion.", "Es kostet 1 Billion.", "en", "de") == "Es kostet 1 Milliarde.");
    CHECK(mended("Es sind 3 Billionen und 5 Milliarden.", "There are 3 billion and 5 billion.", "de", "en") ==
          "There are 3 trillion and 5 billion.");
    CHECK(mended("2,4 Bio. Euro", "2.4 billions euro", "de", "en") == "2.4 trillions euro");
    CHECK(mended("ZWEI BILLIONEN EURO", "TWO BILLION EUROS", "de", "en") == "TWO TRILLION EUROS");
}

TEST_CASE("other names and other languages stay") {
    CHECK(mended("It costs 2 billion.", "Es kostet 2 Milliarden.", "en", "de") == "Es kostet 2 Milliarden.");
    CHECK(mended("5 million of 2 billion", "von 2 Milliarden 5 Millionen", "en", "de") ==
          "von 2 Milliarden 5 Millionen");
    CHECK(mended("2 trillion", "2 trillions", "en", "fr") == "2 trillions");
    CHECK(mended("A lot of money", "Eine Billion Geld", "en", "de") == "Eine Billion Geld");
}

}  // namespace scale_names_test
