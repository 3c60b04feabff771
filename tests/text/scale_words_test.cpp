// SPDX-License-Identifier: Apache-2.0
#include "text/scale_words.h"

#include <doctest/doctest.h>

#include <string>

#include "text/edits.h"

namespace scale_words_test {

using namespace dragoman::text;

namespace {

std::string shown(std::string text, std::string_view language) {
    std::vector<Edit> edits;
    for (const ScaleWord& scale : scale_words(text, language)) edits.push_back({scale.range, scale.word});
    apply(edits, text, {});
    return text;
}

}  // namespace

TEST_CASE("short words for millions and billions") {
    CHECK(shown("Es kostet 3,5 Mrd. Euro.", "de") == "Es kostet 3,5 Milliarden Euro.");
    CHECK(shown("Rund 2 Mio Menschen, 1 Mio. Hunde und 12,4 Mio. \u20ac.", "de-AT") ==
          "Rund 2 Millionen Menschen, 1 Million Hunde und 12,4 Millionen \u20ac.");
    CHECK(shown("Das sind 7 Mrd.", "de") == "Das sind 7 Milliarden.");
    CHECK(shown("500 Tsd. Euro", "de") == "500 Tausend Euro");
    CHECK(shown("It earned $3.5bn and \u00a32m.", "en") == "It earned $3.5 billion and \u00a32 million.");
    CHECK(shown("5 bn people", "en") == "5 billion people");
}

TEST_CASE("what is no number of millions stays") {
    for (const char* text :
         {"The pool is 2m deep.", "It has 5M users.", "a $2mx", "bn", "Mio.", "", "2 m", "$5 m", "3B"})
        CHECK_MESSAGE(shown(text, "en") == text, text);
    for (const char* text : {"Der Mio. Fan", "2 Miol", "Mrd", "$3bn"}) CHECK_MESSAGE(shown(text, "de") == text, text);
    CHECK(shown("2 Mio.", "it") == "2 Mio.");
}

TEST_CASE("short words for trillions, and for hours") {
    CHECK(shown("2,4 Bio. Euro und 3 Mia. Franken", "de") == "2,4 Billionen Euro und 3 Milliarden Franken");
    CHECK(shown("Er dauert 2 Std. 15 Min., dann 1 Std. mehr.", "de") ==
          "Er dauert 2 Stunden 15 Min., dann 1 Stunde mehr.");
    CHECK(shown("$34.5 trn, 48-72 hrs.", "en") == "$34.5 trillion, 48-72 hours.");
    CHECK(shown("from 0900 to 1730 hrs", "en") == "from 0900 to 1730");
}

}  // namespace scale_words_test
