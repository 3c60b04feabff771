// SPDX-License-Identifier: Apache-2.0
#include "spec/language_tag.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "spec/language_table.h"

namespace dragoman::spec::language_tag_test {
namespace {

std::string tag(std::string_view text) {
    const auto found = LanguageTag::find(text);
    return found ? found->str() : "-";
}

std::string match(std::string_view wanted, const std::vector<std::string>& codes) {
    std::vector<LanguageTag> tags;
    for (const std::string& code : codes) tags.push_back(LanguageTag::parse(code));
    const auto index = best_match(LanguageTag::parse(wanted), tags);
    return index ? codes[*index] : "-";
}

TEST_CASE("codes of every kind become BCP 47") {
    for (const char* same : {"de", "pt-BR", "zh-Hant", "sr-Latn", "es-419", "haw", "zh-Hant-TW", "nb", "nn", "no"})
        CHECK(tag(same) == same);
    constexpr std::pair<const char*, const char*> cases[] = {
        {"deu", "de"},
        {"ger", "de"},
        {"DE", "de"},
        {"pt_br", "pt-BR"},
        {"zho_Hans", "zh-Hans"},
        {"zho_Hant", "zh-Hant"},
        {"de_DE", "de-DE"},
        {"en_XX", "en"},
        {"deu_Latn", "de"},
        {"srp_Cyrl", "sr-Cyrl"},
        {"SR-LATN", "sr-Latn"},
        {"cmn", "zh"},
        {"cmn_Hans", "zh-Hans"},
        {"chi", "zh"},
        {"zh_CN", "zh-CN"},
        {"nob", "nb"},
        {"arb_Arab", "ar"},
        {"arb_Latn", "ar-Latn"},
        {"pes_Arab", "fa"},
        {"prs_Arab", "fa-AF"},
        {"iw", "he"},
        {"in", "id"},
        {"tgl_Latn", "tl"},
        {"fil", "tl"},
        {"kor_Hang", "ko"},
        {"jpn_Jpan", "ja"},
        {"zsm_Latn", "ms"},
        {"als_Latn", "sq"},
        {"kas_Deva", "ks-Deva"},
        {"kas_Arab", "ks"},
        {"khk_Cyrl", "mn"},
        {"swh_Latn", "sw"},
        {"yue_Hant", "yue"},
        {"zh-yue", "yue"},
        {"nan_Latn_TW", "nan-Latn-TW"},
        {"pb", "pt-BR"},
        {"pob", "pt-BR"},
        {"ell", "el"},
        {"cmn_Hant", "zh-Hant"},
        {"zlm_Latn", "ms"},
        {"hbs", "sr-Latn"},
        {"hbs_Cyrl", "sr-Cyrl"},
        {"cnr", "sr-ME"},
        {"swc", "sw-CD"},
        {"quz", "qu"},
        {"mhr", "chm"},
        {"kng", "kg"},
        {"zt", "zh-Hant"},
        {"ns", "nso"},
        {"de_DE.UTF-8", "de-DE"},
        {"sr_RS@latin", "sr-RS"},
        {"ca-valencia", "ca"},
        {"de-1996", "de"},
        {"en-US-u-ca-gregory", "en-US"},
        {"en_xx_simple", "en"},
        {"crh_Latn", "crh-Latn"},
        {"bb", "-"},
        {"xx", "-"},
        {"", "-"},
        {"d", "-"},
        {"German", "-"},
        {"de-", "-"},
        {"de--AT", "-"},
        {"fr_29", "-"},
        {"Hans", "-"},
        {"d3", "-"},
        {"\xff", "-"},
        {"de DE", "-"},
        {"qya", "qya"},
        {"xyz", "xyz"},
    };
    for (const auto& [text, expected] : cases) {
        CAPTURE(text);
        CHECK(tag(text) == expected);
    }
    CHECK(LanguageTag().str() == "und");
    CHECK_FALSE(LanguageTag().known());
}

TEST_CASE("the table: every code names one language, and comes back from its tag") {
    std::set<std::string_view> codes;
    for (const LanguageRow& row : all_languages()) {
        CAPTURE(row.three);
        CHECK(row.three.size() == 3);
        CHECK_FALSE(row.name.empty());
        CHECK((row.script.empty() || row.script.size() == 4));
        for (const std::string_view code : {row.three, row.two, row.bibliographic})
            if (!code.empty()) CHECK(codes.insert(code).second);
        const LanguageTag found = LanguageTag::parse(row.three);
        CHECK(LanguageTag::parse(found.str()) == found);
        CHECK(found.language_name() != found.language());
    }
    CHECK(all_languages().size() > 800);
    CHECK(std::ranges::count_if(all_languages(), [](const LanguageRow& row) { return row.two.size() == 2; }) == 184);
}

TEST_CASE("names, groups, scripts") {
    CHECK(LanguageTag::parse("deu").name() == "German");
    CHECK(LanguageTag::parse("pt_BR").name() == "Portuguese (BR)");
    CHECK(LanguageTag::parse("zh-Hant-HK").name() == "Chinese (Hant, HK)");
    CHECK(LanguageTag::parse("xyz").name() == "xyz");
    CHECK(LanguageTag::parse("gmw").is_group());
    CHECK(LanguageTag::parse("mul").is_group());
    CHECK_FALSE(LanguageTag::parse("de").is_group());
    CHECK(LanguageTag::parse("zh").likely_script() == "Hans");
    CHECK(LanguageTag::parse("zh-HK").likely_script() == "Hant");
    CHECK(LanguageTag::parse("sr").likely_script() == "Cyrl");
    CHECK(LanguageTag::parse("xyz").likely_script().empty());
}

TEST_CASE("what serves a language that is asked for") {
    CHECK(match("de", {"en", "de"}) == "de");
    CHECK(match("de-AT", {"en", "de"}) == "de");
    CHECK(match("de-AT", {"en_XX", "de_DE"}) == "de_DE");
    CHECK(match("pt", {"pt-BR"}) == "pt-BR");
    CHECK(match("pt-PT", {"pt-BR", "pt"}) == "pt");
    CHECK(match("pt", {"pt-PT", "pt-BR"}) == "pt-BR");
    CHECK(match("pt-BR", {"por", "pob"}) == "pob");
    CHECK(match("pt", {"pob", "por"}) == "por");
    CHECK(match("pt-PT", {"pob", "por"}) == "por");
    CHECK(match("pt-AO", {"pt-BR", "pt-PT"}) == "pt-PT");
    CHECK(match("es-MX", {"es-ES", "es-419"}) == "es-419");
    CHECK(match("es-MX", {"es", "es-419"}) == "es");
    CHECK(match("en", {"en-GB", "en-US"}) == "en-US");
    CHECK(match("de-CH", {"de-AT", "de-DE"}) == "de-DE");
    CHECK(match("el", {"ell", "ell_Latn"}) == "ell");
    CHECK(match("nb", {"nno", "nob"}) == "nob");
    CHECK(match("ms", {"zlm_Latn", "ind"}) == "zlm_Latn");
    CHECK(match("zh-Hant", {"cmn_Hans", "cmn_Hant"}) == "cmn_Hant");
    CHECK(match("sr-Latn", {"srp_Cyrl", "srp_Latn"}) == "srp_Latn");
    CHECK(match("zh", {"zho_Hant", "zho_Hans"}) == "zho_Hans");
    CHECK(match("zh-TW", {"zho_Hans", "zho_Hant"}) == "zho_Hant");
    CHECK(match("zh-SG", {"zho_Hant", "zho_Hans"}) == "zho_Hans");
    CHECK(match("zh-Hant", {"zh"}) == "zh");
    CHECK(match("zh-Hant", {"zh_CN"}) == "zh_CN");
    CHECK(match("zh-Hant", {"zh-Hans"}) == "-");
    CHECK(match("zh-TW", {"zh-Hans"}) == "-");
    CHECK(match("sr", {"sr-Latn", "sr-Cyrl"}) == "sr-Cyrl");
    CHECK(match("sr", {"sr-Latn"}) == "sr-Latn");
    CHECK(match("sr-Latn", {"sr-Cyrl"}) == "-");
    CHECK(match("nb", {"no", "nn"}) == "no");
    CHECK(match("no", {"nno_Latn", "nob_Latn"}) == "nob_Latn");
    CHECK(match("nn", {"no"}) == "-");
    CHECK(match("fa", {"prs_Arab", "pes_Arab"}) == "pes_Arab");
    CHECK(match("fil", {"tgl_Latn"}) == "tgl_Latn");
    CHECK(match("fr", {"en", "de"}) == "-");
    CHECK(match("fr", {}) == "-");
}

TEST_CASE("what is no code is refused with the nearest") {
    const auto message = [](std::string_view text) {
        try {
            LanguageTag::parse(text);
        } catch (const Error& e) {
            CHECK(e.status() == Status::invalid_argument);
            return std::string(e.what());
        }
        return std::string();
    };
    CHECK(message("german").empty());  // a name, see language_names_test.cpp
    CHECK(message("Germn").find("de (German)") != std::string::npos);
    CHECK(message("germn").find("\"germn\"") != std::string::npos);
    CHECK(message("Portugese").find("pt (Portuguese)") != std::string::npos);
    CHECK(message("").find("expected a code") != std::string::npos);
    std::vector<LanguageTag> tags;
    for (const char* code : {"fr", "de", "da"}) tags.push_back(LanguageTag::parse(code));
    CHECK(nearest("dx", tags, 2) == std::vector<std::size_t>{1, 2});
    CHECK(nearest("French", tags, 1) == std::vector<std::size_t>{0});
    CHECK(nearest("x", {}, 2).empty());
}

}  // namespace
}  // namespace dragoman::spec::language_tag_test
