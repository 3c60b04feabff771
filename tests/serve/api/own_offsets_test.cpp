// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "serve/api/own/own.h"
#include "serve/api/own/offsets.h"

namespace own_offsets_test {
using serve::api::own_exact;
using serve::api::own_unit;
using serve::api::OwnPlaces;
using serve::api::OwnUnit;

// "a", two bytes, three bytes, four bytes (two units of UTF-16), "b"
const std::string kText =
    "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80"
    "b";

TEST_CASE("Places in each unit") {
    const OwnPlaces bytes(kText, OwnUnit::bytes), points(kText, OwnUnit::codepoints), units(kText, OwnUnit::utf16);
    const std::size_t at[] = {0, 1, 3, 6, 10, 11}, points_at[] = {0, 1, 2, 3, 4, 5}, units_at[] = {0, 1, 2, 3, 5, 6};
    for (std::size_t i = 0; i < std::size(at); ++i) {
        CHECK(bytes.at(at[i]) == at[i]);
        CHECK(points.at(at[i]) == points_at[i]);
        CHECK(units.at(at[i]) == units_at[i]);
    }
    CHECK(units.at(1000) == 6);
    CHECK(bytes.at(1000) == 11);
    CHECK(OwnPlaces("", OwnUnit::utf16).at(0) == 0);
}

TEST_CASE("Long texts are counted as a whole, wherever a place lies") {
    std::string text;
    for (int i = 0; i < 200; ++i) text += kText;
    const OwnPlaces places(text, OwnUnit::utf16);
    for (std::size_t i = 0; i <= 200; ++i) {
        CHECK(places.at(i * kText.size()) == i * 6);
        if (i < 200) CHECK(places.at(i * kText.size() + 10) == i * 6 + 5);
    }
    const std::string block(128, 'x');  // ends where a mark stands
    CHECK(OwnPlaces(block, OwnUnit::codepoints).at(128) == 128);
}

TEST_CASE("The unit is the client's choice") {
    CHECK(own_unit({}) == OwnUnit::bytes);
    CHECK(own_unit({{"offsets", "utf16"}}) == OwnUnit::utf16);
    CHECK(own_unit({{"offsets", "codepoints"}}) == OwnUnit::codepoints);
    CHECK_THROWS_AS(own_unit({{"offsets", "words"}}), serve::Problem);
}

TEST_CASE("Floats are written with their own digits") {
    CHECK(own_exact(0.1f) == 0.1);
    CHECK(own_exact(-1.5e-7f) == -1.5e-7);
    CHECK(static_cast<float>(own_exact(0.123456789f)) == 0.123456789f);
}

}  // namespace own_offsets_test
