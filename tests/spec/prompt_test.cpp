// SPDX-License-Identifier: Apache-2.0
#include "spec/prompt.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/log.h"

namespace dragoman::spec::prompt_test {
namespace {

using Tokens = std::vector<std::string>;

std::string refused(auto&& call) {
    try {
        call();
    } catch (const Error& e) {
        CHECK(e.status() == Status::invalid_argument);
        return e.what();
    }
    return {};
}

TEST_CASE("a prompt for people") {
    const Prompts nllb{.pattern = {.source_before = {"{from}"}, .source_after = {"</s>"}, .target_begin = {"{to}"}},
                       .decoder_start = "</s>",
                       .end = "</s>"};
    CHECK(nllb.describe() == "{from} TEXT </s> => </s> {to} TEXT </s>");
    const Prompts t5{.pattern = {.text_before = "to {to_name}: ", .source_after = {"</s>"}}, .end = "</s>"};
    CHECK(t5.describe() == "to {to_name}: TEXT </s> => TEXT </s>");
}

TEST_CASE("six families spell their prompts as rows of one table") {
    struct Row {
        const char* family;
        std::vector<Language> languages;
        PromptPattern pattern;
        const char *decoder_start, *end;
        Prompt expected;  // English to German
    };
    const Row rows[] = {
        {"Marian",
         {"en", "de"},
         {.source_before = {">>{to}<<"}, .source_after = {"</s>"}, .needs_languages = false},
         "<pad>",
         "</s>",
         {.source_before = {">>de<<"}, .source_after = {"</s>"}, .decoder_start = "<pad>", .end = "</s>"}},
        {"M2M-100",
         {"en", "de"},
         {.source_before = {"__{from}__"}, .source_after = {"</s>"}, .target_begin = {"__{to}__"}},
         "</s>",
         "</s>",
         {.source_before = {"__en__"},
          .source_after = {"</s>"},
          .decoder_start = "</s>",
          .target_begin = {"__de__"},
          .end = "</s>"}},
        {"NLLB",
         {"eng_Latn", "deu_Latn"},
         {.source_before = {"{from}"}, .source_after = {"</s>"}, .target_begin = {"{to}"}},
         "</s>",
         "</s>",
         {.source_before = {"eng_Latn"},
          .source_after = {"</s>"},
          .decoder_start = "</s>",
          .target_begin = {"deu_Latn"},
          .end = "</s>"}},
        {"mBART",
         {"en_XX", "de_DE"},
         {.source_after = {"</s>", "{from}"}, .target_begin = {"{to}"}},
         "</s>",
         "</s>",
         {.source_after = {"</s>", "en_XX"}, .decoder_start = "</s>", .target_begin = {"de_DE"}, .end = "</s>"}},
        {"MADLAD",
         {"en", "de"},
         {.source_before = {"<2{to}>"}, .source_after = {"</s>"}},
         "<unk>",
         "</s>",
         {.source_before = {"<2de>"}, .source_after = {"</s>"}, .decoder_start = "<unk>", .end = "</s>"}},
        {"T5",
         {"en", "de"},
         {.text_before = "translate {from_name} to {to_name}: ", .source_after = {"</s>"}},
         "<pad>",
         "</s>",
         {.text_before = "translate English to German: ",
          .source_after = {"</s>"},
          .decoder_start = "<pad>",
          .end = "</s>"}},
    };
    for (const Row& row : rows) {
        CAPTURE(row.family);
        const Prompts prompts{.languages = {row.languages, row.languages},
                              .pattern = row.pattern,
                              .decoder_start = row.decoder_start,
                              .end = row.end};
        constexpr std::pair<const char*, const char*> kSpellings[] = {
            {"en", "de"}, {"eng", "ger"}, {"en-GB", "de_AT"}, {"EN_XX", "deu_Latn"}};
        for (const auto& [from, to] : kSpellings) CHECK(prompts.make(from, to) == row.expected);
        const std::string unknown = refused([&] { prompts.make("en", "fr"); });
        CHECK(unknown.find("target_language: \"fr\"") != std::string::npos);
        CHECK(unknown.find(row.languages[1].code) != std::string::npos);
        CHECK(refused([&] { prompts.make("xx", "de"); }).find("source_language: \"xx\"") != std::string::npos);
        const bool needs_target = row.pattern.needs_languages;
        CHECK(refused([&] { prompts.make("en", ""); }).empty() != needs_target);
    }
    const Prompts marian{
        .languages = {{}, {"de", "fr"}}, .pattern = rows[0].pattern, .decoder_start = {}, .end = "</s>"};
    CHECK(marian.make("", "").source_before.empty());
    CHECK(marian.make("", "").source_after == Tokens{"</s>"});
    CHECK(marian.make("", ">>fr<<").source_before == Tokens{">>fr<<"});
}

TEST_CASE("where a language is not there but a relative is, the log or the message says so") {
    const Prompts prompts{.languages = {{}, {"por", "srp_Cyrl", "deu", "nob"}},
                          .pattern = {.source_before = {">>{to}<<"}},
                          .decoder_start = {},
                          .end = "</s>"};
    const auto told = [&](std::string_view wanted) {
        std::string lines;
        const uint64_t sink = add_log_sink([&](LogLevel, std::string_view line) { lines += line; }, LogLevel::warning);
        prompts.make("", wanted);
        remove_log_sink(sink);
        return lines;
    };
    CHECK(told("pt-BR").find("the model has no \"pt-BR\"; its relative por (Portuguese) is used") != std::string::npos);
    CHECK(told("pt-BR").empty());  // once for a model and a tag
    CHECK(told("pt-AO").find("pt-AO") != std::string::npos);
    for (const char* same : {"pt", "por", "de", "de-AT", "sr", "sr-Cyrl", "nb", "no"}) CHECK(told(same).empty());
    const Prompts chinese{
        .languages = {{}, {"zho_Hans", "yue_Hant"}}, .pattern = prompts.pattern, .decoder_start = {}, .end = "</s>"};
    uint32_t lines = 0;
    const uint64_t sink = add_log_sink([&](LogLevel, std::string_view) { ++lines; }, LogLevel::warning);
    CHECK(chinese.make("", "zh-CN").source_before == Tokens{">>zho_Hans<<"});
    CHECK(lines == 0);
    remove_log_sink(sink);
    const std::string refusal = refused([&] { prompts.make("", "sr-Latn"); });
    CHECK(refusal.find("srp_Cyrl (Serbian (Cyrl))") != std::string::npos);
    CHECK(refusal.find("srp_Cyrl") < refusal.find("deu"));
}

TEST_CASE("a pattern's own language is meant where none is given") {
    const Prompts prompts{.languages = {{"en"}, {"de", "fr"}},
                          .pattern = {.target_begin = {"{to}"}, .default_target = "fr"},
                          .decoder_start = {},
                          .end = "</s>"};
    CHECK(prompts.make("en", "").target_begin == Tokens{"fr"});
    CHECK(prompts.make("en", "de").target_begin == Tokens{"de"});
}

TEST_CASE("a pattern may be left out where no language is given") {
    const Prompts prompts{.languages = {{"en"}, {"de", "fr"}},
                          .pattern = {.text_before = "translate {from_name} to {to_name}: ",
                                      .source_after = {"</s>"},
                                      .plain_without = true},
                          .decoder_start = {},
                          .end = "</s>"};
    CHECK(prompts.make("", "").text_before.empty());
    CHECK(prompts.make("", "").source_after == Tokens{"</s>"});
    CHECK(prompts.make("", "de").text_before == "translate English to German: ");  // the only source
    CHECK(refused([&] { prompts.make("en", ""); }).find("target_language") != std::string::npos);
}

TEST_CASE("where a language is missing, the message lists what there is") {
    std::vector<Language> many;
    for (const char* code : {"af", "am", "ar", "bg", "bn", "ca", "cs", "da", "de", "el", "en",
                             "es", "et", "fa", "fi", "fr", "he", "hi", "hr", "hu", "id"})
        many.emplace_back(code);
    const Prompts prompts{.languages = {{"en", "xx"}, many},
                          .pattern = {.source_before = {"{from}"}, .target_begin = {"{to}"}},
                          .decoder_start = {},
                          .end = {}};
    CHECK(refused([&] { prompts.make("", "de"); }) ==
          "source_language: expected one of the model's 2 languages, none was given: en (English), xx");
    const std::string listed = refused([&] { prompts.make("en", ""); });
    CHECK(listed.starts_with(
        "target_language: expected one of the model's 21 languages, none was given: af (Afrikaans), "));
    CHECK(listed.ends_with(", hu (Hungarian) ..."));
    CHECK_FALSE(prompts.needs_target());  // its sources say nothing of it
    Prompts marked{.languages = {{}, {"de", "fr"}},
                   .pattern = {.source_before = {">>{to}<<"}, .needs_languages = false},
                   .decoder_start = {},
                   .end = {}};
    CHECK(marked.needs_target());
    CHECK(refused([&] {
              marked.refuse_without_target();
          }).find("2 languages, none was given: de (German), fr (French)") != std::string::npos);
    marked.pattern.default_target = "fr";
    CHECK_FALSE(marked.needs_target());
    marked.pattern.default_target.clear();
    marked.languages.target = {"de"};
    CHECK_FALSE(marked.needs_target());
}

TEST_CASE("the model's own spelling comes first, then the tag") {
    const Languages languages{.source = {},
                              .target = {"no", "nb", "pes_Arab", "prs_Arab", "zho_Hans", "zho_Hant", "xx", "XX"}};
    const auto code = [&](std::string_view wanted) {
        const Language* found = languages.find_target(wanted);
        return found ? found->code : std::string();
    };
    CHECK(code("nb") == "nb");
    CHECK(code("no") == "no");
    CHECK(code("prs_arab") == "prs_Arab");
    CHECK(code("Persian") == "pes_Arab");
    CHECK(code("traditional chinese") == "zho_Hant");
    CHECK(code("fa") == "pes_Arab");
    CHECK(code("zh-TW") == "zho_Hant");
    CHECK(code("xx") == "xx");
    CHECK(code("XX") == "XX");
    CHECK(code("").empty());
    CHECK(refused([&] { languages.find_target("yy"); }).find("8 languages") != std::string::npos);
    CHECK(languages.find_source("anything") == nullptr);  // not told by its files
    const Languages groups{.source = {"gmw", "mul"}, .target = {}};
    CHECK(groups.find_source("de") == nullptr);
}

TEST_CASE("a plain pair, told or not") {
    const Prompts pair{
        .languages = {{"de"}, {"en"}}, .pattern = {.source_after = {"</s>"}}, .decoder_start = "<s>", .end = "</s>"};
    const Prompt prompt = pair.make("", "");
    CHECK(prompt == Prompt{.source_after = {"</s>"}, .decoder_start = "<s>", .end = "</s>"});
    CHECK(pair.make("de", "en-US") == prompt);
    CHECK(refused([&] { pair.make("", "de"); }).find("en") != std::string::npos);
    const Prompts unknown{.languages = {}, .pattern = {.source_after = {"</s>"}}, .decoder_start = {}, .end = "</s>"};
    CHECK(unknown.make("de", "").source_after == Tokens{"</s>"});
    CHECK(refused([&] { unknown.make("", "en"); }).find("no language codes") != std::string::npos);
    // A model that needs a code and has one language takes it.
    const Prompts one{
        .languages = {{"ro_RO"}, {"en_XX"}}, .pattern = {.target_begin = {"{to}"}}, .decoder_start = {}, .end = {}};
    CHECK(one.make("", "").target_begin == Tokens{"en_XX"});
}

TEST_CASE("texts that say their language themselves") {
    const auto bytes = [](const PromptPattern& pattern, std::string_view text) {
        const Prompts prompts{.languages = {{}, {"de", "fr"}}, .pattern = pattern, .decoder_start = {}, .end = {}};
        const auto found = leading_language(prompts, text);
        return found ? found->language->code + " " + std::to_string(found->bytes) : std::string();
    };
    const PromptPattern token{.source_before = {">>{to}<<"}}, word{.text_before = ">>{to}<< "},
        right_to_left{.source_after = {">>{to}<<", "</s>"}}, madlad{.source_before = {"<2{to}>"}};
    for (const PromptPattern& pattern : {token, word, right_to_left}) {
        CHECK(bytes(pattern, ">>fr<< bonjour") == "fr 6");
        CHECK(bytes(pattern, ">>de<<hallo") == "de 6");
        CHECK(bytes(pattern, ">>xx<< a").empty());
        CHECK(bytes(pattern, "a >>de<< b").empty());
    }
    CHECK(bytes(madlad, "<2de> a") == "de 5");
    // A bare code would be a word like any other; what stands in the target is no mark of a source.
    CHECK(bytes({.source_before = {"{to}"}}, "de a").empty());
    CHECK(bytes({.source_before = {"__{from}__"}, .target_begin = {"__{to}__"}}, "__de__ a").empty());
}

}  // namespace
}  // namespace dragoman::spec::prompt_test
