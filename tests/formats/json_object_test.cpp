// SPDX-License-Identifier: Apache-2.0
#include "formats/json_object.h"

#include <doctest/doctest.h>

#include "base/error.h"

namespace dragoman::formats::json_object_test {
namespace {

using nlohmann::json;

std::string refusal(const std::string& text, const char* where = "config.json") {
    try {
        parse_json_object(where, text);
    } catch (const Error& error) {
        CHECK(error.status() == Status::bad_model);
        return error.what();
    }
    return "nothing was thrown";
}

std::string nested(int levels) {
    return "{\"a\":" + std::string(std::size_t(levels) - 1, '[') + std::string(std::size_t(levels) - 1, ']') + "}";
}

std::string list(std::size_t items, const char* item) {
    std::string text = "{\"a\":[";
    for (std::size_t i = 0; i < items; ++i) text += (i ? "," : "") + std::string(item);
    return text + "]}";
}

TEST_CASE("values are what nlohmann's own parser makes of them") {
    for (const char* text :
         {"{}", R"({"a":1,"b":-2,"c":2.5e3,"d":"text \u00e9 \n","e":[true,false,null,[],{}],"f":{"g":{"h":[1,[2]]}}})",
          R"({"":18446744073709551615,"x":-9223372036854775808,"y":1e400000000000000000000})", "[1]", "{\"a\":1",
          "{\"a\":\"\xff\"}", "", "{} x"}) {
        CAPTURE(text);
        const json expected = json::parse(text, nullptr, false);
        if (expected.is_object()) CHECK(parse_json_object("x.json", text) == expected);
        else CHECK(refusal(text).starts_with("config.json: "));
    }
    CHECK(parse_json("x.json", "[1,\"a\"]") == json::parse("[1,\"a\"]"));
}

TEST_CASE("where a text stops to be JSON") {
    CHECK(refusal("") == "config.json: not valid JSON in UTF-8: it is empty");
    CHECK(refusal("\xef\xbb\xbf \r\n") == "config.json: not valid JSON in UTF-8: it is empty");
    CHECK(refusal("{\"a\": [1,") ==
          "config.json: not valid JSON in UTF-8: its 9 bytes end before the JSON does: it is cut short");
    CHECK(refusal("{\"a\": \"te") ==
          "config.json: not valid JSON in UTF-8: its 9 bytes end before the JSON does: it is cut short");
    CHECK(refusal("{\n\"a\": 1,\n}") == "config.json: not valid JSON in UTF-8: line 3, byte 10 of 11");
    CHECK(refusal("// a\n{}") == "config.json: not valid JSON in UTF-8: line 1, byte 0 of 7");
    CHECK(refusal(std::string(5, '\0')) == "config.json: not valid JSON in UTF-8: line 1, byte 0 of 5");
}

TEST_CASE("keys that repeat, in one object only") {
    CHECK(refusal(R"({"a":1,"b":2,"a":3})") == "config.json: expected \"a\" once, file has it twice");
    CHECK(refusal(R"({"x":[{"a":{}},{"a":[],"a":{}}]})") == "config.json: expected \"a\" once, file has it twice");
    CHECK(parse_json_object("x.json", R"({"a":{"a":[{"a":1},{"a":2}]},"b":{"a":1}})").size() == 2);
}

TEST_CASE("levels and values have an end") {
    CHECK_NOTHROW(parse_json_object("config.json", nested(64)));
    CHECK(refusal(nested(65)) == "config.json: expected at most 64 levels, file has more");
    CHECK(refusal(std::string(1'000'000, '[')) == "config.json: expected at most 64 levels, file has more");
    const std::string many = list(1'100'000, "[]");
    CHECK(refusal(many) == "config.json: expected at most 1048576 values of JSON, file has more");
    CHECK(parse_json_object("tokenizer.json", many)["a"].size() == 1'100'000);
}

}  // namespace
}  // namespace dragoman::formats::json_object_test
