// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "serve/http/form.h"
#include "serve/problem.h"

namespace form_test {

using namespace serve;
using namespace serve::http;

TEST_CASE("pairs of names and values") {
    CHECK(read_urlencoded("").empty());
    CHECK(read_urlencoded("a=1&b=x+y%20z") == FormFields{{"a", "1"}, {"b", "x y z"}});
    CHECK(read_urlencoded("a=1&a=2&a") == FormFields{{"a", "1"}, {"a", "2"}, {"a", ""}});
    CHECK(read_urlencoded("&&a==b=&=c&") == FormFields{{"a", "=b="}, {"", "c"}});
    CHECK(read_urlencoded("q=%C3%BC%e2%82%ac&%71=%26%3D%2B") ==
          FormFields{{"q", "\xc3\xbc\xe2\x82\xac"}, {"q", "&=+"}});
    CHECK(read_urlencoded("q=a;b=c") == FormFields{{"q", "a;b=c"}});
    CHECK(read_urlencoded("q=\xc3\xbc\nb") == FormFields{{"q", "\xc3\xbc\nb"}});
}

TEST_CASE("escapes") {
    CHECK(percent_decoded("a+b%2b", true) == "a b+");
    CHECK(percent_decoded("a+b%2b", false) == "a+b+");
    CHECK(percent_decoded("%00", true) == std::string(1, '\0'));
    for (const char* broken : {"%", "%4", "a=%", "a=100%&b=1", "%zz", "%4g", "%%41", "a=%u00fc"}) {
        CAPTURE(broken);
        try {
            read_urlencoded(broken);
            FAIL("was read");
        } catch (const Problem& problem) {
            CHECK(problem.kind == Problem::Kind::bad_request);
            CHECK(std::string(problem.what()).find('%') != std::string::npos);
        }
    }
}

}  // namespace form_test
