// SPDX-License-Identifier: Apache-2.0
// Glossaries through dragoman.h, dragoman.hpp and `dragoman translate --glossary`.
#include <doctest/doctest.h>

#include <dragoman/dragoman.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "fixture.h"
#include "support/run_program.h"
#include "support/temp_dir.h"

namespace glossary_test {

using namespace dragoman::test;
using nlohmann::json;

namespace {

const std::string kTerms = "station\tHaltepunkt\ndog\tVierbeiner|Vierbeiners\n";

}  // namespace

TEST_CASE("a glossary's terms are in translations, and results say so") {
    const dragoman::Model model;
    dragoman::Translator translator(model);
    const auto glossary = dragoman::Glossary::read(kTerms);
    CHECK(glossary.size() == 2);
    dragoman::TranslateOptions options;
    options.target_language = "de";
    options.glossary = glossary.get();
    const std::string_view texts[] = {"Where is the station? I have a dog.", "Good morning!"};
    const dragoman::Result result = translator.translate(texts, options);
    CHECK(result.text(0).find("Haltepunkt") != std::string_view::npos);
    CHECK(result.text(0).find("Vierbeiner") != std::string_view::npos);
    const auto terms = result.terms(0, 0, 1);
    REQUIRE(terms.size() == 1);
    CHECK(terms[0].met == 1);
    CHECK(texts[0].substr(terms[0].source_begin, terms[0].source_end - terms[0].source_begin) == "dog");
    CHECK(result.terms(1, 0, 0).empty());
    dragoman_term term;
    dragoman_term_init(&term);
    check_error(dragoman_result_term(result.get(), 0, 0, 1, 1, &term), DRAGOMAN_INVALID_ARGUMENT,
                {"index: 1", "1 terms"});
    CHECK(dragoman_result_term_count(nullptr, 0, 0, 0) == 0);

    options.keep_spans = 1;
    const std::string kept(translator.translate("Hello {user_name}, the station is %1$s.", options));
    for (const char* part : {"{user_name}", "%1$s", "Haltepunkt"}) {
        CHECK(kept.find(part) != std::string::npos);
        CHECK(kept.find(part) == kept.rfind(part));
    }
    options.keep_spans = 0;
    options.glossary = nullptr;
    CHECK(translator.translate("Good morning!", options) == result.text(1));
    CHECK(translator.translate("Where is the station?", options).find("Haltepunkt") == std::string::npos);
}

TEST_CASE("a job keeps its glossary") {
    const dragoman::Model model;
    dragoman::Translator translator(model);
    dragoman::TranslateOptions options;
    options.target_language = "de";
    std::optional<dragoman::Glossary> glossary(dragoman::Glossary::read(kTerms));
    options.glossary = glossary->get();
    const std::string_view texts[] = {"Where is the station?"};
    dragoman::Job job = translator.submit(texts, options);
    glossary.reset();
    CHECK(job.get().text(0).find("Haltepunkt") != std::string_view::npos);
}

TEST_CASE("what is wrong with a glossary is said") {
    const TempDir folder;
    dragoman_glossary* glossary = nullptr;
    check_error(dragoman_glossary_load("/no/such.tsv", nullptr, nullptr, &glossary), DRAGOMAN_IO_ERROR,
                {"/no/such.tsv"});
    const std::string path = folder.write("terms.tsv", "one\teins\ntwo\n").string();
    check_error(dragoman_glossary_load(path.c_str(), nullptr, nullptr, &glossary), DRAGOMAN_INVALID_ARGUMENT,
                {"terms.tsv", "2"});
    const dragoman_string tbx = dragoman_str("<tbx");
    check_error(dragoman_glossary_read(&tbx, "en", "de", &glossary), DRAGOMAN_INVALID_ARGUMENT, {});
    CHECK(glossary == nullptr);
    CHECK(dragoman_glossary_count(nullptr) == 0);
}

TEST_CASE("the tool's --glossary") {
    const TempDir folder;
    const std::string path = folder.write("terms.tsv", kTerms).string();
    const Run found = run(DRAGOMAN_CLI,
                          {"translate", "--to", "de", "--glossary", path, "--json", "Where is the station?"}, "", "");
    CAPTURE(found.err);
    REQUIRE(found.exit_code == 0);
    const json hypothesis = json::parse(found.out)["hypotheses"][0];
    CHECK(hypothesis["text"].get<std::string>().find("Haltepunkt") != std::string::npos);
    CHECK(hypothesis["sentences"][0]["terms"][0]["met"] == true);
    const Run forms = run(DRAGOMAN_CLI, {"translate", "--to", "de", "--glossary", path, "I have a dog."}, "", "");
    CHECK(forms.out.find("Vierbeiner") != std::string::npos);
    CHECK(run(DRAGOMAN_CLI, {"translate", "--to", "de", "--glossary", "/no/such.tsv", "x"}, "", "").exit_code == 1);
}

}  // namespace glossary_test
