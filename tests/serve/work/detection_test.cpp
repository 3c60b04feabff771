// SPDX-License-Identifier: Apache-2.0
#include "serve/work/detection.h"

#include <doctest/doctest.h>

#include "serve/work/service.h"

namespace detection_test {

using namespace service_test;

TEST_CASE("the language of texts, among those that are served") {
    const Models models(serving());
    const auto first = [&](const std::vector<std::string>& texts) {
        const std::vector<Guess> guesses = detect(models, texts);
        return guesses.empty() ? std::string() : guesses.front().tag;
    };
    CHECK(first({"Wo ist der nächste Bahnhof?"}) == "de");
    CHECK(first({"Where is the next station?"}) == "en");
    CHECK(first({"Guten Tag"}) == "de");
    CHECK(first({"", "Ich gehe heute nicht in die Schule, weil ich krank bin."}) == "de");
    CHECK(first({"Das Haus ist alt.", "Wir wohnen seit vielen Jahren darin.", "OK"}) == "de");
    CHECK(first({"\xed\x95\x9c\xea\xb5\xad\xec\x96\xb4 \xeb\xac\xb8\xec\x9e\xa5\xec\x9e\x85\xeb\x8b\x88\xeb\x8b\xa4"})
              .empty());
    CHECK(first({"123", "!!", "\xf0\x9f\x98\x80"}).empty());
    CHECK(first({}).empty());
    std::string much;
    while (much.size() < 300'000) much += "Der Zug fährt über die Brücke. ";
    const std::vector<Guess> guesses = detect(models, {much, much});
    REQUIRE(!guesses.empty());
    CHECK(guesses.size() <= 3);
    CHECK(guesses.front().tag == "de");
    CHECK(guesses.front().confidence > 0.9);
    CHECK(guesses.front().confidence <= 1);
    CHECK(is(problem_of([&] { (void)detect(models, {"ab\xff"}); }), Problem::Kind::bad_request));
}

}  // namespace detection_test
