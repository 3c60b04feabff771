// SPDX-License-Identifier: Apache-2.0
#include "text/detect_language.h"

#include <doctest/doctest.h>

#include <string>

namespace dragoman::text::detect_language_test {
namespace {

std::string best(std::string_view text, std::span<const spec::LanguageTag> expected = {}) {
    const auto guesses = detect_language(text, expected);
    return guesses.empty() ? "und" : guesses.front().language.str();
}

TEST_CASE("languages of sentences") {
    CHECK(best("Wo ist der Bahnhof, und wann fährt der letzte Zug nach Hamburg?") == "de");
    CHECK(best("The station is behind the church, and the last train leaves at ten.") == "en");
    CHECK(best("Le dernier train pour Paris part à dix heures du soir.") == "fr");
    CHECK(best("El último tren sale a las diez de la noche desde la estación.") == "es");
    CHECK(best("Последний поезд отправляется в десять часов вечера.") == "ru");
    CHECK(best("最后一班火车晚上十点出发。") == "zh");
    CHECK(best("最終電車は夜十時に出ます。") == "ja");
    CHECK(best("마지막 기차는 밤 열 시에 출발합니다.") == "ko");
    CHECK(best("Το τελευταίο τρένο φεύγει στις δέκα.") == "el");
    CHECK(best("הרכבת האחרונה יוצאת בעשר בלילה.") == "he");
}

TEST_CASE("function words tell the language of short sentences with a foreign word") {
    CHECK(best("La tua password non è corretta") == "it");
    CHECK(best("Il server non risponde") == "it");
    CHECK(best("Der Account ist gesperrt") == "de");
    CHECK(best("Your password is not correct") == "en");
    const spec::LanguageTag expected[] = {*spec::LanguageTag::find("en"), *spec::LanguageTag::find("de")};
    for (const spec::LanguageGuess& guess : detect_language("La tua password non è corretta", expected))
        CHECK((guess.language.str() != "it" || guess.probability < 0.8f));
    // The probabilities of all answers are those of one choice.
    for (const char* text : {"La tua password non è corretta", "Il server non risponde", "Hello", "Tak"}) {
        float sum = 0;
        for (const spec::LanguageGuess& guess : detect_language(text)) sum += guess.probability;
        CHECK(sum <= 1.001f);
    }
}

TEST_CASE("nothing to tell a language by") {
    for (const char* text : {"", "   ", "12:30", "?!", "\xf0\x9f\x98\x80"}) CHECK(best(text) == "und");
}

TEST_CASE("expected languages are likelier, and exclude no other") {
    const std::vector<spec::LanguageTag> both{spec::LanguageTag::parse("en"), spec::LanguageTag::parse("de")};
    CHECK(best("Guten Tag", both) == "de");
    CHECK(best("Good day", both) == "en");
    CHECK(best("Последний поезд отправляется в десять часов вечера.", both) == "ru");
    CHECK(best("Le dernier train pour Paris part à dix heures du soir, mais nous sommes en retard.", both) == "fr");
}

TEST_CASE("probabilities are ordered, add up to 1 at most, and grow with the text") {
    float before = 0.0f;
    for (const char* text : {"Der Hund", "Der Hund schläft", "Der Hund schläft unter dem Tisch in der Küche"}) {
        const auto guesses = detect_language(text);
        REQUIRE(!guesses.empty());
        float sum = 0.0f, last = 1.0f;
        for (const spec::LanguageGuess& guess : guesses) {
            CHECK(guess.probability <= last);
            last = guess.probability;
            sum += last;
        }
        CHECK(sum <= 1.0f + 1e-6f);
        CHECK(guesses.front().probability > before);
        before = guesses.front().probability;
    }
    CHECK(before > 0.9f);
}

TEST_CASE("a long text costs no more than its beginning") {
    std::string text;
    while (text.size() < (1u << 20)) text += "Ein sehr langer Text über vieles. ä";
    CHECK(best(text) == "de");
}

}  // namespace
}  // namespace dragoman::text::detect_language_test
