// SPDX-License-Identifier: Apache-2.0
#include "serve/work/memories.h"

#include <doctest/doctest.h>

#include "serve/work/service.h"

namespace memories_test {

using namespace service_test;

namespace {

const std::string kTmx =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE tmx SYSTEM \"tmx14.dtd\">\n<!-- <tu> -->\n"
    "<tmx version=\"1.4\"><header srclang=\"de-DE\" note='a > b'/><body>\n"
    "<tu><tuv xml:lang=\"de-DE\"><seg>Wo ist der Bahnhof?</seg></tuv>"
    "<tuv xml:lang=\"en\"><seg>Which way to the depot?</seg></tuv></tu>\n"
    "<tu tuid='2'><note>x</note><tuv lang='de'><seg>A &lt; B &amp; <hi>C</hi><bpt i='1'>&lt;b></bpt>!</seg></tuv>"
    "<tuv xml:lang='en'><seg>a &#60; b</seg></tuv><tuv xml:lang='fr'><seg>a &#x3C; <![CDATA[<b>]]></seg></tuv></tu>\n"
    "</body></tmx>\n";

std::string in_utf16(const std::string& ascii) {
    std::string bytes = "\xff\xfe";
    for (const char c : ascii) bytes += c, bytes += '\0';
    return bytes;
}

}  // namespace

TEST_CASE("translation memories have a bound of bytes, for all and for a key, also after a restart") {
    const test::TempDir folder;
    const std::uint64_t size = kTmx.size(), most = 6 * size;
    const auto place = folder.path() / "memories";
    const auto add = [](Memories& memories, const std::string& owner, const std::string& tmx = kTmx) {
        return problem_of([&] { (void)memories.add(owner, "mine", tmx); });
    };
    const std::string large = kTmx + std::string(size, '\n');
    {
        Memories memories(place, most);
        CHECK_FALSE(add(memories, "anna", large));  // alone it may be more than a quarter
        const auto second = add(memories, "anna");
        CHECK(is(second, Problem::Kind::quota));
        CHECK(std::string(second->what()).find("of this key") != std::string::npos);
        CHECK_FALSE(add(memories, "otto"));
    }
    Memories memories(place, most);
    CHECK(is(add(memories, "otto"), Problem::Kind::quota));  // it knows what the files have
    for (int i = 0; i < 3; ++i) CHECK_FALSE(add(memories, ""));  // without keys all are one
    const auto last = add(memories, "");
    CHECK(is(last, Problem::Kind::quota));
    CHECK(std::string(last->what()) == "the translation memories of this service have " + std::to_string(most) +
                                           " bytes, with this one of " + std::to_string(size) + " more than the " +
                                           std::to_string(most) + " that are kept");
    memories.remove("otto", memories.list("otto").at(0).id);
    CHECK_FALSE(add(memories, "emma"));
    CHECK_FALSE(Memories(place, 1).list("anna").empty());  // what is there stays
}

TEST_CASE("translation memories are kept and each owner's own") {
    const test::TempDir folder;
    std::string id;
    {
        Memories memories(folder.path() / "memories");
        const MemoryInfo info = memories.add("anna", "mine", kTmx);
        id = info.id;
        CHECK(info.from == "de-DE");
        CHECK(info.segments == 2);
        CHECK(is(problem_of([&] { (void)memories.add("anna", "bad", "<tmx><body>"); }), Problem::Kind::bad_request));
        CHECK(is(problem_of([&] { (void)memories.add("anna", "bad", "no"); }), Problem::Kind::bad_request));
        CHECK(is(problem_of([&] {
                     (void)memories.add("anna", "bomb",
                                        "<!DOCTYPE tmx [<!ENTITY a \"aaaa\">]>" + kTmx.substr(kTmx.find("<tmx")));
                 }),
                 Problem::Kind::bad_request));
        CHECK(is(problem_of([&] { (void)memories.get("otto", id); }), Problem::Kind::not_found));
        CHECK(is(problem_of([&] { (void)memories.open("otto", id); }), Problem::Kind::not_found));
        CHECK(is(problem_of([&] { (void)memories.tmx("anna", "../" + id); }), Problem::Kind::not_found));
    }
    std::ofstream(folder.path() / "memories" / "00000000-0000-4000-8000-000000000000.json") << "no";
    std::ofstream(folder.path() / "memories" / "00000000-0000-4000-8000-000000000001.tmx") << "never promised";
    Memories memories(folder.path() / "memories");
    CHECK(memories.notes().size() == 1);
    CHECK_FALSE(std::filesystem::exists(folder.path() / "memories" / "00000000-0000-4000-8000-000000000001.tmx"));
    REQUIRE(memories.list("anna").size() == 1);
    CHECK(memories.tmx("anna", id) == kTmx);
    memories.remove("anna", id);
    CHECK(memories.list("anna").empty());
    CHECK(Memories(folder.path() / "memories").list("anna").empty());
}

TEST_CASE("segments") {
    Memories memories("");
    const std::string id = memories.add("", "de", kTmx).id;
    const auto all = memories.segments("", id, "", false, 0, 100);
    REQUIRE(all.size() == 1);  // the second unit is in German without a region
    CHECK(all[0].source == "Wo ist der Bahnhof?");
    CHECK(all[0].target == "Which way to the depot?");
    CHECK(all[0].to == "en");
    std::string plain = kTmx;
    plain.replace(plain.find("de-DE"), 5, "de");
    plain.replace(plain.find("de-DE"), 5, "de");
    const std::string two = memories.add("", "two", in_utf16(plain)).id;
    const auto found = memories.segments("", two, "", false, 0, 100);
    REQUIRE(found.size() == 3);
    CHECK(found[1].source == "A < B & C!");
    CHECK(found[1].target == "a < b");
    CHECK(found[2].target == "a < <b>");
    CHECK(found[2].to == "fr");
    CHECK(memories.segments("", two, "BAHNHOF", false, 0, 9).size() == 1);
    CHECK(memories.segments("", two, "BAHNHOF", true, 0, 9).empty());
    CHECK(memories.segments("", two, "", false, 1, 1)[0].target == "a < b");
    CHECK(memories.get("", two).to == std::vector<std::string>{"en", "fr"});
}

TEST_CASE("a translation memory translates what it has") {
    Models models(serving());
    Translations translations(models, {});
    Memories memories("");
    const std::string id = memories.add("", "de", kTmx).id;
    Ask ask = asking({"Wo ist der Bahnhof?"}, "de", "en");
    const std::string plain = answer_to(translations, ask).text(0);
    ask.memory = memories.open("", id);
    CHECK(memories.open("", id) == ask.memory);
    const Answer answer = answer_to(translations, ask);
    CHECK(answer.text(0) == "Which way to the depot?");
    CHECK((answer.result->sentence(0, 0, 0).flags & DRAGOMAN_SENTENCE_FROM_MEMORY) != 0);
    ask.memory = nullptr;
    CHECK(answer_to(translations, ask).text(0) == plain);
}

}  // namespace memories_test
