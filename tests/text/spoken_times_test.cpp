// SPDX-License-Identifier: Apache-2.0
#include "text/spoken_times.h"

#include <doctest/doctest.h>

#include <initializer_list>
#include <string>
#include <utility>

namespace spoken_times_test {

using namespace dragoman::text;

namespace {

std::string read(std::string_view text, const char* language) {
    std::string all;
    for (const SpokenTime& time : spoken_times(text, language)) {
        const int minute = time.minutes % 60;
        all += "[" + std::string(part(text, time.range)) + " " + std::to_string(time.minutes / 60) +
               (minute < 10 ? ":0" : ":") + std::to_string(minute) + "]";
    }
    return all;
}

using Cases = std::initializer_list<std::pair<const char*, const char*>>;

}  // namespace

TEST_CASE("times in English words") {
    for (const auto& [text, wanted] :
         Cases{{"It is half past three.", "[half past three 3:30]"},
               {"Half past 12 o'clock", "[Half past 12 o'clock 12:30]"},
               {"at a quarter to nine", "[a quarter to nine 8:45]"},
               {"a quarter past one, quarter to 1", "[a quarter past one 1:15][quarter to 1 12:45]"},
               {"It's ten past nine and it was twenty-five to two.", "[ten past nine 9:10][twenty-five to two 1:35]"},
               {"It is five minutes to twelve", "[five minutes to twelve 11:55]"},
               {"from ten to ten", ""},
               {"We were at ten to twelve houses.", ""},
               {"three and a half past years", ""},
               {"At a quarter to seven the train arrived.", "[a quarter to seven 6:45]"},
               {"A quarter to three quarters", ""},
               {"half past hour", ""}})
        CHECK(read(text, "en") == wanted);
}

TEST_CASE("times in German words") {
    for (const auto& [text, wanted] :
         Cases{{"Wir treffen uns um halb drei.", "[halb drei 2:30]"},
               {"Um halb 1 Uhr", "[halb 1 Uhr 12:30]"},
               {"Viertel nach acht, Viertel vor 9", "[Viertel nach acht 8:15][Viertel vor 9 8:45]"},
               {"um dreiviertel zw\xc3\xb6lf", "[dreiviertel zw\xc3\xb6lf 11:45]"},
               {"Es ist f\xc3\xbcnf vor halb drei.", "[f\xc3\xbcnf vor halb drei 2:25]"},
               {"Er kam um zehn nach neun an.", "[zehn nach neun 9:10]"},
               {"Es ist zehn Minuten vor zehn.", "[zehn Minuten vor zehn 9:50]"},
               {"halb so gro\xc3\x9f", ""},
               {"um halb zwei Millionen zu sparen", ""},
               {"Zehn nach neun Jahren", ""},
               {"Es ist zehn nach neun Jahren", ""},
               {"ein Viertel vor dem Tor", ""}})
        CHECK(read(text, "de-AT") == wanted);
    CHECK(read("halb drei", "en").empty());
    CHECK(read("half past three", "fr").empty());
}

}  // namespace spoken_times_test
