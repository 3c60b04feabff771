// SPDX-License-Identifier: Apache-2.0
#include "text/roman_numerals.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace roman_numerals_test {

using namespace dragoman::text;

TEST_CASE("Roman numerals and their values") {
    using Cases = std::initializer_list<std::pair<const char*, const char*>>;
    for (const auto& [text, wanted] : Cases{{"World War II and World War I", "II=2 I=1 "},
                                            {"Louis XIV, XVI and XXXIX", "XIV=14 XVI=16 XXXIX=39 "},
                                            {"Ludwig XIV. und Karl IX.", "XIV=14 IX=9 "},
                                            {"I like Part V of it.", "V=5 "},
                                            {"I and X are letters", ""},
                                            {"VIP, XXL, IIX, VV, XIII-X, iX, IIII, XXXX", ""}}) {
        std::string all;
        for (const RomanNumeral& numeral : roman_numerals(text))
            all += std::string(part(text, numeral.range)) + "=" + std::to_string(numeral.value) + " ";
        CHECK(all == wanted);
    }
}

}  // namespace roman_numerals_test
