// SPDX-License-Identifier: Apache-2.0
#include "text/currency_signs.h"

#include <doctest/doctest.h>

#include <string>

#include "text/compare_numbers.h"

namespace currency_signs_test {

using namespace dragoman::text;

namespace {

std::string mended(std::string_view source, std::string target, const char* from = "en", const char* to = "de") {
    const NumberNotations notations{number_notation(from), number_notation(to)};
    apply(compare_numbers(source, target, notations).edits, target, {});
    return target;
}

}  // namespace

TEST_CASE("every price has its currency where another one has it") {
    CHECK(mended("We paid $3.50 for coffee and $12.75 for lunch.",
                 "Wir zahlten 3,50 f\xc3\xbcr Kaffee und $12,75 mittags.") ==
          "Wir zahlten $3,50 f\xc3\xbcr Kaffee und $12,75 mittags.");
    CHECK(mended("Coffee is $3.50, lunch in the city is $12.75.",
                 "Kaffee kostet 3.50, Mittagessen dort kostet 12,75 $.") ==
          "Kaffee kostet 3,50 $, Mittagessen dort kostet 12,75 $.");
    CHECK(mended("It costs between \xe2\x82\xac"
                 "5 and \xe2\x82\xac"
                 "10.",
                 "Es kostet zwischen 5 und \xe2\x82\xac"
                 "10.") ==
          "Es kostet zwischen \xe2\x82\xac"
          "5 und \xe2\x82\xac"
          "10.");
    CHECK(mended("1.200 \xe2\x82\xac im ersten Jahr, danach 900 \xe2\x82\xac.",
                 "\xe2\x82\xac"
                 "1,200 in the first year, then 900.",
                 "de", "en") ==
          "\xe2\x82\xac"
          "1,200 in the first year, then \xe2\x82\xac"
          "900.");
}

TEST_CASE("a sign that stands by no number comes back to one") {
    CHECK(mended("The rent is \xe2\x82\xac"
                 "850 to \xe2\x82\xac"
                 "1,100 a month.",
                 "Die Miete ist 850 bis 1.100 einen Monat im Jahr \xe2\x82\xac.") ==
          "Die Miete ist 850 bis 1.100 \xe2\x82\xac einen Monat im Jahr.");
}

TEST_CASE("a sign and a minus that is written anew do not meet") {
    for (const char* target : {"$7.25, dann \xe2\x80\x94"
                               "3.50",
                               "$7,25, dann --3.50", "$7,25, dann -3.50"}) {
        const std::string found = mended("$7.25, then -$3.50.", target);
        CHECK(found.starts_with("$7,25, dann "));
        CHECK(found.ends_with("3,50"));
    }
}

TEST_CASE("prices may share a sign, or have a word for it") {
    const std::string_view source = "It is $9 to $12.";
    for (const char* target : {"Es kostet 9 bis 12 $.", "Es sind 9 $ bis 12 $.", "Es sind 9 oder 12 $.",
                               "Es sind $9 bis 12.", "Es sind 9 Dollar bis $12.", "9 Dollar bis 12 Dollar"})
        CHECK(mended(source, target) == target);
    for (const char* target :
         {"3 Mio. $ und 5 $", "3 Millionen $ und 5 $", "US$ 3 und 5 $", "3 Dollar und dann noch einmal 5 $"})
        CHECK(mended("$3 million and $5", target) == target);
    CHECK(mended("$5, and 7 more days", "$5 und 7 weitere Tage") == "$5 und 7 weitere Tage");
    CHECK(mended("about 5 or \xe2\x82\xac"
                 "10",
                 "etwa 5 oder 10 \xe2\x82\xac") == "etwa 5 oder 10 \xe2\x82\xac");
}

}  // namespace currency_signs_test
