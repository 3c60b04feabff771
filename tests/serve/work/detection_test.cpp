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

TEST_CASE("a guess that is the target counts where it is clear") {
    const Models models(serving());
    const auto source = [&](const std::vector<Guess>& guesses, const std::string& to) {
        const std::optional<Guess> found = source_of(models, guesses, to);
        return found ? std::pair(found->tag, found->confidence) : std::pair(std::string(), -1.0);
    };
    CHECK(source({{"de", 0.95}, {"en", 0.05}}, "de") == std::pair(std::string("de"), 0.95));
    CHECK(source({{"de", 0.74}, {"en", 0.2}}, "de") == std::pair(std::string("en"), 0.2));
    CHECK(source({{"de", 0.74}}, "de") == std::pair(std::string("en"), 0.0));
    CHECK(source({{"de", 0.3}, {"en", 0.2}}, "en") == std::pair(std::string("de"), 0.3));
    CHECK(source({}, "en").second == -1);
    // Where nothing else leads there.
    const test::TempDir folder;
    const Models one(serving({tiny(folder, "de", "en")}));
    CHECK(source_of(one, {{"de", 0.4}}, "de")->tag == "de");
    CHECK_FALSE(source_of(one, {{"en", 0.99}}, "de"));
}

}  // namespace detection_test
