// SPDX-License-Identifier: Apache-2.0
// Items of lists, alternatives, names of other languages and placeholders are in the shipped model's translations.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "pipeline/run/translator.h"
#include "pipeline/shipped.h"

namespace lists_and_names_test {

using namespace dragoman;
using pipeline::Text;
using pipeline::TextOptions;

namespace {

void check_all(const std::vector<std::pair<std::string, std::string>>& expected, const TextOptions& text_options) {
    static const auto shared = pipeline::Translator::create(test::shipped_model());
    std::vector<Text> inputs;
    for (const auto& [text, wanted] : expected) inputs.push_back({text, {}});
    const auto found = pipeline::translate_texts(*shared, inputs, text_options, {.beam_size = 1});
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const std::string& translation = found[i].hypotheses.front().text;
        CAPTURE(translation);
        CHECK(translation.find(expected[i].second) != std::string::npos);
    }
}

const TextOptions kToGerman{.source_language = "en", .target_language = "de"};
const TextOptions kToEnglish{.source_language = "de", .target_language = "en"};

}  // namespace

TEST_CASE("no item of a list is lost") {
    check_all({{"London, Paris", "London, Paris"},
               {"mother mother", "Mutter Mutter"},
               {"no no no", "ein nein nein"},
               {"blah blah blah", "latz blatz blatz"}},
              kToGerman);
    check_all({{"Katze Katze Katze", "at cat cat"}, {"sehr sehr", "ery very"}}, kToEnglish);
}

TEST_CASE("alternatives are translated one by one") {
    check_all({{"Yes/No", "Ja/Nein"}, {"Male/Female:", "/Weiblich:"}, {"(red/green/blue)", "/blau)"}}, kToGerman);
    check_all({{"Haus/Garten/Stra\u00dfe", "/Garden/"}, {"der/die/das", "the/the/the"}}, kToEnglish);
}

TEST_CASE("names with another language's letters keep them") {
    check_all({{"Minister Ye\u015filg\u00f6z of Justice", "Ye\u015filg\u00f6z"}}, kToGerman);
    check_all({{"Ministerin Ye\u015filg\u00f6z kam nach \u0141\u00f3d\u017a.", "Ye\u015filg\u00f6z"},
               {"\u0158eho\u0159 wohnt in Plze\u0148.", "Plze\u0148"}},
              kToEnglish);
}

TEST_CASE("labels stay labels, names of programs and signs for millions keep their sense, odd capitals are read") {
    check_all({{"iv. The fourth point", "iv. Der vierte"},
               {"II. The second chapter", "II. Das zweite"},
               {"The class HttpClient is old.", "HttpClient"},
               {"The building cost \u20ac7.2bn.", "7,2 Milliarden"},
               {"ThE HoUsE iS ReD.", "Das Haus ist rot."},
               {"Save the file\u2026", "\u2026"},
               {"The house(\u5bb6)is big.", "ist gro\u00df"}},
              kToGerman);
    check_all({{"2. Grundlagen", "2. "},
               {"III. Methoden", "III. Methods"},
               {"2. Weltkrieg", "World War II"},
               {"Es sind 2 Mio. Menschen.", "2 million people"},
               {"Die Firma verdiente 3,5 Mrd. Euro.", "3.5 billion"}},
              kToEnglish);
}

TEST_CASE("placeholders with signs before their names are kept, and sentences with several are translated") {
    check_all({{"remove the @__mention__ now", "@__mention__"},
               {"See <1>red house</1> now.", "Haus"},
               {"Hi!\\n\\nGood morning:\\n\\n%s", "\\n\\nGuten Morgen:\\n\\n%s"},
               {"The king [of France] was old.", "ankreich] war"}},
              kToGerman);
    check_all({{"\u00d6ffnen Sie { $name } oder { $b }.", "{ $name } or { $b }"},
               {"W\u00e4hlen Sie { \"{\" } oder { \"}\" }.", "{ \"{\" } or { \"}\" }"}},
              kToEnglish);
}

}  // namespace lists_and_names_test
