// SPDX-License-Identifier: Apache-2.0
// Spellings of languages, and where models lead.
#include <doctest/doctest.h>

#include "serve/work/catalog.h"
#include "serve/work/service.h"

namespace languages_test {

using namespace service_test;

namespace {

std::string read(const std::string& given) {
    const auto code = LanguageCode::read(given);
    return code ? code->tag() : "";
}

std::string closest_of(const std::string& wanted, const std::vector<std::string>& served) {
    std::vector<LanguageCode> codes;
    for (const std::string& tag : served) codes.push_back(LanguageCode::read(tag).value());
    const auto at = closest(LanguageCode::read(wanted).value(), codes);
    return at ? served[*at] : "";
}

std::shared_ptr<const CatalogModel> model(const std::string& name, const std::vector<std::string>& from,
                                          const std::vector<std::string>& to, bool tells = true) {
    CatalogModel made;
    made.name = made.path = name;
    made.tells_languages = tells;
    for (const auto& [given, side] : {std::pair(&from, &made.from), std::pair(&to, &made.to)})
        for (const std::string& tag : *given) {
            const auto code = LanguageCode::read(tag).value();
            side->push_back({code, tag, tag, code.name()});
        }
    return std::make_shared<const CatalogModel>(std::move(made));
}

std::string path(const Catalog& catalog, const std::string& from, const std::string& to) {
    std::string names;
    for (const auto& each : catalog.path(from, to)) names += each->name + " ";
    return names;
}

}  // namespace

TEST_CASE("codes in all spellings") {
    for (const char* german : {"de", "DE", "deu", "ger", "deu_Latn", "de_DE", "de-DE", "german", "German", "GERMAN"}) {
        CAPTURE(german);
        CHECK(LanguageCode::read(german).value().language == "de");
    }
    CHECK(read("de_DE.UTF-8") == "de-DE");
    CHECK(read("en_XX") == "en");
    CHECK(read("zt") == "zh-Hant");
    CHECK(read("zh-TW") == "zh-Hant");
    CHECK(read("zh_CN") == "zh-Hans");
    CHECK(read("zho_Hant") == "zh-Hant");
    CHECK(read("cmn_Hans") == "zh-Hans");
    CHECK(read("ZH-HANS") == "zh-Hans");
    CHECK(read("pb") == "pt-BR");
    CHECK(read("por_Latn") == "pt");
    CHECK(read("EN-GB") == "en-GB");
    CHECK(read("iw") == "he");
    CHECK(read("in") == "id");
    CHECK(read("no") == "nb");
    CHECK(read("nob_Latn") == "nb");
    CHECK(read("fil") == "tl");
    CHECK(read("pes_Arab") == "fa");
    CHECK(read("srp_Cyrl") == "sr-Cyrl");
    CHECK(read("es-419") == "es-419");
    CHECK(read("ast") == "ast");
    CHECK(read("Simplified Chinese") == "zh-Hans");
    CHECK(read("Greek") == "el");
    CHECK(read("auto").empty());
    CHECK(read("").empty());
    CHECK(read("\xff\xfe").empty());
    CHECK(read("klingonese").empty());
    CHECK(read(std::string(1000, 'a')).empty());
    CHECK(LanguageCode::read("pt-BR")->name() == "Portuguese (BR)");
}

TEST_CASE("the closest of those that are served") {
    CHECK(closest_of("en-US", {"de", "en"}) == "en");
    CHECK(closest_of("pt", {"pt-BR"}) == "pt-BR");
    CHECK(closest_of("pt", {"pt-PT", "pt-BR"}) == "pt-BR");
    CHECK(closest_of("pt-PT", {"pt-BR", "pt"}) == "pt");
    CHECK(closest_of("zh", {"zh-Hant", "zh-Hans"}) == "zh-Hans");
    CHECK(closest_of("zh-TW", {"zh-Hans", "zh-Hant"}) == "zh-Hant");
    CHECK(closest_of("zh-Hant", {"zh"}) == "zh");
    CHECK(closest_of("zh-Hant", {"zh-Hans"}).empty());
    CHECK(closest_of("no", {"nn", "nb"}) == "nb");
    CHECK(closest_of("fr", {"de", "en"}).empty());
}

TEST_CASE("ways over models") {
    const Catalog catalog({model("a", {"de"}, {"en"}), model("b", {"en"}, {"fr", "es"}), model("c", {"fr"}, {"br"}),
                           model("d", {"de"}, {"es"}), model("e", {"en"}, {"it"}, false)});
    CHECK(path(catalog, "de", "en") == "a ");
    CHECK(path(catalog, "de", "fr") == "a b ");
    CHECK(path(catalog, "de", "br") == "a b c ");
    CHECK(path(catalog, "de", "es") == "d ");
    CHECK(path(catalog, "en", "it") == "e ");
    CHECK(path(catalog, "de", "it").empty());  // its files do not say what it reads
    CHECK(path(catalog, "br", "de").empty());
    CHECK(path(catalog, "de", "de").empty());
    CHECK(catalog.translates("de", "br"));
    CHECK(catalog.translates("de", "de"));
    CHECK_FALSE(catalog.translates("de", "it"));
    CHECK_FALSE(catalog.translates("br", "de"));
    CHECK(catalog.languages().front().tag == "en");
    for (const ServedLanguage& from : catalog.languages())
        for (const ServedLanguage& to : catalog.languages()) {
            CAPTURE(from.tag + " " + to.tag);
            CHECK(catalog.translates(from.tag, to.tag) ==
                  (from.tag == to.tag || !path(catalog, from.tag, to.tag).empty()));
        }
}

TEST_CASE("languages of the shipped model, and of one with many codes") {
    const Models models(serving({DRAGOMAN_SHIPPED_MODEL, DRAGOMAN_TEST_DATA "/huggingface/nllb"}));
    CHECK(models.language("german") == "de");
    CHECK(models.language("deu_Latn") == "de");
    CHECK(models.language("zho_Hant") == "zh-Hant");
    CHECK(models.language("zt") == "zh-Hant");
    CHECK(models.language("ace_Arab") == "ace-Arab");
    CHECK(models.language("EN-US") == "en");
    CHECK(models.language("auto").empty());
    CHECK(models.translates("de", "zh-Hant"));
    CHECK(models.languages().size() > 150);
    const auto info = models.find("nllb");
    REQUIRE(info);
    CHECK(info->many_targets);
    CHECK(info->state == "known");
}

TEST_CASE("a name tells languages where files do not") {
    const test::TempDir folder;
    const std::string plain = folder.path() / "opus-mt-de-fr";
    std::filesystem::copy(DRAGOMAN_TEST_DATA "/huggingface/separate", plain);
    const Models models(serving({plain}));
    CHECK(models.translates("de", "fr"));
    CHECK_FALSE(models.translates("fr", "de"));
    CHECK_THROWS_WITH(Models(serving({DRAGOMAN_TEST_DATA "/huggingface/separate"})),
                      doctest::Contains("opus-mt-de-en"));
    CHECK_THROWS_WITH(Models(serving({DRAGOMAN_TEST_DATA "/huggingface/gpt2"})),
                      doctest::Contains("does not translate"));
    CHECK_THROWS_WITH(Models(serving({"/nowhere/at-all"})), doctest::Contains("/nowhere/at-all"));
}

}  // namespace languages_test
