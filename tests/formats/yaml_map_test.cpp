// SPDX-License-Identifier: Apache-2.0
#include "formats/yaml_map.h"

#include "files/file_bytes.h"
#include "support/refused.h"

namespace dragoman::formats::yaml_map_test {
namespace {

using List = std::vector<std::string>;

TEST_CASE("scalars, lists and their kinds") {
    const YamlMap map("file",
                      "a: 12\nb: [1, x]\nc:\n  - y\n  - 'z w'\nd: true\ne: \"\"\nf: []\ng: -0.5\nh: No\n"
                      "i: ~\nj: {k: 1}\nlist of lists: [[1]]\n");
    CHECK(map.number("a", 0, 100) == 12);
    CHECK(map.number("none", 7, 100) == 7);
    CHECK(map.list("b") == List{"1", "x"});
    CHECK(map.list("c") == List{"y", "z w"});
    CHECK(map.list("a") == List{"12"});
    CHECK(map.list("f").empty());
    CHECK(map.list("none").empty());
    CHECK(map.flag("d", false));
    CHECK_FALSE(map.flag("h", true));
    CHECK(map.flag("none", true));
    CHECK(map.text("e", "absent").empty());
    CHECK(map.real("g") == -0.5);
    CHECK(map.text("i", "") == "null");
    CHECK(map.find("j")->nested);
    CHECK(map.has("list of lists"));
    const auto refuse = [&](std::initializer_list<const char*> parts, auto call) {
        test::check_refused(Status::bad_model, parts, call);
    };
    refuse({"file: b", "one value"}, [&] { map.text("b", ""); });
    refuse({"file: a", "0 to 11", "12"}, [&] { map.number("a", 0, 11); });
    refuse({"file: g", "-0.5"}, [&] { map.number("g", 0, 11); });
    refuse({"file: a", "true or false", "12"}, [&] { map.flag("a", false); });
    refuse({"file: d", "a number", "true"}, [&] { map.real("d"); });
    refuse({"file: j", "a list"}, [&] { map.list("j"); });
}

TEST_CASE("every way to write a key") {
    const YamlMap map("file", "\"\\u2581a\\\"\": 0\n'it''s': 1\n? |-\n  long\n: 2\n',': 3\n\"#\": 4\n? x\n: 5\n");
    std::vector<std::pair<std::string, std::string>> found;
    for (const auto& [key, value] : map.entries()) found.emplace_back(key, value.items.at(0));
    CHECK(found == std::vector<std::pair<std::string, std::string>>{
                       {"\u2581a\"", "0"}, {"it's", "1"}, {"long", "2"}, {",", "3"}, {"#", "4"}, {"x", "5"}});
    const YamlMap json("file", "{\"a\": 0, \"\\\\\": 1, \"\\u00e9\": 2}");
    REQUIRE(json.entries().size() == 3);
    CHECK(json.entries()[1].first == "\\");
    CHECK(json.entries()[2].first == "\u00e9");
}

TEST_CASE("anchors and aliases do not multiply") {
    const YamlMap map("file", "a: &x 1\nb: *x\nc: 3\n? *x\n: 4\nd: 5\n");
    CHECK(map.find("b")->nested);
    CHECK(map.number("c", 0, 9) == 3);
    CHECK(map.number("d", 0, 9) == 5);
}

TEST_CASE("what is no map of modest depth is refused") {
    for (const char* text : {"", "word", "- a\n- b\n", "[1, 2]"})
        test::check_refused(Status::bad_model, {"file", "YAML map"}, [&] { YamlMap("file", text); });
    test::check_refused(Status::bad_model, {"broken YAML"}, [] { YamlMap("file", "a: [1, 2"); });
    test::check_refused(Status::bad_model, {"UTF-8", "byte 3"}, [] { YamlMap("file", "a: \xff"); });
    for (const char* piece : {"[", "{a: ", "- "}) {
        std::string deep = "a: ";
        if (piece[0] == '-') deep = "a:\n  ";
        for (int i = 0; i < 100000; ++i) deep += piece;
        test::check_refused(Status::bad_model, {"levels"}, [&] { YamlMap("file", deep); });
    }
}

}  // namespace
}  // namespace dragoman::formats::yaml_map_test
