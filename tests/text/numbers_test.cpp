// SPDX-License-Identifier: Apache-2.0
#include "text/compare_numbers.h"

#include <doctest/doctest.h>

#include <array>
#include <initializer_list>
#include <span>
#include <string>

namespace numbers_test {

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

namespace {

// What is changed in a translation, and what it lacks: "translation | at fault".
std::string mended(std::string_view source, std::string target, const char* from = "en", const char* to = "de") {
    const NumberNotations notations{number_notation(from), number_notation(to)};
    const NumberChanges found = compare_numbers(source, target, notations);
    apply(found.edits, target, {});
    std::string result = target + " |";
    for (const Range& range : found.at_fault) result += " " + std::string(part(source, range));
    return result;
}

std::string in(std::string_view text, const char* from, const char* to) {
    std::string all;
    for (const Number& number : numbers(text, number_notation(from)))
        all += (all.empty() ? "" : " ") + written(text, number, number_notation(to));
    return all;
}

}  // namespace

TEST_CASE("values are written as the other language writes them") {
    CHECK(in("1,234.56 and 12,345,678 and 0.50 and -3.5", "en", "de") == "1.234,56 12.345.678 0,50 -3,5");
    CHECK(in("1.234,56 und 2.200.112 und 5,00 und 4711", "de", "en") == "1,234.56 2,200,112 5.00 4711");
    CHECK(in("12,34,567 or 15'350'500.55", "en", "de") == "1.234.567 15.350.500,55");
    CHECK(in("5\xe2\x80\xaf"
             "000 or 3 000 000.5",
             "en", "de") == "5.000 3.000.000,5");
    CHECK(in("1.234", "en", "de") == "1,234");
    CHECK(in("1.234", "de", "en") == "1,234");
    CHECK(in("1,234.5", "en", "fr") ==
          "1\xe2\x80\xaf"
          "234,5");
    CHECK(in("Am 24.12. um 3,14", "de", "en") == "24.12. 3.14");
    CHECK(in("12.05.2024", "de", "en") == "12.05.2024");
    CHECK(in("192.168.100.200, 4000 0000 0000 0002, 007", "en", "de") == "192.168.100.200 4000 0000 0000 0002 007");
}

TEST_CASE("a translation's notation is mended where the value is the same") {
    CHECK(mended("It is 542.2.", "Es ist 542.2.") == "Es ist 542,2. |");
    CHECK(mended("It is 2,298,417.9.", "Es ist 2.298.417.9.") == "Es ist 2.298.417,9. |");
    CHECK(mended("Es sind 322.255.", "These are 322.255.", "de", "en") == "These are 322,255. |");
    CHECK(mended("Es sind 26.773.610.981.", "These are 26,773.610.981.", "de", "en") == "These are 26,773,610,981. |");
    CHECK(mended("It is -3.5.", "Es ist minus 3.5.") == "Es ist minus 3,5. |");
    CHECK(mended("It is -3.5.", "Es ist 3,5.") == "Es ist -3,5. |");
    CHECK(mended("See Section 3.2.", "Siehe Abschnitt 3.2.") == "Siehe Abschnitt 3.2. |");
    CHECK(mended("Ruby 3.0 is out.", "Ruby 3.0 ist da.") == "Ruby 3.0 ist da. |");
    CHECK(mended("In Germany 3.5 million live.", "In Deutschland leben 3.5 Millionen.") ==
          "In Deutschland leben 3,5 Millionen. |");
    CHECK(mended("Write 3.5 here.", "Schreiben Sie 3.5 hier.") == "Schreiben Sie 3,5 hier. |");
    CHECK(mended("Use libboost1.55 and fsp 2.71-10.", "Nutzt libboost1.55 und fsp 2.71-10.") ==
          "Nutzt libboost1.55 und fsp 2.71-10. |");
    CHECK(mended("In proftpd-1.2.0pre10-2.0potato1.", "In proftpd-1.2.0pre10-2.0potato1.") ==
          "In proftpd-1.2.0pre10-2.0potato1. |");
    CHECK(mended("It takes 2.5-3.5 hours.", "Es dauert 2.5-3.5 Stunden.") == "Es dauert 2,5-3,5 Stunden. |");
    CHECK(mended("Es ist 1'234.5.", "It is 1'234.5.", "de", "en") == "It is 1,234.5. |");
    CHECK(mended("It is 5 000.", "Es ist 5 000.") == "Es ist 5.000. |");
    CHECK(mended("It is 7.5.", "Es ist 8,5.") == "Es ist 8,5. | 7.5");
    // All marks of a number are the language's, and no figures are added.
    CHECK(mended("CHF 25\xe2\x80\x99"
                 "408.33",
                 "CHF 25'408.33") == "CHF 25.408,33 |");
    CHECK(mended("Fr. 2'052'656.50", "Fr. 2'052'656,50", "de", "en") == "Fr. 2,052,656.50 |");
    CHECK(mended("It is 62,47,227.50.", "Es ist 62.47.227,50.") == "Es ist 6.247.227,50. |");
    CHECK(mended("It is 9,947,206.00.", "Es ist 9.947.206,000.") == "Es ist 9.947.206,00. |");
    CHECK(mended("Es sind 2,5 kg.", "These are 2.500 kg.", "de", "en") == "These are 2.5 kg. |");
    CHECK(mended("It is 12,345.", "Es ist 12345.") == "Es ist 12345. |");
}

TEST_CASE("decimals of ratios, and numbers of protocols") {
    CHECK(mended("The ratio is 2.5:1.", "Das ist 2.5:1.") == "Das ist 2,5:1. |");
    CHECK(in("1:25,000, 1:1,000,000, 1:2.5, 1:0.5 and 3:16,17", "en", "de") ==
          "1 25.000 1 1.000.000 1 2,5 1 0,5 3:16,17");
    CHECK(in("1:2.500, 10:1.000 und 3:1,2:0", "de", "en") == "1 2,500 10 1,000 3:1,2:0");
    CHECK(mended("The map is 1:25,000.", "Die Karte ist 1:25,000.") == "Die Karte ist 1:25.000. |");
    CHECK(mended("The map is 1:25,000.", "Die Karte ist 1:25.000.") == "Die Karte ist 1:25.000. |");
    CHECK(mended("Im Verh\xc3\xa4ltnis 1:2,5.", "At a ratio of 1:2,5.", "de", "en") == "At a ratio of 1:2.5. |");
    CHECK(mended("HTTP/1.1 and USB 3.2", "HTTP/1,1 und USB 3.2") == "HTTP/1.1 und USB 3.2 |");
    CHECK(mended("EUR 3.2", "EUR 3.2") == "EUR 3,2 |");
    CHECK(in("1:23.45", "en", "de") == "1:23.45");
}

TEST_CASE("marks of feet, inches, minutes and seconds stay") {
    CHECK(mended("A 27\" screen and a 3.5\" disk.", "Ein 27\"-Schirm und eine 3,5-Platte.") ==
          "Ein 27\"-Schirm und eine 3,5\"-Platte. |");
    CHECK(mended("The 6'2\" player scored.", "Der Spieler 6'2 traf.") == "Der Spieler 6'2\" traf. |");
    CHECK(mended("A 3.5\" disk.", "Eine 3,5-Zoll-Platte.") == "Eine 3,5-Zoll-Platte. |");
    CHECK(mended("He said \"I have 5\".", "Er sagte, er habe 5.") == "Er sagte, er habe 5. |");
    CHECK(mended("He said \"27\" and left.", "Er sagte 27 und ging.") == "Er sagte 27 und ging. |");
    CHECK(mended("In the 1990's, 40' long.", "In den 1990ern 40 lang.") == "In den 1990ern 40' lang. |");
}

TEST_CASE("decimals without a whole number") {
    CHECK(in("It is .5 mm, p = .002, (.75) and -.25", "en", "de") == "0,5 0,002 0,75 -0,25");
    CHECK(mended("It is .5 mm thick.", "Es ist .5 mm dick.") == "Es ist 0,5 mm dick. |");
    CHECK(mended("It is .5 mm thick.", "Es ist 0,5 mm dick.") == "Es ist 0,5 mm dick. |");
    CHECK(mended("It is .5 mm thick.", "Es ist ,5 mm dick.") == "Es ist 0,5 mm dick. |");
    CHECK(mended("It is 5 mm thick.", "Es ist .5 mm dick.") == "Es ist 5 mm dick. |");
    CHECK(in("No.5 is here, and so on...5", "en", "de") == "5 5");
}

TEST_CASE("Roman numerals are not lost") {
    CHECK(mended("World War II ended.", "Der Weltkrieg endete.") == "Der Weltkrieg endete. | II");
    CHECK(mended("World War II ended.", "Der Zweite Weltkrieg endete.") == "Der Zweite Weltkrieg endete. |");
    CHECK(mended("World War II ended.", "Der 2. Weltkrieg endete.") == "Der 2. Weltkrieg endete. |");
    CHECK(mended("2. Weltkrieg", "World War II", "de", "en") == "World War II |");
    CHECK(mended("Henry VIII ate.", "Heinrich VIII. a\xc3\x9f.") == "Heinrich VIII. a\xc3\x9f. |");
    CHECK(mended("Henry VII ate.", "Heinrich VIII. a\xc3\x9f.") == "Heinrich VIII. a\xc3\x9f. | VII");
}

TEST_CASE("dates and numbers in another notation keep their characters") {
    struct Case {
        const char *source, *target, *wanted;
    };
    for (const auto& [source, target, wanted] :
         {Case{"Am 31.12.2025 ist es.", "On 31,12,2025 it is.", "On 31.12.2025 it is. |"},
          {"Vom 1.2.1900 bis 3.4.1980", "From 1,2,1900 to 3,4,1980", "From 1.2.1900 to 3.4.1980 |"},
          {"Am 05.06.2024 ist es.", "On 05,06,2024 it is.", "On 05.06.2024 it is. |"},
          {"Es ist der 24.12", "It is the 24,12", "It is the 24.12 |"},
          {"Es ist der 05.06", "It is the 05,06", "It is the 05.06 |"},
          {"Am 12.05.2024", "On 12/05/2024", "On 12/05/2024 |"}})
        CHECK(mended(source, target, "de", "en") == wanted);
    CHECK(mended("It is 1,5 m long.", "Es ist 1.5 m lang.") == "Es ist 1,5 m lang. |");
    CHECK(mended("It is 1,5 m long.", "Es ist 1,5 m lang.") == "Es ist 1,5 m lang. |");
    CHECK(mended("On 1.2.1900 it was.", "Am 1,2,1900 war es.") == "Am 1.2.1900 war es. |");
    for (const int day : {1, 5, 12, 30, 31})
        for (int month = 1; month <= 12; ++month)
            for (const char* year : {"1900", "2025"}) {
                const auto date = [&](const char* mark) {
                    return std::to_string(day) + mark + std::to_string(month) + mark + year;
                };
                CHECK(mended("Am " + date(".") + " war es.", "It was on " + date(",") + ".", "de", "en") ==
                      "It was on " + date(".") + ". |");
            }
}

TEST_CASE("formulas keep all but their decimal marks") {
    CHECK(in("5.97\xc3\x97"
             "10^24",
             "en", "de") ==
          "5,97 \xc3\x97"
          "10^24");
    CHECK(in("1.5\xc3\x97"
             "2.5 m",
             "en", "de") == "1,5 2,5");
    CHECK(in("3\xc2\xb7"
             "10\xe2\x81\xb8 m/s",
             "de", "en") ==
          "3\xc2\xb7"
          "10\xe2\x81\xb8");
    CHECK(mended("It is 5.97\xc3\x97"
                 "10^24 kg.",
                 "Es ist 5.97\xc3\x97"
                 "10^24 kg.") ==
          "Es ist 5,97\xc3\x97"
          "10^24 kg. |");
}

TEST_CASE("numbers of headings, sections and versions are no decimals") {
    struct Case {
        const char *source, *target, *wanted;
    };
    for (const auto& [source, target, wanted] :
         {Case{"2.1 Introduction", "2.1 Einleitung", "2.1 Einleitung |"},
          {"2.1 Introduction", "2,1 Einleitung", "2.1 Einleitung |"},
          {"3.10 The dog sleeps.", "3,10 Der Hund.", "3.10 Der Hund. |"},
          {"2.15. Introduction", "2,15. Einleitung", "2.15. Einleitung |"},
          {"2.1 A dog sleeps.", "2.1 Ein Hund.", "2.1 Ein Hund. |"},
          {"2.1 - Results", "2.1 - Ergebnisse", "2.1 - Ergebnisse |"},
          {"See Chapters 2.1 and 2.2.", "Siehe Kapitel 2.1 und 2.2.", "Siehe Kapitel 2.1 und 2.2. |"},
          {"See sections 2.1, 2.2 and 2.3.", "Siehe 2.1, 2,2 und 2,3.", "Siehe 2.1, 2.2 und 2.3. |"},
          {"Version 2.1 or 2.2", "Version 2.1 oder 2.2", "Version 2.1 oder 2.2 |"},
          {"See Fig. 2.1 and Eq. 3.2.", "Siehe Fig. 2.1 und Eq. 3.2.", "Siehe Fig. 2.1 und Eq. 3.2. |"},
          {"It runs iOS 9.2 today.", "Es hat iOS 9.2 heute.", "Es hat iOS 9.2 heute. |"},
          {"Python 3.10 and 3.11 are out.", "Python 3.10 und 3.11 sind da.", "Python 3.10 und 3.11 sind da. |"},
          {"key:2.55 is it", "key:2.55 ist es", "key:2.55 ist es |"},
          // Values.
          {"2.5 Million people", "2.5 Millionen Menschen", "2,5 Millionen Menschen |"},
          {"1.5 Liter of water", "1.5 Liter Wasser", "1,5 Liter Wasser |"},
          {"2.5 Hours later", "2.5 Stunden danach", "2,5 Stunden danach |"},
          {"3.5 million people", "3.5 Millionen", "3,5 Millionen |"},
          {"2.1 is the value.", "2.1 ist der Wert.", "2,1 ist der Wert. |"},
          {"The values are 2.1 and 2.2.", "Die Werte sind 2.1 und 2.2.", "Die Werte sind 2,1 und 2,2. |"},
          {"Price:2.50 or less", "Preis:2.50 oder weniger", "Preis:2,50 oder weniger |"},
          {"Berlin 3.5 million", "Berlin 3.5 Millionen", "Berlin 3,5 Millionen |"},
          {"Version 2.1 and 2.2 million", "Version 2.1 und 2.2 Millionen", "Version 2.1 und 2,2 Millionen |"}})
        CHECK(mended(source, target) == wanted);
    for (const char* word : {"Section", "Chapter", "Version", "Figure", "Table", "Article", "Rule", "Step", "Part"})
        for (const char* plural : {"", "s"})
            for (const char* gap : {" and ", " or ", ", "}) {
                const std::string text = std::string(word) + plural + " 2.1" + gap + "3.10";
                CHECK(mended("See " + text + ".", "Siehe " + text + ".") == "Siehe " + text + ". |");
                CHECK(mended("See " + text + ".", "Siehe 2,1" + std::string(gap) + "3,10.") ==
                      "Siehe 2.1" + std::string(gap) + "3.10. |");
            }
}

TEST_CASE("dashes behind prices belong to them") {
    CHECK(in("12.500,- Euro, 12,-- EUR, 500,\xe2\x80\x93 \xe2\x82\xac, CHF 7.-", "de", "en") == "12,500 12 500 7");
    CHECK(list("Es sind 12.500,- \xe2\x82\xac.", numbers("Es sind 12.500,- \xe2\x82\xac.", number_notation("de"))) ==
          "12.500,- \xe2\x82\xac");
    CHECK(mended("Es kostet 12.500,- Euro.", "It costs 12.500,- euros.", "de", "en") == "It costs 12,500 euros. |");
    CHECK(mended("Es kostet 12.500,- Euro.", "It costs 12,500 euros.", "de", "en") == "It costs 12,500 euros. |");
    CHECK(mended("Es kostet 5,50 Euro.", "It costs 5,50 euros.", "de", "en") == "It costs 5.50 euros. |");
}

TEST_CASE("missing values are written in the place of others, where asked for") {
    const NumberNotations notations{number_notation("en"), number_notation("de")};
    const auto forced = [&](std::string_view source, std::string target, std::size_t most) {
        apply(compare_numbers(source, target, notations, {}, {}, most).edits, target, {});
        return target;
    };
    CHECK(forced("It is 7.5.", "Es ist 81,5.", 0) == "Es ist 81,5.");
    CHECK(forced("It is 7.5.", "Es ist 81,5.", 1) == "Es ist 7,5.");
    CHECK(forced("From 71 to 72", "Von 81 bis 82", 1) == "Von 81 bis 82");
    CHECK(forced("From 71 to 72", "Von 81 bis 82", 9) == "Von 71 bis 72");
    CHECK(forced("It costs $50.", "Es kostet 50 von 80.", 9) == "Es kostet 50 von 80.");
}

TEST_CASE("hours keep the half of the day") {
    CHECK(mended("We meet at 3 pm.", "Wir treffen uns um 3 Uhr.") == "Wir treffen uns um 15 Uhr. |");
    CHECK(mended("We meet at 3 pm.", "Wir treffen uns um 15 Uhr.") == "Wir treffen uns um 15 Uhr. |");
    CHECK(mended("We meet at 3 pm.", "Wir treffen uns um 3 Uhr nachmittags.") ==
          "Wir treffen uns um 3 Uhr nachmittags. |");
    CHECK(mended("We meet at 9:30 a.m.", "Wir treffen uns um 21:30 Uhr.") == "Wir treffen uns um 9:30 Uhr. |");
    CHECK(mended("At 12 a.m. he woke.", "Um 12 Uhr wachte er auf.") == "Um 0 Uhr wachte er auf. |");
    CHECK(mended("At 12 p.m. he woke.", "Um 12 Uhr wachte er auf.") == "Um 12 Uhr wachte er auf. |");
    CHECK(mended("At 12 a.m. he woke.", "Um 12 Uhr.m. wachte er auf.") == "Um 0 Uhr wachte er auf. |");
    CHECK(mended("At 5 p.m. he woke.", "Um 17 Uhr.m. wachte er auf.") == "Um 17 Uhr wachte er auf. |");
    CHECK(mended("Um 14 Uhr.", "At 14pm.", "de", "en") == "At 2 pm. |");
    CHECK(mended("Um 11:30 Uhr.", "At 11:30 p.m. at school.", "de", "en") == "At 11:30 at school. |");
    CHECK(mended("It starts at 14:46.", "Es beginnt um 2:46.") == "Es beginnt um 14:46. |");
    CHECK(mended("Um 02:31 Uhr.", "At 02:31pm.", "de", "en") == "At 02:31. |");
    CHECK(mended("Um 15 Uhr.", "At 3 o'clock.", "de", "en") == "At 3 pm. |");
    CHECK(mended("Um 15 Uhr.", "At 3 p.m.", "de", "en") == "At 3 p.m. |");
    CHECK(mended("Um 3 Uhr.", "At three o'clock.", "de", "en") == "At three o'clock. |");
    CHECK(mended("It leaves at 6 pm.", "Er geht um 18 Uhr um 6 Uhr.") == "Er geht um 18 Uhr um 6 Uhr. | 6 pm");
}

TEST_CASE("an hour beside those of the text is a fault") {
    CHECK(mended("Um 12 Uhr vor der Schule.", "At 12 pm at school at 10 pm.", "de", "en") ==
          "At 12 pm at school at 10 pm. | 12 Uhr");
    CHECK(mended("In der Nacht.", "At 10 pm.", "de", "en") == "At 10 pm. |");
    CHECK(mended("Um acht Uhr und um 21 Uhr.", "At 8 am and at 9 pm.", "de", "en") == "At 8 am and at 9 pm. |");
}

TEST_CASE("the stop of a German ordinal becomes an English ending") {
    CHECK(mended("Das ist unser 45. Besuch.", "This is our 45. Visit.", "de", "en") == "This is our 45th Visit. |");
    CHECK(mended("der 11. und der 21. Tag", "the 11. and the 21. day", "de", "en") == "the 11th and the 21st day |");
    CHECK(mended("3. Der Hund", "3. The dog", "de", "en") == "3. The dog |");
    CHECK(mended("Er hat Nr. 5", "He has no. 5. And more", "de", "en") == "He has no. 5. And more |");
    CHECK(mended("The 45th visit", "Der 45. Besuch") == "Der 45. Besuch |");
}

TEST_CASE("a day of a month is no hour") {
    CHECK(mended("At 4 p.m. on March 5 it ended.", "Am 4. M\xc3\xa4rz endete es.") ==
          "Am 4. M\xc3\xa4rz endete es. | 4 p.m. 5");
}

TEST_CASE("marks of other times say nothing of a time") {
    CHECK(mended("At 1 p.m. (6:30 p.m.)", "Um 1 p.m. (6:30 Uhr)") == "Um 13 Uhr (18:30 Uhr) |");
    CHECK(mended("von 9 Uhr bis 18.30 Uhr", "from 9 pm to 6:30", "de", "en") == "from 9 am to 18:30 |");
    CHECK(mended("Um 18.30 Uhr", "At 6:30 in the early evening", "de", "en") == "At 6:30 in the early evening |");
}

TEST_CASE("noon, midnight, and hours in words") {
    CHECK(mended("We met at 12 noon.", "Wir trafen uns mit 12 Mittag.") == "Wir trafen uns mit 12 Uhr. |");
    CHECK(mended("It closes at 12 midnight.", "Es schlie\xc3\x9ft um 12 Mitternacht.") ==
          "Es schlie\xc3\x9ft um 0 Uhr. |");
    CHECK(mended("It was 4 a.m. when he called.", "Es war 4.m., als er rief.") == "Es war 4 Uhr, als er rief. |");
    CHECK(mended("He came at 8 o'clock in the evening.", "Er kam am Abend um 8. Uhr.") ==
          "Er kam am Abend um 20 Uhr. |");
    CHECK(mended("It was 2 at night.", "Es war 14 Uhr.") == "Es war 2 Uhr. |");
    CHECK(mended("It was 11 at night.", "Es war 11 Uhr.") == "Es war 23 Uhr. |");
    CHECK(mended("Ab 16 Uhr ist offen.", "From 16 o'clock it is open.", "de", "en") == "From 4 pm it is open. |");
    CHECK(mended("It is half past three.", "Es ist halb vier.") == "Es ist halb vier. |");
    CHECK(mended("It is half past three.", "Es ist 3:30 Uhr.") == "Es ist 3:30 Uhr. |");
    CHECK(mended("It is half past three.", "Es ist halb drei.") == "Es ist halb drei. | half past three");
    CHECK(mended("Um halb drei.", "At 2:30 pm.", "de", "en") == "At 2:30. |");
    CHECK(mended("Um halb drei.", "At half three.", "de", "en") == "At half three. | halb drei");
    CHECK(mended("Um halb 3.", "At 3.", "de", "en") == "At 3. | halb 3");
    CHECK(in("It is half past three, or half past 4 in the afternoon.", "en", "de") == "3:30 Uhr 16:30 Uhr");
    CHECK(in("Um halb drei oder um Viertel nach acht abends", "de", "en") == "2:30 8:15 pm");
    // Nobody can say how another language puts it.
    CHECK(mended("It is half past three.", "Il est trois heures et demie.", "en", "fr") ==
          "Il est trois heures et demie. |");
}

TEST_CASE("each of several times keeps its half of the day") {
    struct Case {
        const char *source, *target, *wanted;
    };
    for (const auto& [source, target, wanted] :
         {Case{"um 8 Uhr und um 20 Uhr", "at 8pm and at 8pm", "at 8 am and at 8pm |"},
          {"um 20 Uhr und um 8 Uhr", "at 8pm and at 8pm", "at 8pm and at 8 am |"},
          {"um 8 Uhr und um 20 Uhr", "at 8 am and at 8 am", "at 8 am and at 8 pm |"},
          {"um 8 Uhr und um 20 Uhr", "at 8 pm and at 8 am", "at 8 pm and at 8 am |"},  // the model moved them
          {"um 20 Uhr und um 8 Uhr", "at 8 and at 8pm", "at 8 pm and at 8 am |"},
          {"um 9:00 Uhr und 21:00 Uhr", "at 9:00 p.m. and 9:00 p.m.", "at 9:00 and 9:00 p.m. |"},
          {"um 12 Uhr oder um 0 Uhr", "at 0pm or at 0pm", "at 12 pm or at 12 am |"},
          {"um 7 Uhr, 13 Uhr und 19 Uhr", "at 7pm, 1pm and 7pm", "at 7 am, 1pm and 7pm |"},
          {"8 M\xc3\xa4nner kamen um 8 Uhr", "8 men came at 8pm", "8 men came at 8 am |"},
          {"3 M\xc3\xa4nner kamen um 15 Uhr", "Three men came at 3 am", "Three men came at 3 pm |"}})
        CHECK(mended(source, target, "de", "en") == wanted);
    for (const auto& [source, target, wanted] :
         {Case{"at 12 a.m. and at 12 p.m.", "um 12 Uhr und um 12 Uhr", "um 0 Uhr und um 12 Uhr |"},
          {"at 12 p.m. and at 12 a.m.", "um 12 Uhr und um 12 Uhr", "um 12 Uhr und um 0 Uhr |"},
          {"at 11 am, 3 pm and 11 pm", "um 11 Uhr, 3 Uhr und 11 Uhr", "um 11 Uhr, 15 Uhr und 23 Uhr |"}})
        CHECK(mended(source, target) == wanted);
    // All pairs of hours, translated to the same hour: the order decides.
    for (int first = 0; first < 24; ++first)
        for (int second = 0; second < 24; ++second) {
            const auto english = [](int hour) {
                return std::to_string((hour + 11) % 12 + 1) + (hour < 12 ? " am" : " pm");
            };
            const std::string source = "um " + std::to_string(first) + " Uhr und um " + std::to_string(second) + " Uhr";
            for (const char* half : {"pm", "am"}) {
                const auto short_hour = [](int hour) { return std::to_string((hour + 11) % 12 + 1); };
                const std::string target = "at " + short_hour(first) + " " + half + " and at " + short_hour(second) +
                                           " " + half;
                const std::string result = mended(source, target, "de", "en");
                CHECK(result == "at " + english(first) + " and at " + english(second) + " |");
            }
        }
}

TEST_CASE("a wrong hour is a number that is too many") {
    const NumberNotations notations{number_notation("de"), number_notation("en")};
    const auto forced = [&](std::string_view source, std::string target) {
        apply(compare_numbers(source, target, notations, {}, {}, 1).edits, target, {});
        return target;
    };
    CHECK(forced("um 11 Uhr und um 23 Uhr", "at 11pm and at 9pm") == "at 11 am and at 11 pm");
    CHECK(forced("um 12 Uhr oder um 0 Uhr", "at 10pm or at 0pm") == "at 12 pm or at 12 am");
    CHECK(forced("um 7 Uhr, 13 Uhr und 19 Uhr", "at 7pm, 7pm and 7pm") == "at 7 am, 1 pm and 7pm");
    CHECK(forced("Es sind 500 Hunde.", "There are dogs at 9 pm.") == "There are dogs at 9 pm.");
}

TEST_CASE("an hour in front of a marked one has its mark") {
    struct Case {
        const char *source, *target, *wanted;
    };
    for (const auto& [source, target, wanted] :
         {Case{"from 2 to 4 p.m.", "von 2 bis 4 Uhr", "von 14 bis 16 Uhr |"},
          {"from 2-3pm", "von 2-3 Uhr", "von 14-15 Uhr |"},
          {"from 1 to 2:30 p.m.", "von 1 bis 2:30 Uhr", "von 13 bis 14:30 Uhr |"},
          {"from 1:30 to 2:30 p.m.", "von 1:30 bis 2:30 Uhr", "von 13:30 bis 14:30 Uhr |"},
          {"from 10 to 4 p.m.", "von 10 bis 4 Uhr", "von 10 bis 16 Uhr |"},
          {"from 11 to 1 p.m.", "von 11 bis 1 Uhr", "von 11 bis 13 Uhr |"},
          {"from 10 to 10 p.m.", "von 10 bis 10 Uhr", "von 10 bis 22 Uhr |"},
          {"from 12 to 2 p.m.", "von 12 bis 2 Uhr", "von 12 bis 14 Uhr |"},
          {"from 10 to 12 p.m.", "von 10 bis 12 Uhr", "von 10 bis 12 Uhr |"},
          {"from 2 to 4 a.m.", "von 2 bis 4 Uhr", "von 2 bis 4 Uhr |"},
          {"between 10 and 11:30 am", "zwischen 10 und 11:30 Uhr", "zwischen 10 und 11:30 Uhr |"},
          {"at 8, 9 and 10 pm", "um 8, 9 und 10 Uhr", "um 20, 21 und 22 Uhr |"},
          {"from 2 to 4 p.m.", "von 14 Uhr bis 16 Uhr", "von 14 Uhr bis 16 Uhr |"},
          {"from 2 pm to 4 pm", "von 2 bis 4 Uhr", "von 14 bis 16 Uhr |"},
          {"8 a.m., 2 and 8 p.m.", "8 Uhr, 2 und 8 Uhr", "8 Uhr, 14 und 20 Uhr |"},
          {"8-12, 2-6 pm", "8-12, 2-6 Uhr", "8-12, 14-18 Uhr |"},
          {"aged 2 to 4, came at 4 pm", "2 bis 4 Jahre, kamen um 4 Uhr", "2 bis 4 Jahre, kamen um 16 Uhr |"},
          {"The 2 and 4 pm", "Die 2 und 4 Uhr", "Die 2 und 16 Uhr |"}})
        CHECK(mended(source, target) == wanted);
    for (const auto& [source, target, wanted] :
         {Case{"Zwischen 14 und 16 Uhr", "Between 14 and 4 pm", "Between 2 and 4 pm |"},
          {"14\xe2\x80\x93"
           "16 Uhr",
           "14-16pm", "2-4 pm |"},
          {"von 10 bis 22 Uhr", "from 10 to 10 pm", "from 10 am to 10 pm |"},
          {"von 9 bis 17 Uhr", "from 9 to 5pm", "from 9 am to 5pm |"},
          {"von 2 bis 4 Uhr", "from 2 to 4pm", "from 2 to 4 am |"},
          {"von 2 bis 4 Uhr nachmittags", "from 2 to 4pm", "from 2 to 4pm |"},
          {"von 18 bis 20:30 Uhr", "from 18 to 20:30", "from 18:00 to 20:30 |"},
          {"von 9:30 bis 11 Uhr", "from 9:30 to 11pm", "from 9:30 to 11 am |"},
          {"von 9.30 bis 11 Uhr", "from 9.30 to 11 am", "from 9.30 to 11 am |"},
          {"von 8 bis 12 Uhr", "from 8 to 12pm", "from 8 am to 12pm |"},
          {"um 8, 14 und 20 Uhr", "at 8, 14 and 8pm", "at 8 am, 2 and 8pm |"},
          {"8-12, 14-18 Uhr", "8-12, 14-6 pm", "8 am-12, 2-6 pm |"},
          {"von 14 bis 16 Uhr", "from 2 pm to 4 pm", "from 2 pm to 4 pm |"}})
        CHECK(mended(source, target, "de", "en") == wanted);
    // Other languages write hours in their own ways.
    CHECK(mended("from 2 to 4 p.m.", "de 2 a 4 p.m.", "en", "es") == "de 2 a 4 p.m. |");
    // All ranges of hours, with what models make of them.
    for (int begin = 0; begin < 24; ++begin)
        for (int end = begin + 1; end < 24; ++end) {
            const auto hour = [](int of) { return std::to_string((of + 11) % 12 + 1); };
            const auto half = [](int of) { return of < 12 ? " am" : " pm"; };
            const std::string german = "von " + std::to_string(begin) + " bis " + std::to_string(end) + " Uhr";
            const bool same = begin / 12 == end / 12;
            const std::string wanted = "from " + hour(begin) + (same ? "" : " am") + " to " + hour(end) + half(end) +
                                       " |";
            for (const char* mark : {" am", " pm"})
                CHECK(mended(german, "from " + hour(begin) + " to " + hour(end) + mark, "de", "en") == wanted);
            if (!same && begin % 12 < end % 12) continue;  // "from 2 to 4 pm" says the afternoon
            CHECK(mended("from " + hour(begin) + " to " + hour(end) + half(end),
                         "von " + hour(begin) + " bis " + hour(end) + " Uhr") == german + " |");
        }
}

TEST_CASE("marks of the other language are not left") {
    for (const auto& [source, target, wanted] : std::initializer_list<std::array<const char*, 3>>{
             {"from 9am to 5pm", "von 9am bis 5 Uhr", "von 9 Uhr bis 17 Uhr |"},
             {"Open 9am-5pm", "Offen 9am-5 Uhr", "Offen 9 Uhr-17 Uhr |"},
             {"9 a.m.-5 p.m.", "9 Uhr Uhr.m.-5 Uhr", "9 Uhr-17 Uhr |"},
             {"9 a.m.-5 p.m.", "9 a.m.-5 Uhr", "9 Uhr-17 Uhr |"},
             {"from 9 a.m. to 5 p.m.", "von 9 Uhr bis 5 p.m.", "von 9 Uhr bis 17 Uhr |"},
             {"Check-in: 3 PM, check-out: 11 AM", "Check-in: 3 PM, Check-out: 11 AM",
              "Check-in: 15 Uhr, Check-out: 11 Uhr |"},
             {"in: 3 PM, out: 12:30 PM", "in: 3 PM, out: 12:30 PM", "in: 15 Uhr, out: 12:30 Uhr |"},
             {"He came at 2 am on Monday.", "Er kam um 2 am Montag.", "Er kam um 2 Uhr am Montag. |"},
             {"He came at 2 am on Monday.", "Er kam um 2 Uhr am Montag.", "Er kam um 2 Uhr am Montag. |"}})
        CHECK(mended(source, target) == wanted);
    CHECK(mended("Er kam um 15 Uhr.", "He came at 3 Uhr.", "de", "en") == "He came at 3 pm. |");
    CHECK(mended("Er kam um 15 Uhr.", "He came at 3 Uhr nachmittags.", "de", "en") == "He came at 3 pm. |");
}

TEST_CASE("nothing is added, left out or moved") {
    CHECK(mended("In der Stadt sind 10 Menschen.", "In town, 10 people are 10.", "de", "en") ==
          "In town, 10 people are 10. | 10");
    CHECK(mended("It has 3 legs.", "Es hat drei Beine.") == "Es hat drei Beine. |");
    CHECK(mended("It has 3 legs.", "Es hat Beine.") == "Es hat Beine. | 3");
    CHECK(mended("The 2nd and the 3rd", "Der zweite und der dritte") == "Der zweite und der dritte |");
    CHECK(mended("IBAN DE89 3704 0044 0532 0130 00", "IBAN DE89 3704 0044 0532 0130 000") ==
          "IBAN DE89 3704 0044 0532 0130 000 | DE89 3704 0044 0532 0130 00");
    CHECK(mended("Rooms 201, 202, 203, 204", "Zimmer 201, 203, 202, 204") ==
          "Zimmer 201, 203, 202, 204 | 201, 202, 203, 204");
    CHECK(mended("I paid 5 000 for it.", "Ich habe 5 5 000 bezahlt.") == "Ich habe 5 5.000 bezahlt. | 5 000");
    CHECK(mended("Room 007", "Zimmer 7") == "Zimmer 007 |");
    CHECK(mended("Am 05.12.2024", "On 5 December 2024", "de", "en") == "On 5 December 2024 |");
}

TEST_CASE("a kept element with a letter behind it is one name") {
    const std::string_view text = "many v8::Contexts";
    const Range element{5, 16};
    CHECK(list(text, numbers(text, number_notation("en"), std::span(&element, 1))) == "v8::Contexts");
}

TEST_CASE("a minus that became a dash is written once") {
    CHECK(mended("Ergebnis: \u20133,4 Mio.", "result: --3.4 million", "de", "en") == "result: \u20133.4 million |");
    CHECK(mended("Ergebnis: \u20133,4 Mio.", "result: \u20143.4 million", "de", "en") == "result: \u20133.4 million |");
}

TEST_CASE("the end of a day is not its beginning") {
    CHECK(mended("Frist: 31.12., 24 Uhr", "Deadline: 31.12., 12 am", "de", "en") == "Deadline: 31.12., midnight |");
    CHECK(mended("um 0 Uhr", "at 12 am", "de", "en") == "at 12 am |");
}

TEST_CASE("numbers of rules, rooms and builds are no decimals") {
    CHECK(mended("17 CFR \u00a7 240.10b-5", "17 CFR \u00a7 240,10b-5") == "17 CFR \u00a7 240.10b-5 |");
    CHECK(mended("See eq. (4.12) there.", "Siehe Gl. (4,12) dort.") == "Siehe Gl. (4.12) dort. |");
    CHECK(mended("Room 0.17 is here.", "Zimmer 0,17 ist hier.") == "Zimmer 0.17 ist hier. |");
    CHECK(mended("Windows 11 (build 26100.2033)", "Windows 11 (Build 26100,2033)") ==
          "Windows 11 (Build 26100.2033) |");
}

TEST_CASE("nights, ends of days and laps keep their values") {
    CHECK(mended("um 12 Uhr nachts", "around 12 pm nights", "de", "en") == "around 12 am |");
    CHECK(mended("gegen 9 Uhr abends", "at 9pm evenings", "de", "en") == "at 9 pm |");
    CHECK(mended("um 2 Uhr nachts", "at 2 am", "de", "en") == "at 2 am |");
    CHECK(mended("am 31.3. um 24:00 Uhr", "on 31.3. at 00:00", "de", "en") == "on 31.3. at 24:00 |");
    CHECK(mended("um halb eins nachts", "around 12:30 nights", "de", "en") == "around 12:30 am |");
    CHECK(mended("um halb zw\u00f6lf nachts", "at 11:30", "de", "en") == "at 11:30 pm |");
}

}  // namespace numbers_test
