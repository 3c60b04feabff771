// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "serve/api/openai/languages.h"

namespace openai_languages_test {
using namespace serve;

work::Models& models() {
    static work::Models shipped([] {
        work::ModelsOptions options;
        options.models = {DRAGOMAN_SHIPPED_MODEL};
        options.preload = false;
        return options;
    }());
    return shipped;
}

std::string named(const std::string& prompt) {
    try {
        const api::OpenaiLanguages found = api::openai_languages(models(), prompt);
        return found.from + ">" + found.to;
    } catch (const Problem& problem) {
        return problem.what();
    }
}

TEST_CASE("Languages by names and codes") {
    CHECK(named("translating text\nfrom language 'de'\nto language 'en'\nwith precision") == "de>en");
    CHECK(named("Translate from German to English") == "de>en");
    CHECK(named("You translate German into English.") == "de>en");
    CHECK(named("Translate the following german text to english") == "de>en");
    CHECK(named("Translate from de to en.") == "de>en");
    CHECK(named("Source language: German\nTarget language: English") == "de>en");
    CHECK(named("{\"source_language\": \"de\", \"target_language\": \"en\"}") == "de>en");
    CHECK(named("Translate this into English (en).") == ">en");
    CHECK(named("Answer in German.") == ">de");
    CHECK(named("Translate the text in English into German") == "en>de");
}

TEST_CASE("Words that are codes, too, are no languages") {
    CHECK(named("Is it to be so? Say no, or go to it as I am. From me to you.") == ">");
    CHECK(named("You are a helpful assistant.") == ">");
    CHECK(named("") == ">");
}

TEST_CASE("A language that is not served is named") {
    CHECK(named("from language 'de'\nto language 'fr'") == "fr is not supported");
    CHECK(named("Translate from Polish to German") == "Polish is not supported");
    CHECK(named("Translate into Klingon, then from German to English") == "de>en");
}

}  // namespace openai_languages_test
