// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "serve/api/own/own.h"
#include "serve/api/own/ask.h"

namespace own_fields_test {
using namespace serve;
using Pairs = std::vector<std::pair<std::string, std::string>>;

TEST_CASE("Terms come as an object or as pairs") {
    const Pairs wanted{{"Hund", "hound"}, {"Katze", "feline"}};
    CHECK(api::own_entries({{"Hund", "hound"}, {"Katze", "feline"}}, "glossary") == wanted);
    CHECK(api::own_entries(Json::parse(R"([["Hund", "hound"], ["Katze", "feline"]])"), "glossary") == wanted);
    for (const char* wrong : {"3", R"([["Hund"]])", R"([["Hund", 3]])", R"({"Hund": ["hound"]})", R"([3])"})
        CHECK_THROWS_AS(api::own_entries(Json::parse(wrong), "glossary"), Problem);
}

TEST_CASE("Options are an object, or its text in forms") {
    CHECK(api::own_options(Json::object()) == Json::object());
    CHECK(api::own_options({{"options", {{"beam_size", 4}}}}) == Json{{"beam_size", 4}});
    CHECK(api::own_options({{"options", R"({"beam_size": 4})"}}) == Json{{"beam_size", 4}});
    for (const char* wrong : {R"({"options": 3})", R"({"options": "3"})", R"({"options": "{"})", R"({"options": []})"})
        CHECK_THROWS_AS(api::own_options(Json::parse(wrong)), Problem);
}

TEST_CASE("Errors name their code and field") {
    const http::Response response = api::own_error(Problem(Problem::Kind::missing, "to is missing", "to"));
    CHECK(response.status == 400);
    CHECK(response.body == R"({"error":{"code":"missing_field","message":"to is missing","field":"to"}})");
    CHECK(api::own_error(Problem(Problem::Kind::failed, "\xff")).body ==
          "{\"error\":{\"code\":\"failed\",\"message\":\"\xef\xbf\xbd\"}}");
    CHECK_THROWS_AS(api::own_markup({{"markup", "sgml"}}), Problem);
    CHECK(api::own_markup({{"markup", "html"}}) == DRAGOMAN_MARKUP_HTML);
}

TEST_CASE("Times are UTC") {
    const std::chrono::system_clock::time_point time{std::chrono::seconds(951782399)};
    CHECK(api::own_time(time) == "2000-02-28T23:59:59Z");
    CHECK(api::own_time({}).is_null());
}

}  // namespace own_fields_test
