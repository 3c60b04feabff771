// SPDX-License-Identifier: Apache-2.0
#include "text/signs.h"

#include <doctest/doctest.h>

#include <string>

#include "text/patterns.h"

namespace signs_test {

using namespace dragoman::text;

TEST_CASE("a run that ends a sentence says what one sign does") {
    const auto plain = [](std::string_view text) {
        std::string all;
        for (const Shout& shout : shouts(text))
            all += std::string(part(text, shout.range)) + " is " + shout.plain + ";";
        return all;
    };
    CHECK(plain("Stop!!!!! Now!!!") == "!!!!! is !;!!! is !;");
    CHECK(plain("What????") == "???? is ?;");
    CHECK(plain("Fill in ____ and ________.") == "____ is ____;________ is ______;");
    CHECK(plain("Wait....... what") == "....... is ...;");
    CHECK(plain("Wait... what?! No!! -----") == "");
}

TEST_CASE("guillemets are quotation marks, or signs of menus") {
    const auto read = [](std::string_view text) {
        std::string all;
        for (const Guillemet& sign : guillemets(text)) all += sign.plain.empty() ? "-" : sign.plain;
        return all;
    };
    CHECK(read("\xc2\xbbHallo\xc2\xab, sagte sie, \xc2\xbbwie geht es dir?\xc2\xab") == R"("""")");
    CHECK(read("\xc2\xabI am tired,\xc2\xbb he said.") == R"("")");
    CHECK(read("(\xc2\xbb"
               "Er sagte \xe2\x80\xba"
               "Ja\xe2\x80\xb9.\xc2\xab)") == R"("''")");
    CHECK(read("\xc2\xbbHallo.") == "\"");  // the other one is in the next sentence
    CHECK(read("Next \xc2\xbb") == "-");
    CHECK(read("Next\xc2\xbb") == "-");
    CHECK(read("\xc2\xab Back") == "-");
    CHECK(read("Home \xc2\xbb Dogs") == "-");
    CHECK(read("Home\xc2\xbb"
               "Dogs") == "-");
    CHECK(read("\xc2\xab Hello \xc2\xbb, she said.") == "--");
    CHECK(avoids_guillemets("de-AT"));
    CHECK(avoids_guillemets("eng_Latn"));
    for (const char* other : {"fr", "ru", "el", "es", "", "auto"}) CHECK_FALSE_MESSAGE(avoids_guillemets(other), other);
}

TEST_CASE("No. in front of a number is the word") {
    const auto read = [](std::string_view text, std::string_view language) {
        std::string all;
        for (const NumberSign& sign : number_signs(text, language))
            all += std::string(part(text, sign.range)) + " is " + sign.word + ";";
        return all;
    };
    CHECK(read("No. 10 Downing Street", "en") == "No. is Number;");
    CHECK(read("Vol. 12, No. 3, no. 4, Nos. 5 and 6, No.7", "en") ==
          "No. is number;no. is number;Nos. is number;No. is number ;");
    CHECK(read("Siehe Nr. 5.", "de") == "Nr. is Nummer;");
    CHECK(read("Nr. 5", "de") == "");  // models know it alone
    CHECK(read("No. I have 5. Casino. 5", "en") == "");
    CHECK(read("No. 5", "de") == "");
    CHECK(read("No. 5", "") == "");
}

TEST_CASE("patterns of dates are told from words") {
    for (const char* pattern : {"M/d/yyyy", "MMM d, yyyy", "dd.MM.yyyy HH:mm", "hh:mm a", "YYYY-MM-DD", "TT.MM.JJJJ",
                                "yyyy-MM-dd'T'HH:mm:ssZ", "yyyyMMdd", "EEEE, d. MMMM yyyy"})
        CHECK_MESSAGE(is_date_pattern(pattern), std::string(pattern));
    for (const char* text : {"", "dd", "a", "Day", "a.m.", "d. h.", "D-Day", "Ha ha", "mad, sad", "Yes", "MMS",
                             "Add a day", "yyyyyyyyyyyy-MM", "10:30 a", "s"})
        CHECK_FALSE_MESSAGE(is_date_pattern(text), std::string(text));
    CHECK(is_armour("-----BEGIN CERTIFICATE-----"));
    CHECK(is_armour("-----END RSA PRIVATE KEY-----"));
    CHECK_FALSE(is_armour("----- Original Message -----"));
    CHECK_FALSE(is_armour("-----BEGIN-----"));
}

TEST_CASE("a face behind a word, whose mouth closes no bracket") {
    const auto end = [](std::string_view text) { return emoticon_end(text, text.find(':'), false); };
    CHECK(end("Danke:)") == 7);
    CHECK(end("Thanks:-( Bye") == 9);
    for (const char* other : {"(see: a:)", "Options:)x", "at 5:)", "a:b", "Note:(see below)"})
        CHECK_MESSAGE(end(other) == std::string_view(other).find(':'), other);
}

TEST_CASE("a number's sign stands in front of codes with figures, too") {
    const auto count = [](std::string_view text) { return dragoman::text::number_signs(text, "en").size(); };
    CHECK(count("Invoice no. INV-2025/0417") == 1);
    CHECK(count("I said no. A dog") == 0);
    CHECK(count("I said no. B2b is it") == 0);
}

}  // namespace signs_test
