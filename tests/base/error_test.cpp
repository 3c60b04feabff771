// SPDX-License-Identifier: Apache-2.0
#include "base/error.h"

#include <doctest/doctest.h>

#include <string>

namespace error_test {

using namespace dragoman;

TEST_CASE("an error carries its status and a formatted message") {
    try {
        fail(Status::bad_model, "{}: expected {}x{}, file has {}x{}", "weight", 512, 2048, 512, 1536);
    } catch (const Error& error) {
        CHECK(error.status() == Status::bad_model);
        CHECK(std::string(error.what()) == "weight: expected 512x2048, file has 512x1536");
        return;
    }
    FAIL("nothing was thrown");
}

TEST_CASE("a failed assertion is an internal error that names the condition and the place") {
    const int three = 3;
    CHECK_NOTHROW(DRAGOMAN_ASSERT(three == 3));
    try {
        DRAGOMAN_ASSERT(three == 4);
    } catch (const Error& error) {
        CHECK(error.status() == Status::internal);
        const std::string message = error.what();
        CHECK(message.find("three == 4") != std::string::npos);
        CHECK(message.find("error_test.cpp") != std::string::npos);
        return;
    }
    FAIL("nothing was thrown");
}

}  // namespace error_test
