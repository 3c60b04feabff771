// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "process.h"

using namespace dragoman::test;

TEST_CASE("the README shows samples/hello/hello.c") {
    const std::string readme = read_file(DRAGOMAN_SOURCE "/README.md");
    const std::string sample = read_file(DRAGOMAN_SOURCE "/samples/hello/hello.c");
    REQUIRE(!sample.empty());
    CHECK(readme.find("```c\n" + sample + "```\n") != std::string::npos);
}

TEST_CASE("hello translates, and says what is wrong") {
    const std::string model = DRAGOMAN_TEST_DATA "/aren-transliteration";
    const Run good = run(DRAGOMAN_HELLO, {model, "آ", "ت", "ز", "م", "و", "ن"});
    CHECK(good.exit_code == 0);
    CHECK(good.out == "a t z m o n\n");
    const Run bad = run(DRAGOMAN_HELLO, {"/no/such/model", "x"});
    CHECK(bad.exit_code == 1);
    CHECK(bad.err.find("io_error: ") != std::string::npos);
    CHECK(bad.err.find("/no/such/model") != std::string::npos);
    CHECK(run(DRAGOMAN_HELLO, {}).exit_code == 2);
}
