// SPDX-License-Identifier: Apache-2.0
#include "text/foreign_names.h"

#include <doctest/doctest.h>

#include <string>

#include "support/in_brackets.h"

namespace foreign_names_test {

using dragoman::test::in_brackets;
using dragoman::text::has_name;

namespace {

std::string names(std::string_view text, std::string_view language = "en") {
    return in_brackets(text, dragoman::text::foreign_names(text, language));
}

}  // namespace

TEST_CASE("names have a capital and letters that the language does not write") {
    CHECK(names("Minister Ye\u015filg\u00f6z met \u0160koda in \u0141\u00f3d\u017a.") ==
          "[Ye\u015filg\u00f6z][\u0141\u00f3d\u017a]");
    CHECK(names("Ministerin Ye\u015filg\u00f6z", "de-AT") == "[Ye\u015filg\u00f6z]");
    CHECK(names("Ye\u015filg\u00f6z", "tr") == "");
    CHECK(names("Ye\u015filg\u00f6z", "") == "");
    for (const char* text : {"na\u00efve M\u00fcller and \u0153uvre", "YE\u015eILG\u00d6Z", "\u015eu",
                             "\u0141\u043e\u0434\u0437", "\u00c9cole, \u0152uvre", ""})
        CHECK_MESSAGE(names(text, "fr") == "", text);
}

TEST_CASE("names of several words that are written as one") {
    CHECK(names("The class HttpClient has toString and PayPal.") == "[HttpClient][toString][PayPal]");
    for (const char* text :
         {"MitarbeiterInnen", "HEllo hEllo HellO", "WhAt DoInG", "GmbH, PhD, iPhone", "OpenSSL", "URLs"})
        CHECK_MESSAGE(names(text, "de") == "", text);
}

TEST_CASE("a translation has a name with its ending or without, or in plain letters") {
    CHECK(has_name("Minister Ye\u015filg\u00f6z came", "Ye\u015filg\u00f6z"));
    CHECK(has_name("Erdo\u011fan's speech", "Erdo\u011fans"));
    CHECK(has_name("Erdo\u011fans Rede", "Erdo\u011fan's"));
    CHECK(has_name("in Lodz", "\u0141\u00f3d\u017a"));
    CHECK(has_name("\u0415\u0440\u0434\u043e\u0433\u0430\u043d", "Erdo\u011fan"));
    CHECK_FALSE(has_name("Minister of Jailgy", "Ye\u015filg\u00f6z"));
}

}  // namespace foreign_names_test
