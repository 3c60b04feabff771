// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "support/run_program.h"
#include "support/system.h"

namespace hello_test {

using namespace dragoman::test;

TEST_CASE("the tutorial shows samples/hello/hello.c") {
    const std::string tutorial = read_file(DRAGOMAN_SOURCE "/docs/tutorial.md");
    const std::string sample = read_file(DRAGOMAN_SOURCE "/samples/hello/hello.c");
    REQUIRE(!sample.empty());
    CHECK(tutorial.find("```c elsewhere=capi.hello\n" + sample + "```\n") != std::string::npos);
}

TEST_CASE("hello translates, and says what is wrong" * not_on_wine()) {
    std::ifstream file(DRAGOMAN_TEST_DATA "/huggingface/shared/expected.json");
    const auto text = nlohmann::json::parse(file).at("texts").at(0);
    const std::string coded = text.at("text");  // ">>xx<< text"
    const std::string language = coded.substr(2, coded.find("<<") - 2), rest = coded.substr(coded.find("<<") + 3);
    const std::string environment = "DRAGOMAN_MODEL='" DRAGOMAN_TEST_DATA "/huggingface/shared'";
    const Run good = run(DRAGOMAN_HELLO, {language, rest}, "", environment);
    CHECK(good.exit_code == 0);
    CHECK(good.out == text.at("translation").get<std::string>() + "\n");
    const Run bad = run(DRAGOMAN_HELLO, {"de", "x"}, "", "DRAGOMAN_MODEL=/no/such/model");
    CHECK(bad.exit_code == 1);
    CHECK(bad.err.find("io_error: ") != std::string::npos);
    CHECK(bad.err.find("/no/such/model") != std::string::npos);
    const Run unknown = run(DRAGOMAN_HELLO, {"qq", "x"}, "", environment);
    CHECK(unknown.exit_code == 1);
    CHECK(unknown.err.find("qq") != std::string::npos);
    CHECK(run(DRAGOMAN_HELLO, {}).exit_code == 2);
}

}  // namespace hello_test
