// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "serve/api/openai/placeholders.h"

namespace openai_placeholders_test {
using namespace serve::api;

TEST_CASE("Placeholders are those of Weblate only") {
    CHECK(has_placeholders("a @@PH1@@ b"));
    CHECK(has_placeholders("@@PH@@PH22@@"));
    for (const char* text : {"", "@@PH@@", "@@PH1@", "@PH1@@", "@@ph1@@"}) CHECK_FALSE(has_placeholders(text));
}

TEST_CASE("They are elements on the way, and the text is the same again") {
    CHECK(with_elements("a @@PH1@@ & <b>\n\"c\"") == "<t><l>a <x id=\"1\"/> &amp; &lt;b&gt;</l>\n<l>\"c\"</l></t>");
    for (const std::string text :
         {"", "a", "@@PH1@@", "@@PH1@@@@PH23@@ a\n\nb @@PH1 &amp; <x id=\"4\"/> ' \" > ü", " @@PH007@@ \n"})
        CHECK(with_placeholders(with_elements(text)) == text);
}

TEST_CASE("Whatever a model makes of the elements can be read") {
    CHECK(with_placeholders("<t><l>a <x id=\"1\"></x></l></t>") == "a @@PH1@@");
    CHECK(with_placeholders("a < b") == "a ");
    CHECK(with_placeholders("&quot;&apos;&lt;&unknown;") == "\"'<&unknown;");
}

}  // namespace openai_placeholders_test
