// SPDX-License-Identifier: Apache-2.0
#include "spec/language_names.h"

#include <doctest/doctest.h>

#include <utility>

namespace dragoman::spec::language_names_test {
namespace {

TEST_CASE("languages by their names, in English and their own, in any case") {
    constexpr std::pair<const char*, const char*> kNamed[] = {
        {"German", "de"},
        {"english", "en"},
        {"DEUTSCH", "de"},
        {"français", "fr"},
        {"FRANÇAIS", "fr"},
        {"Čeština", "cs"},
        {"Русский", "ru"},
        {"УКРАЇНСЬКА", "uk"},
        {"Ελληνικά", "el"},
        {"日本語", "ja"},
        {"한국어", "ko"},
        {"Qazaq", nullptr},
        {"Қазақ", "kk"},
        {"العربية", "ar"},
        {"Swahili", "sw"},
        {"Brazilian Portuguese", "pt-BR"},
        {"Simplified Chinese", "zh-Hans"},
        {"Íslenska", "is"},
        {"klingonisch", nullptr},
        {"", nullptr},
    };
    for (const auto& [name, tag] : kNamed) {
        CAPTURE(name);
        const auto found = language_named(name);
        CHECK(found.has_value() == (tag != nullptr));
        if (found && tag) CHECK(found->str() == tag);
    }
}

TEST_CASE("codes stay as they are") {
    for (const char* said : {"de", "deu_Latn", "pt-BR", "no tag", "auto", "", "xx"})
        CHECK(code_of_language(said) == said);
    CHECK(code_of_language("german") == "de");
    CHECK(LanguageTag::parse("German") == LanguageTag::parse("de"));
}

}  // namespace
}  // namespace dragoman::spec::language_names_test
