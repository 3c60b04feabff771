// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "registry/filter_expression.h"
#include "registry/packing.h"
#include "registry/safe_text.h"
#include "registry/text_template.h"
#include "registry/versions.h"
#include "support/refused.h"

namespace templates_test {
using namespace dragoman;
using namespace dragoman::registry;

TEST_CASE("A template refers to an item's fields, to the list, to columns and to parts") {
    const auto list = nlohmann::json::parse(R"({"base": "https://a", "items": []})");
    const auto value = nlohmann::json::parse(
        R"({"from": "de", "size": 12, "files": [{"path": "m.bin"}], "tags": {"lv": "Latvian", "lt": "Lithuanian"},
            "names": ["a", "b"], "none": null, "empty": "", "a/b": "slash"})");
    const Item item{&value, &list, {"one", "", "three"}, {{"run", "r7"}}};
    const auto filled = [&](const char* text) { return TextTemplate(text).fill(item); };
    CHECK(filled("{/from}-{/size}") == "de-12");
    CHECK(filled("{^/base}/{/files/0/path}") == "https://a/m.bin");
    CHECK(filled("{/tags}") == "lt lv");
    CHECK(filled("{/names}") == "a b");
    CHECK(filled("{/a~1b}") == "slash");
    CHECK(filled("{1}+{3}") == "one+three");
    CHECK(filled("{run}") == "r7");
    CHECK(filled("{/missing|/none|2|/empty|/from}") == "de");
    CHECK(filled("text") == "text");
    CHECK(filled("") == "");
    for (const char* nothing : {"{/missing}", "x{/none}", "{/empty}", "{2}", "{4}", "{other}", "{/files/3/path}",
                                "{/files/x}", "{/from/0}", "{^/no}"})
        CHECK_MESSAGE(!filled(nothing), nothing);
    CHECK_FALSE(TextTemplate("{/a}").fill(Item{}));
}

TEST_CASE("A template that cannot be read is refused") {
    for (const char* text : {"{", "a}", "{}", "{/a", "{/a}}", "{A}", "{/a~2}", "{/a|}", "{-1}", "{12345}"})
        test::check_refused(Status::bad_model, {"expected"}, [&] { TextTemplate refused(text); });
}

TEST_CASE("Filters of records") {
    const std::map<std::string, std::string> here = {{"env.channel", "release"}, {"env.appinfo.OS", "Linux"}};
    const auto holds = [&](const char* text) { return filter_holds(text, here); };
    CHECK(holds("") == true);
    CHECK(holds("  ") == true);
    CHECK(holds("env.channel == 'default' || env.channel == 'nightly'") == false);
    CHECK(holds("env.channel != 'release'") == false);
    CHECK(holds("env.appinfo.OS != 'Android'") == true);
    CHECK(holds("env.appinfo.OS == \"Android\" && env.channel == 'release'") == false);
    CHECK(holds("env.appinfo.OS == 'Linux' && env.channel == 'release'") == true);
    CHECK(holds("!(env.channel == 'nightly') && (env.channel == 'beta' || 'Linux' == env.appinfo.OS)") == true);
    CHECK(holds("env.channel == 'nightly' || env.appinfo.OS == 'Linux' && env.channel == 'release'") == true);
    for (const char* unreadable :
         {"env.version|versionCompare('130.0') >= 0", "env.locale == 'de'", "env.channel",
          "'a' ==", "(env.channel == 'a'", "env.channel == 'a' extra", "env.channel == 'a", "true", "&&"})
        CHECK_MESSAGE(!holds(unreadable), unreadable);
    CHECK_FALSE(filter_holds(std::string(100'000, '('), here));
    CHECK_FALSE(filter_holds(std::string(100'000, '!'), here));
}

TEST_CASE("Versions are in order") {
    const char* const ordered[] = {"1.9", "2.1b2", "2.1", "3.0a1", "3.0a2", "3.0b1",
                                   "3.0", "3.0.1", "3.1", "3.9",   "3.10"};
    for (std::size_t i = 0; i < std::size(ordered); ++i)
        for (std::size_t j = 0; j < std::size(ordered); ++j) {
            INFO(ordered[i] << " " << ordered[j]);
            CHECK(version_before(ordered[i], ordered[j]) == (i < j));
        }
    CHECK(version_before("opus-2019-12-04", "opus-2020-02-26"));
    CHECK(version_before("", "1"));
    CHECK_FALSE(version_before("01", "1"));
    CHECK(version_before("9", "99999999999999999999999999"));
}

TEST_CASE("What is packed, by the name") {
    CHECK(packing_of("a.zip") == Packing::archive);
    CHECK(packing_of("a.tar.gz") == Packing::archive);
    CHECK(packing_of("a.argosmodel") == Packing::archive);
    CHECK(packing_of("m.bin.gz") == Packing::file);
    CHECK(packing_of("m.zst") == Packing::file);
    CHECK(packing_of("m.gguf") == Packing::none);
    CHECK(unpacked_name("m.bin.gz") == "m.bin");
    CHECK(unpacked_name("m.bin") == "m.bin");
    CHECK(unpacked_name(".gz") == ".gz");
}

TEST_CASE("Names, addresses and hashes from the network are looked at") {
    CHECK(checked_file_name("name", "a/b.bin") == "a/b.bin");
    for (const char* name : {"", "/a", "..", "a/../b", "a//b", "a/", "c:\\x", "a\nb", "x.", ".", "a/./b", "nul?"})
        test::check_refused(Status::bad_model, {"name: expected"}, [&] { checked_file_name("name", name); });
    for (const char* url : {"", "ftp://a/b", "https://", "file:///etc/passwd", "https://a/b c", "/a", "https:///x"})
        test::check_refused(Status::bad_model, {"url: expected"}, [&] { checked_url("url", url); });
    CHECK(checked_hash("h", "ABCD", 4) == "abcd");
    CHECK(checked_hash("h", "", 4).empty());
    test::check_refused(Status::bad_model, {"h: expected 4", "abcg"}, [&] { checked_hash("h", "abcg", 4); });
    CHECK(checked_size("s", "12") == 12);
    for (const char* size : {"-1", "1e9", "12.5", "99999999999999999999"})
        test::check_refused(Status::bad_model, {"s: expected", size}, [&] { checked_size("s", size); });
    CHECK(shown_text("a\x1b[31m\nb") == "a [31m b");
    CHECK(shown_text(std::string(299, 'a') + "\xc3\xa9") == std::string(299, 'a'));
    CHECK(file_name_of("https://h:1/a/b.zip?x=1/2#y") == "b.zip");
    CHECK(file_name_of("https://h") == "");
}

}  // namespace templates_test
