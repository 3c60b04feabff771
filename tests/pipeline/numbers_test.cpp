// SPDX-License-Identifier: Apache-2.0
// Values, names made of digits, times and lists keep what they say in the shipped model's translations.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "pipeline/run/translator.h"
#include "pipeline/shipped.h"

namespace numbers_test {

using namespace dragoman;
using pipeline::SentenceFlags;
using pipeline::Text;
using pipeline::TextOptions;
using pipeline::TextResult;

namespace {

std::vector<TextResult> results(const std::vector<std::string>& texts, const TextOptions& text_options) {
    static const auto shared = pipeline::Translator::create(test::shipped_model());
    std::vector<Text> inputs;
    for (const std::string& text : texts) inputs.push_back({text, {}});
    return pipeline::translate_texts(*shared, inputs, text_options, {.beam_size = 1});
}

const TextOptions kToGerman{.source_language = "en", .target_language = "de"};
const TextOptions kToEnglish{.source_language = "de", .target_language = "en"};

// The texts whose translations lack what belongs to them.
void check_all(const std::vector<std::pair<std::string, std::string>>& expected, const TextOptions& text_options) {
    std::vector<std::string> texts;
    for (const auto& [text, wanted] : expected) texts.push_back(text);
    const std::vector<TextResult> found = results(texts, text_options);
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::string& translation = found[i].hypotheses.front().text;
        const std::string& wanted = expected[i].second;
        CAPTURE(texts[i]);
        CAPTURE(translation);
        CHECK(translation.find(wanted) != std::string::npos);
    }
}

}  // namespace

TEST_CASE("values are written as the target language writes them") {
    check_all({{"The value is 542.75 today.", "542,75"},
               {"The bill of $4,201.36 is too high.", "4.201,36"},
               {"They measured -35.2 in the water.", "-35,2"},
               {"He sold 12,34,567 cars last year.", "1.234.567"},
               {"There are 8\xe2\x80\xaf"
                "951\xe2\x80\xaf"
                "892 people in the city.",
                "8.951.892"},
               {"The garden has 719.5 m\xc2\xb2 of grass.", "719,5 m\xc2\xb2"}},
              kToGerman);
    check_all({{"Er hat letztes Jahr 830.935 Autos verkauft.", "830,935"},
               {"Das Haus kostet 1.623.314,90 Euro.", "1,623,314.90"},
               {"Die Stadt hat 26.773.610.981 Fenster.", "26,773,610,981"}},
              kToEnglish);
}

TEST_CASE("what digits name stays character by character") {
    check_all({{"I found 214.136.161.204 in the old file.", "214.136.161.204"},
               {"Please write AT61 1904 3002 3457 3201 on the form.", "AT61 1904 3002 3457 3201"},
               {"My card is 5105 1051 0000 5100.", "5105 1051 0000 5100"},
               {"Call me on +43 1 555 00 01 tomorrow.", "+43 1 555 00 01"},
               {"The letter of 1957-08-10 has arrived.", "1957-08-10"},
               {"Room 00042 is free.", "00042"},
               {"The range 10.0.0.1\xe2\x80\x93"
                "10.0.0.99 is blocked.",
                "10.0.0.1\xe2\x80\x93"
                "10.0.0.99"},
               {"My tax number is 12 345 678 901.", "12 345 678 901"},
               {"World War II is over.", "II"}},
              kToGerman);
    check_all({{"Die BLZ 370 400 44 ist falsch.", "370 400 44"}, {"Adresse=128.249.182.150", "128.249.182.150"}},
              kToEnglish);
}

TEST_CASE("times keep the half of the day") {
    check_all({{"The shop opens at 4 pm.", "16 Uhr"},
               {"The train leaves at 3:54 a.m. tomorrow.", "3:54"},
               {"He woke up at 12 a.m. yesterday.", "0 Uhr"}},
              kToGerman);
    check_all({{"Das Gesch\xc3\xa4"
                "ft \xc3\xb6"
                "ffnet um 02:31 Uhr.",
                "02:31"}},
              kToEnglish);
}

TEST_CASE("German ordinals do not keep their stop in English") {
    check_all({{"Das ist unser 45. Besuch in 33 Jahren.", "45th"}}, kToEnglish);
}

TEST_CASE("hours in words keep their value, and sentences their stop") {
    check_all({{"At half past six we went home.", "6:30"},
               {"It is a quarter to nine.", "8:45"},
               {"We met at 12 noon yesterday.", "12 Uhr"},
               {"He slept from 11 p.m. to 7 a.m.", "7 Uhr."},
               {"He stayed until 1 a.m. because of the rain.", "1 Uhr wegen"}},
              kToGerman);
    check_all({{"Wir treffen uns um halb drei.", "2:30"},
               {"Es ist Viertel nach acht.", "8:15"},
               {"Halb drei Uhr, halb vier Uhr.", "2:30, 3:30."},
               {"Das Gesch\xc3\xa4"
                "ft \xc3\xb6"
                "ffnet um 9 Uhr und schlie\xc3\x9ft um 18.30 Uhr.",
                "18:30"}},
              kToEnglish);
}

TEST_CASE("two times are not exchanged") {
    check_all({{"The movie starts at 12 a.m. and at 12 p.m.", "um 0 Uhr und um 12 Uhr"}}, kToGerman);
    check_all({{"Nehmen Sie die Tabletten um 8 Uhr und um 20 Uhr ein.", "at 8 am and at 8pm"},
               {"Er steht um 6 Uhr auf und geht um 18 Uhr ins Bett.", "at 6 am and goes to bed at 6pm"},
               {"Die Vorstellungen sind um 11 Uhr und um 23 Uhr.", "11 am and at 11 pm"},
               {"Wir treffen uns um 12 Uhr oder um 0 Uhr.", "12 pm or at 12 am"}},
              kToEnglish);
}

TEST_CASE("dates keep their stops, and sentences what follows them") {
    check_all({{"G\xc3\xbcltig bis 31.12.2025.", "31.12.2025"},
               {"Er lebte vom 1.2.1900 bis 3.4.1980.", "1.2.1900 to 3.4.1980"},
               {"Am 24.12. kommt Peter.", "24.12."},
               {"Das Fest am 5.6. ist sch\xc3\xb6n.", "beautiful"},
               {"Wir haben vom 1.8. bis 15.8. Urlaub.", "15.8."},
               {"Am 4. 6. 2021 war es hei\xc3\x9f.", "4. 6. 2021"},
               {"Der Kurs findet vom 4.\xe2\x80\x93"
                "6.5. statt.",
                "4.\xe2\x80\x93"
                "6.5."}},
              kToEnglish);
    for (const TextResult& result : results({"Wir haben vom 1.8. bis 15.8. Urlaub."}, kToEnglish))
        CHECK(result.hypotheses.front().text.find("..") == std::string::npos);
    check_all({{"It is 1,5 m long.", "1,5 m"}}, kToGerman);
    for (const TextResult& result : results({"Wir haben vom 1.8. bis 15.8. Urlaub."}, kToEnglish))
        CHECK(result.sentences.size() == 1);
}

TEST_CASE("ranges of hours are in the right half of the day") {
    check_all({{"The meeting is from 2 to 4 p.m.", "14 bis 16 Uhr"},
               {"The meeting is from 2-3pm.", "14-15 Uhr"},
               {"The shop is closed from 1 to 2:30 p.m.", "13 bis 14:30 Uhr"},
               {"The shop is open from 9am to 5pm.", "9 Uhr bis 17 Uhr"},
               {"Check-in: 3 PM, check-out: 11 AM", "11 Uhr"},
               {"Check-in: 3 PM, check-out: 12:30 PM", "12:30 Uhr"}},
              kToGerman);
    check_all({{"Zwischen 14 und 16 Uhr ist das B\xc3\xbcro offen.", "2 and 4 pm"},
               {"Das B\xc3\xbcro ist von 14\xe2\x80\x93"
                "16 Uhr offen.",
                "2-4 pm"},
               {"Das B\xc3\xbcro ist von 10 bis 22 Uhr offen.", "10 am to 10 pm"}},
              kToEnglish);
}

TEST_CASE("formulas stay in one piece") {
    check_all({{"Die Lichtgeschwindigkeit betr\xc3\xa4gt 3\xc2\xb7"
                "10\xe2\x81\xb8 m/s.",
                "3\xc2\xb7"
                "10\xe2\x81\xb8 m/s"},
               {"Es sind 3,5\xc2\xb7"
                "10\xe2\x81\xb8 Atome.",
                "3.5\xc2\xb7"
                "10\xe2\x81\xb8"},
               {"Die Kiste hat die Ma\xc3\x9f"
                "e 3\xc3\x97"
                "4\xc3\x97"
                "5 m.",
                "3\xc3\x97"
                "4\xc3\x97"
                "5 m"}},
              kToEnglish);
    check_all({{"The mass is 5.97\xc3\x97"
                "10^24 kg.",
                "5,97\xc3\x97"
                "10^24 kg"},
               {"The value of x^2 is 4.", "x^2"},
               {"E=mc^2, where c\xe2\x89\x88"
                "3\xc3\x97"
                "10^8 m/s.",
                "wo c\xe2\x89\x88"
                "3\xc3\x97"
                "10^8"},
               {"The size is given as (W\xc3\x97"
                "D\xc3\x97H).",
                "(W\xc3\x97"
                "D\xc3\x97H)"}},
              kToGerman);
}

TEST_CASE("numbers of sections are no decimals") {
    check_all({{"2.1 Introduction", "2.1 "},
               {"3.10 The dog sleeps in the house.", "3.10 "},
               {"See Chapters 2.1 and 2.2.", "2.1 und 2.2"},
               {"The phone runs iOS 9.2 today.", "iOS 9.2"},
               {"The paper is doi:10.1000/xyz123.", "doi:10.1000/xyz123"},
               {"The paper is arXiv:2301.12345.", "arXiv:2301.12345"},
               {"2.5 Million people live there.", "2,5 "},
               {"1.5 Liter of water is enough.", "1,5 "}},
              kToGerman);
}

TEST_CASE("prices lose the dash for no cents") {
    check_all({{"Das Auto kostet 12.500,- Euro.", "12,500 euro"},
               {"Das kostet 500,\xe2\x80\x93 \xe2\x82\xac.", "500 \xe2\x82\xac"},
               {"Der Preis ist 12,-- EUR.", "12 EUR"},
               {"Der Preis betr\xc3\xa4gt \xe2\x82\xac 99,-.", "\xe2\x82\xac 99."},
               {"Die Miete ist KM 1.200,-- + NK.", "1,200 +"}},
              kToEnglish);
}

TEST_CASE("long lists keep their order, and nothing stands in for a number afterwards") {
    std::string list;
    for (int number = 301; number < 330; ++number) list += (list.empty() ? "" : ", ") + std::to_string(number);
    check_all({{"Rooms " + list + " are free.", list}}, kToGerman);
    check_all({{"Die Zimmer " + list + " sind frei.", list}}, kToEnglish);
}

TEST_CASE("numbers alone need no model") {
    const std::vector<TextResult> found = results({"12,345.60", "-3.5", "CHF 12.50", "$204.72 USD", "192.168.100.200"},
                                                  kToGerman);
    std::vector<std::string> texts;
    for (const TextResult& result : found) {
        texts.push_back(result.hypotheses.front().text);
        CHECK((result.sentences.front().flags & SentenceFlags::copied) != 0);
    }
    CHECK(texts == std::vector<std::string>{"12.345,60", "-3,5", "CHF 12,50", "$204,72 USD", "192.168.100.200"});
}

TEST_CASE("raw texts keep the model's own numbers") {
    const auto found = results({"12,345.60"}, {.source_language = "en", .target_language = "de", .raw = true});
    CHECK((found.front().sentences.front().flags & SentenceFlags::copied) == 0);
}

TEST_CASE("fields of a line are translated apart") {
    const auto found = results({"Dog\tThe house is old.\t2022-03-19\t!!!"}, kToGerman);
    CHECK(found.front().sentences.size() == 4);
    CHECK(found.front().hypotheses.front().text.ends_with(".\t2022-03-19\t!!!"));
}

TEST_CASE("a label in brackets of another script does not keep its sentence") {
    check_all({{"\xe3\x80\x90Note\xe3\x80\x91The dog is small.",
                "\xe3\x80\x91"
                "Der Hund"}},
              kToGerman);
}

TEST_CASE("words in capitals inside a sentence are read as other words are") {
    check_all({{"HEllo", "Hallo"},
               {"We need a new HOUSE.", "Haus"},
               {"We need your help NOW.", "jetzt"},
               {"The HOUSE is red and the CAR is blue.", "Auto"},
               {"We like OpenSSL.", "OpenSSL"},
               {"We like UNESCO.", "UNESCO"}},
              kToGerman);
}

TEST_CASE("brackets, faces, pictures, paths and signs that touch words") {
    check_all({{"\uff08Important\uff09Please read this.", "\uff09Bitte"},
               {"Read this\u3010now\u3011please.", "bitte ("},
               {"The book\u300eMy House\u300fis old.", "ist alt."},
               {"C:\\Program Files\\App\\bin is the folder.", "C:\\Program Files\\App\\bin ist"},
               {"Press Ctrl+Alt+Del now.", "Ctrl+Alt+Del"},
               {"Dragoman\u2122 and Foo\u00ae", "Dragoman\u2122 und"},
               {"Where are you? - At home.", "? - Zu Hause."},
               {"Total:          5 dollars", "Total:          5 Dollar"}},
              kToGerman);
}

TEST_CASE("what people paste keeps its names, signs and stops") {
    check_all({{"Avogadro's number is 6.022 \u00d7 10\u00b2\u00b3 mol\u207b\u00b9.", "mol\u207b\u00b9"},
               {"After 14...Qxd4+ 15.Kh1 Rxf1#, Black mates.", "14...Qxd4+ 15.Kh1 Rxf1#"},
               {"The star is at RA 14h 29m 43s, Dec \u221262\u00b0 40\u2032 46\u2033.", "14h 29m 43s"},
               {"It costs 2 trillion dollars.", "Billionen"},
               {"Pay to IBAN GB29 NWBK 6016 1331 9268 19, BIC NWBKGB2L.", "zu"},
               {"PLEASE DO NOT PARK HERE BETWEEN 8 AM AND 6 PM.", "18 UHR"}},
              kToGerman);
    check_all({{"- [x] 6 Eier kaufen", "- [x] "},
               {"1) Deckel \u00f6ffnen.", "1) "},
               {"Wenn x = 5 ist, rufe foo(x, y) auf und pr\u00fcfe es.", "foo(x, y)"},
               {"Die Schulden betragen 2,4 Billionen Euro.", "trillion"},
               {"Kto. 123 456 789, BLZ 100 500 00", "123 456 789"}},
              kToEnglish);
}

TEST_CASE("without a language, sentences end as in the only other one of the model") {
    const TextOptions to_english{.target_language = "en"};
    for (const char* text : {"Rund 7,9 Mrd. Menschen leben hier.", "Es kostet 5 Mio. \u20ac im Jahr."})
        CHECK(results({text}, to_english).front().hypotheses.front().text ==
              results({text}, kToEnglish).front().hypotheses.front().text);
}

}  // namespace numbers_test
