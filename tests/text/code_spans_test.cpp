// SPDX-License-Identifier: Apache-2.0
#include "text/code_spans.h"

#include <doctest/doctest.h>

#include <string>

namespace code_spans_test {

using namespace dragoman::text;

TEST_CASE("calls with blanks between their arguments") {
    const auto call = [](std::string_view text) { return std::string(text.substr(0, call_end(text, 0))); };
    CHECK(call("foo(x, y) and") == "foo(x, y)");
    CHECK(call("max(3, -b, \"c\")") == "max(3, -b, \"c\")");
    CHECK(call("np.zeros(n_rows, 5)") == "np.zeros(n_rows, 5)");
    for (const char* none : {"foo(x)", "person(s)", "Smith(2019, 2020)", "sees(him, her)", "foo (x, y)", "foo(x, y",
                             "f(a, )", "foo(x, y)s", "(x, y)"})
        CHECK_MESSAGE(call(none).empty(), none);
}

TEST_CASE("addresses of IPv6") {
    for (const char* address :
         {"fe80::1ff:fe23:4567:890a%eth0", "::1", "2001:db8::/32", "2001:db8:0:1:1:1:1:1", "fe80::1"})
        CHECK_MESSAGE(is_ip6_address(address), address);
    for (const char* other :
         {"::", "std::vector", "1:2:3", "a::b::1", "12345::1", "fe80::1%", "fe80::1/", "Cafe::bad", "8:30"})
        CHECK_MESSAGE(!is_ip6_address(other), other);
}

TEST_CASE("versions that will do") {
    for (const char* requirement :
         {"numpy~=1.26", ">=3.9,<3.13", "foo==1.2.3", "python>=3.9", "a-b>=1,!=1.5,<2", "~=2.0"})
        CHECK_MESSAGE(is_requirement(requirement), requirement);
    for (const char* other : {"p<0.05", ">=3.9", "<3", "n=5", "numpy", "", "x>", "5>=3,<4", "age>30"})
        CHECK_MESSAGE(!is_requirement(other), other);
}

TEST_CASE("pairs of stars and lines around bold words") {
    const auto is_bold = [](std::string_view text, std::size_t at) { return bold_mark_end(text, at) == at + 2; };
    CHECK(is_bold("**Note:** run it", 0));
    CHECK(is_bold("**Note:** run it", 7));
    CHECK(is_bold("a __b c__.", 2));
    CHECK(is_bold("a __b c__.", 7));
    CHECK_FALSE(is_bold("2**3", 1));
    CHECK_FALSE(is_bold("**Note", 0));
    CHECK_FALSE(is_bold("a ** b ** c", 2));
    CHECK_FALSE(is_bold("***a***", 0));
}

}  // namespace code_spans_test
