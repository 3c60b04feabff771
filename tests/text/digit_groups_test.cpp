// SPDX-License-Identifier: Apache-2.0
#include "text/digit_groups.h"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "support/in_brackets.h"

namespace digit_groups_test {

using namespace dragoman::text;

namespace {

std::string identifier(std::string_view text) { return std::string(text.substr(0, identifier_end(text, 0))); }

std::string lists(std::string_view text) { return dragoman::test::in_brackets(text, number_lists(text)); }

}  // namespace

TEST_CASE("addresses, accounts, cards and telephone numbers end where their figures do") {
    CHECK(identifier("192.168.100.200.") == "192.168.100.200");
    CHECK(identifier("10.0.0.1:8080 is") == "10.0.0.1:8080");
    CHECK(identifier("1.234.567.890") == "");
    CHECK(identifier("DE89 3704 0044 0532 0130 00.") == "DE89 3704 0044 0532 0130 00");
    CHECK(identifier("CH9300762011623852957") == "CH9300762011623852957");
    CHECK(identifier("GB29 NWBK 6016 1331 9268 19 is") == "GB29 NWBK 6016 1331 9268 19");
    CHECK(identifier("DE89 is a code") == "");
    CHECK(identifier("4000 0000 0000 0002, please") == "4000 0000 0000 0002");
    CHECK(identifier("+49 30 555 00 00 and") == "+49 30 555 00 00");
    CHECK(identifier("030 555 00 00") == "030 555 00 00");
    CHECK(identifier("030/5550000") == "030/5550000");
    CHECK(identifier("(555) 123-4567") == "(555) 123-4567");
    CHECK(identifier("1-800-555-1234") == "1-800-555-1234");
    CHECK(identifier("0800123456") == "0800123456");
    CHECK(identifier("10.0.0.1-10.0.0.9 is") == "10.0.0.1-10.0.0.9");
    CHECK(identifier("10.0.0.1\xe2\x80\x93"
                     "192.168.0.9.") ==
          "10.0.0.1\xe2\x80\x93"
          "192.168.0.9");
    CHECK(identifier("370 400 44 is") == "370 400 44");
    CHECK(identifier("12 345 678 901 people") == "");
}

namespace {

// What the last word of a text begins.
std::string behind(std::string_view front, std::string_view name) {
    const std::string text = std::string(front) + std::string(name);
    return text.substr(front.size(), identifier_end(text, front.size()) - front.size());
}

}  // namespace

TEST_CASE("groups of three figures are a name behind a word that says so") {
    for (const char* front :
         {"The tax number is ", "Kundennr. ", "Customer no. ", "VAT ID: DE ", "Konto ", "Die Steuernummer lautet: "})
        CHECK_MESSAGE(behind(front, "123 456 789 now") == "123 456 789", front);
    for (const char* front : {"", "It has ", "The number of people is about ", "In Berlin leben "})
        CHECK_MESSAGE(behind(front, "123 456 789 now") == "", front);
    CHECK(behind("BIC: ", "COBADEFFXXX.") == "COBADEFFXXX");
    CHECK(behind("SWIFT/BIC ", "DEUTDEFF") == "DEUTDEFF");
    CHECK(behind("We met ", "DEUTDEFF") == "");
}

TEST_CASE("dates with blanks and pairs of days") {
    CHECK(identifier("3. 5. 2024 is") == "3. 5. 2024");
    CHECK(identifier("3.5. 2024.") == "3.5. 2024");
    CHECK(identifier("4.\xe2\x80\x93"
                     "6.5. statt") ==
          "4.\xe2\x80\x93"
          "6.5.");
    CHECK(identifier("4./5.5.2024") == "4./5.5.2024");
    CHECK(identifier("3. 15. 2024") == "");
    CHECK(identifier("3. Platz 2024") == "");
    CHECK(identifier("3. 5. oder") == "");
    CHECK(behind("vom ", "4. 5. bis") == "4. 5.");
    CHECK(behind("am ", "4. 5. 6.") == "");
}

TEST_CASE("values, years, ranges and dates are no identifiers") {
    for (const char* text : {"5 000", "12 345 678", "1,234.56", "2020", "1990-1995", "05.12.2024", "05/12/2024",
                             "12-05-2024", "3:30", "5 of 7", "(2020)", "+5", "3.14", "0.5"})
        CHECK_MESSAGE(identifier(text) == "", text);
}

TEST_CASE("times and dates of ISO 8601, powers and fractions") {
    CHECK(identifier("2022-03-19") == "2022-03-19");
    CHECK(identifier("2022-03-19T13:34:33Z.") == "2022-03-19T13:34:33Z");
    CHECK(identifier("13:34:33") == "13:34:33");
    CHECK(identifier("1:34:33 pm") == "");
    CHECK(identifier("2022-13-19") == "");
    CHECK(identifier("10^6 or") == "10^6");
    CHECK(identifier("10\xe2\x81\xb6 or") == "10\xe2\x81\xb6");
    CHECK(identifier("2\xc2\xbd cups") == "2\xc2\xbd");
    CHECK(identifier("\xc2\xbd cup") == "\xc2\xbd");
}

TEST_CASE("places on earth") {
    CHECK(identifier("58\xc2\xb0"
                     "16'N now") ==
          "58\xc2\xb0"
          "16'N");
    CHECK(identifier("13\xc2\xb0 24\xe2\x80\xb2 18.5\xe2\x80\xb3 E.") ==
          "13\xc2\xb0 24\xe2\x80\xb2 18.5\xe2\x80\xb3 E");
    CHECK(identifier("46\xc2\xb0 10' North") == "46\xc2\xb0 10'");
    CHECK(identifier("20 \xc2\xb0"
                     "C") == "");
    CHECK(identifier("20\xc2\xb0 and 30'") == "");
}

TEST_CASE("days and months inside a sentence") {
    const auto behind = [](std::string text, std::string_view number) {
        const std::size_t at = text.find(number);
        return text.substr(at, identifier_end(text, at) - at);
    };
    CHECK(behind("Das Fest am 5.6. ist sch\xc3\xb6n.", "5.6") == "5.6.");
    CHECK(behind("bis 15.8. Urlaub", "15.8") == "15.8.");
    CHECK(behind("vom 1.8.-15.8. Urlaub", "1.8") == "1.8.-15.8.");
    CHECK(behind("vom 1.8.\xe2\x80\x93"
                 "15.8. ist",
                 "1.8") ==
          "1.8.\xe2\x80\x93"
          "15.8.");
    CHECK(behind("Am Freitag, 24.12. Feier", "24.12") == "24.12.");
    for (const char* text : {"am 5.6.", "ist 5.6. Der", "am 5.6.2024 ist", "am 32.12. ist", "am 5.13. ist", "5.6 ist"})
        CHECK_MESSAGE(behind(text, std::string_view(text).substr(std::string_view(text).find_first_of("35"))) == "",
                      text);
    CHECK(is_day_and_month("24.12"));
    for (const char* text : {"", "24.13", "32.1", "24.12.", "1.2.3", "24", "0.5", "1.0"})
        CHECK(!is_day_and_month(text));
}

TEST_CASE("dashes behind prices") {
    const auto dashes = [](std::string_view text) {
        std::string all;
        for (const Range& range : price_dashes(text)) all += "[" + std::string(part(text, range)) + "]";
        return all;
    };
    CHECK(dashes("Das kostet 12.500,- Euro, 12,-- EUR und 5,-.") == "[,-][,--][,-]");
    CHECK(dashes("500,\xe2\x80\x93 \xe2\x82\xac und \xe2\x82\xac 99,-") == "[,\xe2\x80\x93][,-]");
    const std::string price = "nur \xe2\x82\xac 1.299,- heute";
    CHECK(part(price, signed_price(price, price_dashes(price).front())) == "\xe2\x82\xac 1.299,-");
    CHECK(signed_price("nur 5,- heute", {5, 7}).size() == 0);
    CHECK(dashes("CHF 12.\xe2\x80\x93 und 5.-- CHF, Fr. 7.-") == "[.\xe2\x80\x93][.--][.-]");
    CHECK(dashes("3,-4 and 12.- 5 or 5,\xe2\x80\x94 and 1, - 5.-a x,-") == "");
}

TEST_CASE("lists of eight numbers and more") {
    CHECK(lists("Rooms 1, 2, 3, 4, 5, 6, 7, 8 and 9") == "[1, 2, 3, 4, 5, 6, 7, 8]");
    CHECK(lists("Rooms 1, 2, 3, 4, 5, 6, 7") == "");
    CHECK(lists("1.5; 2.5; 3; 4; 5; 6; 7; 8; x") == "[1.5; 2.5; 3; 4; 5; 6; 7; 8]");
}

TEST_CASE("raised figures belong to their letters") {
    const std::string text = "5 kWh/m\xc2\xb2 of CO\xe2\x82\x82.";
    std::string all;
    for (const Range& range : raised_words(text)) all += with_usual_figures(part(text, range)) + " ";
    CHECK(all == "m2 CO2 ");
}

TEST_CASE("numbers alone") {
    for (const char* text : {"5", "-3.5", "$204.72 USD", "CHF 12.50", "1/2", "50 %"}) CHECK(is_only_numbers(text));
    for (const char* text : {"", "-", "5 km", "3 pm", "NO 5"}) CHECK(!is_only_numbers(text));
}

TEST_CASE("minutes and seconds with their parts are names, scales are numbers") {
    const auto whole = [](std::string_view text) { return identifier_end(text, 0) == text.size(); };
    for (const char* lap : {"1:21.345", "1:21,345", "12:05.7"}) CHECK_MESSAGE(whole(lap), lap);
    for (const char* other : {"1:25.000", "1:61.5", "1:2.5", "1:21.3456"}) CHECK_MESSAGE(!whole(other), other);
}

}  // namespace digit_groups_test
