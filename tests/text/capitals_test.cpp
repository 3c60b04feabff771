// SPDX-License-Identifier: Apache-2.0
#include "text/capitals.h"

#include <doctest/doctest.h>

#include <vector>

namespace capitals_test {

using namespace dragoman::text;

TEST_CASE("title case") {
    CHECK(is_in_title_case("Where Do You Have To Do That?"));
    CHECK(is_in_title_case("\"I Yelled At Everyone,\" He Said."));
    CHECK(is_in_title_case("Don't Look Back In Anger"));
    CHECK(is_in_title_case("A Guide For Owners of Small Dogs"));
    for (const char* text :
         {"Songs In The", "Der Hund und die Katze", "WHERE DO YOU HAVE TO DO THAT?", "We were there.", ""})
        CHECK_MESSAGE(!is_in_title_case(text), text);
    const std::string title = "The NATO Owns iPhones And I Don'T";
    std::string small = title;
    for (std::size_t at = 0; at < title.size(); ++at)
        if (is_upper(title[at]) && begins_title_word(title, {at, at + 1})) small[at] = char(title[at] + 32);
    CHECK(small == "the NATO owns iPhones and I don'T");
}

TEST_CASE("texts in capitals are told from words in capitals") {
    CHECK(is_in_capitals("THIS IS IMPORTANT."));
    CHECK(is_in_capitals("STOP! DON'T MOVE, Mr 5."));
    for (const char* text : {"NATO", "USA", "The USA and NATO agree.", "A B C", "I AM", "", "123 456"})
        CHECK_MESSAGE(!is_in_capitals(text), text);
}

TEST_CASE("texts without a capital") {
    for (const char* text : {"the house is big.",
                             "so m\xc3\xbc"
                             "de bin ich",
                             "don't do that 5 times"})
        CHECK_MESSAGE(is_in_small_letters(text), text);
    for (const char* text :
         {"The house is big.", "we saw Tom", "two words", "a b c", "1 2 3 4", "", "\xd7\xa9\xd7\x9c \xd7\xa9 \xd7\xa9"})
        CHECK_MESSAGE(!is_in_small_letters(text), text);
}

TEST_CASE("case follows the language") {
    CHECK(small_letter('I', "") == "i");
    CHECK(capital_letter('i', "") == "I");
    CHECK(capital_letter('i', "tr") == "\xc4\xb0");
    CHECK(small_letters("\xc3\x84PFEL I 5", "") == "\xc3\xa4pfel i 5");
    CHECK(small_letter('I', "tr") == "\xc4\xb1");
    const auto upper = [](std::string text, const std::string& language) {
        std::vector<Range> ranges{{0, text.size()}};
        to_capitals(text, ranges, language);
        CHECK(ranges[0] == Range{0, text.size()});
        return text;
    };
    CHECK(upper("Gro\xc3\x9f, klein", "de") == "GROSS, KLEIN");
    CHECK(upper("kilim", "tr") == "K\xc4\xb0L\xc4\xb0M");
    CHECK(upper("kilim", "") == "KILIM");
}

TEST_CASE("ranges of tokens grow with their letters") {
    std::string text = "gro\xc3\x9f ist er";
    std::vector<Range> ranges{{0, 5}, {6, 9}, {10, 12}};
    to_capitals(text, ranges, "de");
    CHECK(text == "GROSS IST ER");
    CHECK(part(text, ranges[1]) == "IST");
    CHECK(part(text, ranges[2]) == "ER");
    std::string longer =
        "\xc5\x89"
        "a b";  // two letters in capitals
    std::vector<Range> two{{0, 3}, {4, 5}};
    to_capitals(longer, two, "");
    CHECK(longer == "\xca\xbcNA B");
    CHECK(part(longer, two[0]) == "\xca\xbcNA");
    CHECK(part(longer, two[1]) == "B");
}

TEST_CASE("codes of capitals and figures do not make a text one in capitals") {
    CHECK_FALSE(is_in_capitals("Pay to IBAN GB29 NWBK 6016 1331 9268 19, BIC NWBKGB2L."));
    CHECK(is_in_capitals("PAY TO GB29 NWBK 6016 TODAY"));
}

}  // namespace capitals_test
