// SPDX-License-Identifier: Apache-2.0
#include "serve/work/glossaries.h"

#include <doctest/doctest.h>

#include <atomic>
#include <thread>

#include "serve/work/service.h"

namespace glossaries_test {

using namespace service_test;

namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

Dictionary dictionary(const std::string& from, const std::string& to, Entries entries) {
    return {from, to, std::move(entries)};
}

}  // namespace

TEST_CASE("entries as clients send them") {
    CHECK(read_entries("Haus\thouse\r\n\n Hund \t dog\n", false) == Entries{{"Haus", "house"}, {"Hund", "dog"}});
    CHECK(read_entries("Haus,\"house, old\"\n\"sag \"\"ja\"\"\",yes", true) ==
          Entries{{"Haus", "house, old"}, {"sag \"ja\"", "yes"}});
    CHECK(read_entries("", false).empty());
    CHECK(read_entries(write_tsv({{"a", "b"}, {"c", "d"}}), false) == Entries{{"a", "b"}, {"c", "d"}});
    const auto message = [](const std::string& text, bool csv) {
        const auto problem = problem_of([&] { (void)read_entries(text, csv); });
        return problem ? std::string(problem->what()) : "";
    };
    CHECK(message("a\tb\nc\n", false).find("line 2") != std::string::npos);
    CHECK(message("a\tb\tc\n", false).find("3 fields") != std::string::npos);
    CHECK(message("a\tb\n\t\nx\t\n", false).find("line 2") != std::string::npos);
    CHECK(message("a\tb\nc\td\na\te\n", false).find("line 3") != std::string::npos);
    CHECK(message("a,\"b\n", true).find("nothing closes") != std::string::npos);
    CHECK(message("a,\"b\nc\"\nd,e", true).find("line 1") != std::string::npos);  // a line break in a term
    CHECK(message("a\tb\xff\n", false).find("byte 3") != std::string::npos);
}

TEST_CASE("glossaries are kept, changed and each owner's own") {
    const test::TempDir folder;
    std::string id;
    {
        Glossaries glossaries(folder.path() / "glossaries");
        const serve::work::Glossary made = glossaries.add("anna", "mine",
                                                          {dictionary("DE", "en", {{"Haus", "building"}})});
        id = made.id;
        CHECK(made.dictionaries[0].from == "de");
        CHECK(is(problem_of([&] { (void)glossaries.get("otto", id); }), Problem::Kind::not_found));
        CHECK(is(problem_of([&] { glossaries.remove("otto", id); }), Problem::Kind::not_found));
        CHECK(is(problem_of([&] { (void)glossaries.get("anna", "../" + id); }), Problem::Kind::not_found));
        CHECK(glossaries.list("otto").empty());
        CHECK(is(problem_of([&] { (void)glossaries.add("a", "b", {dictionary("de", "xq1", {})}); }),
                 Problem::Kind::unsupported_language));
        CHECK(is(problem_of([&] {
                     (void)glossaries.add("a", "b", {dictionary("de", "en", {}), dictionary("DE", "EN", {})});
                 }),
                 Problem::Kind::bad_request));
        CHECK(is(problem_of([&] {
                     (void)glossaries.add("a", "b", {dictionary("de", "en", {{"a", "b"}, {"a", "c"}})});
                 }),
                 Problem::Kind::bad_request));
        const std::string much(11u << 20, 'a');
        CHECK(is(problem_of([&] { (void)glossaries.add("a", "b", {dictionary("de", "en", {{much, "c"}})}); }),
                 Problem::Kind::too_large));
    }
    std::ofstream(folder.path() / "glossaries" / "00000000-0000-4000-8000-000000000000.json") << "{\"format\": 1, ";
    Glossaries glossaries(folder.path() / "glossaries");
    REQUIRE(glossaries.notes().size() == 1);
    CHECK(glossaries.notes()[0].find("broken") != std::string::npos);
    CHECK(glossaries.get("anna", id).name == "mine");
    serve::work::Glossary changed =
        glossaries.change("anna", id, "ours",
                          {dictionary("de", "en", {{"Hund", "hound"}}), dictionary("en", "de", {{"a", "b"}})}, true);
    CHECK(changed.name == "ours");
    CHECK(changed.dictionaries.size() == 2);
    CHECK(changed.dictionaries[0].entries == Entries{{"Haus", "building"}, {"Hund", "hound"}});
    changed = glossaries.change("anna", id, "", {dictionary("de", "en", {{"Hund", "dog"}})}, false);
    CHECK(changed.dictionaries[0].entries == Entries{{"Hund", "dog"}});
    changed = glossaries.remove_dictionary("anna", id, "EN", "DE");
    CHECK(changed.dictionaries.size() == 1);
    CHECK(is(problem_of([&] { (void)glossaries.remove_dictionary("anna", id, "en", "de"); }),
             Problem::Kind::not_found));
    CHECK(Glossaries(folder.path() / "glossaries").get("anna", id).name == "ours");
    glossaries.remove("anna", id);
    CHECK(Glossaries(folder.path() / "glossaries").list("anna").empty());
}

TEST_CASE("dictionaries in place of others, in any spelling, at one stroke") {
    const test::TempDir folder;
    Glossaries glossaries(folder.path() / "glossaries");
    const std::string id = glossaries.add("anna", "mine", {dictionary("de", "en", {{"Haus", "building"}})}).id;
    const auto pairs = [](const serve::work::Glossary& glossary) {
        std::vector<std::string> all;
        for (const Dictionary& each : glossary.dictionaries) all.push_back(each.from + ">" + each.to);
        return all;
    };
    for (const auto& [from, to] : {std::pair{"deu", "German"}, {"pt_BR", "zh-CN"}, {"DE", "EN-GB"}}) {
        if (from == std::string("deu")) {
            CHECK(is(problem_of([&] { (void)glossaries.replace("anna", id, "", {dictionary(from, to, {})}); }),
                     Problem::Kind::bad_request));
            CHECK(pairs(glossaries.get("anna", id)) == std::vector<std::string>{"de>en"});
            continue;
        }
        CHECK(glossaries.replace("anna", id, "", {dictionary(from, to, {{"a", "b"}})}).dictionaries.size() == 1);
    }
    const auto changed = glossaries.replace("anna", id, "ours",
                                            {dictionary("German", "fra", {{"Haus", "maison"}}),
                                             dictionary("eng", "fr", {{"house", "maison"}})});
    CHECK(pairs(changed) == std::vector<std::string>{"de>fr", "en>fr"});
    CHECK(changed.name == "ours");
    CHECK(pairs(Glossaries(folder.path() / "glossaries").get("anna", id)) == pairs(changed));
    CHECK(is(problem_of([&] { (void)glossaries.replace("otto", id, "", {dictionary("de", "en", {})}); }),
             Problem::Kind::not_found));
    // Old and new together would be more than a glossary may have.
    const std::string much(6u << 20, 'a');
    (void)glossaries.replace("anna", id, "", {dictionary("en", "de", {{much, "b"}})});
    CHECK(pairs(glossaries.replace("anna", id, "", {dictionary("en", "fr", {{much, "b"}})})) ==
          std::vector<std::string>{"en>fr"});
}

TEST_CASE("who replaces at the same time leaves one of the two") {
    Glossaries glossaries("");
    const std::string id = glossaries.add("", "mine", {dictionary("de", "en", {})}).id;
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (const std::string to : {"fr", "es", "it"})
        threads.emplace_back([&, to] {
            for (int i = 0; i < 300; ++i) {
                const auto mine = glossaries.replace("", id, "", {dictionary("en", to, {{"a", "b"}})});
                if (mine.dictionaries.size() != 1 || mine.dictionaries[0].to != to) ++wrong;
                if (glossaries.get("", id).dictionaries.size() != 1) ++wrong;
            }
        });
    for (std::thread& thread : threads) thread.join();
    CHECK(wrong == 0);
}

TEST_CASE("one owner cannot have all the room for glossaries") {
    Glossaries glossaries("");
    const Dictionary large = dictionary("de", "en", {{std::string((10u << 20) - 3, 'a'), "b"}});
    std::vector<std::string> ids;
    for (int i = 0; i < 12; ++i) ids.push_back(glossaries.add("anna", "large", {large}).id);
    const auto add = [&](const std::string& owner) {
        return problem_of([&] { (void)glossaries.add(owner, "large", {large}); });
    };
    CHECK(is(add("anna"), Problem::Kind::quota));
    CHECK_FALSE(add("otto"));
    CHECK_NOTHROW((void)glossaries.change("anna", ids[0], "another name", {}, false));
    glossaries.remove("anna", ids[0]);
    CHECK_FALSE(add("anna"));
    CHECK(is(add("anna"), Problem::Kind::quota));
}

TEST_CASE("terms change translations") {
    Models models(serving());
    Translations translations(models, {});
    Glossaries glossaries("");
    const std::string id = glossaries.add("", "terms", {dictionary("de", "en", {{"Bahnhof", "depot"}})}).id;
    const std::string more =
        glossaries.add("", "more", {dictionary("de", "en", {{"Bahnhof", "stop"}, {"Brief", "e|pistle"}})}).id;
    Ask ask = asking({"Wo ist der Bahnhof?"}, "de", "en");
    ask.terms = glossaries.terms("", {id}, "de", "en-US");
    CHECK(answer_to(translations, ask).text(0).find("depot") != std::string::npos);
    CHECK(glossaries.terms("", {id}, "de", "en-US") == ask.terms);
    ask.terms = glossaries.terms("", {more, id}, "de", "en");
    CHECK(answer_to(translations, ask).text(0).find("stop") != std::string::npos);
    ask.texts = {"Der Brief ist lang."};
    CHECK(answer_to(translations, ask).text(0).find("e|pistle") != std::string::npos);
    const std::string key = ask.terms->key();
    (void)glossaries.change("", more, "", {dictionary("de", "en", {{"Bahnhof", "halt"}})}, false);
    CHECK(glossaries.terms("", {more, id}, "de", "en")->key() != key);
    CHECK(is(problem_of([&] { (void)glossaries.terms("", {id}, "en", "de"); }), Problem::Kind::bad_request));
    CHECK(is(problem_of([&] { (void)glossaries.terms("x", {id}, "de", "en"); }), Problem::Kind::not_found));
    // One that looks like a comment, a heading, a table of another kind.
    const auto odd = Glossaries::terms_of({{"#Bahnhof", "x"}, {"source", "y"}, {"<tbx>", "z"}, {"a,\"b\"", "c"}}, "de",
                                          "en");
    CHECK(dragoman_glossary_count(odd->get()) == 4);
}

}  // namespace glossaries_test
