// SPDX-License-Identifier: Apache-2.0
#include "text/numbers.h"

#include <doctest/doctest.h>

#include <string>

using namespace dragoman::text;

namespace {

std::string list(std::string_view text, const std::vector<Number>& numbers) {
    std::string all;
    for (const Number& number : numbers) all += (all.empty() ? "" : "|") + std::string(part(text, number.range));
    return all;
}

std::string changes(std::string_view source, std::string_view target) {
    const NumberChanges found = compare_numbers(source, target);
    return list(source, found.missing) + " -> " + list(target, found.extra);
}

const std::string kNone = " -> ";

}  // namespace

TEST_CASE("numbers with their separators and signs") {
    const std::string text =
        "On 30th May 2020 at 17:30, \xe2\x82\xac"
        "1.234,56 or 5 % of $3bn, 2:0.";
    CHECK(list(text, numbers(text)) ==
          "30|2020|17:30|\xe2\x82\xac"
          "1.234,56|5 %|$3|2:0");
    CHECK(numbers(text)[3].digits == "123456");
    CHECK(part(text, numbers(text)[3].figures) == "1.234,56");
    CHECK(numbers("none").empty());
}

TEST_CASE("formats may differ, numbers may not") {
    CHECK(changes("1,234.56", "1.234,56") == kNone);
    CHECK(changes("He has 2 dogs and 12 cats.", "Er hat zwei Hunde.") == kNone);
    CHECK(changes("At 5:30 pm.", "Um 17:30 Uhr.") == kNone);
    CHECK(changes("At 5 pm.", "Um 17 Uhr.") == kNone);
    CHECK(changes("On 30th September", "Am 37. September") == "30 -> 37");
    CHECK(changes("They won 2:0.", "Sie gewannen 1:00.") == "2:0 -> 1:00");
    CHECK(changes("In 1999 and 1999.", "In 1999.") == "1999 -> ");
    CHECK(changes("100 and 200", "200") == "100 -> ");
    CHECK(changes("no number", "since 1999") == kNone);
}

TEST_CASE("a currency is kept as a sign or a word") {
    CHECK(changes("\xe2\x82\xac"
                  "50",
                  "50 Euro") == kNone);
    CHECK(changes("It costs 50%.", "Es kostet 50 Prozent.") == kNone);
    CHECK(changes("\xe2\x82\xac"
                  "50",
                  "50") ==
          "\xe2\x82\xac"
          "50 -> ");
}
