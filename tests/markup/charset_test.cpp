// SPDX-License-Identifier: Apache-2.0
#include "markup/charset.h"

#include <doctest/doctest.h>

#include <string>

namespace charset_test {

using dragoman::markup::declared_charset;
using dragoman::markup::is_utf8_name;

TEST_CASE("the encoding that a document says it is in") {
    CHECK(declared_charset("<!doctype html><meta charset=Windows-1252><meta charset=utf-8>", true) == "windows-1252");
    CHECK(declared_charset("<head><META http-equiv='Content-Type' content='text/html; charset=ISO-8859-1'>", true) ==
          "iso-8859-1");
    CHECK(
        declared_charset("<meta name=x content='charset=a'><meta http-equiv=content-type content='x'>", true).empty());
    CHECK(declared_charset("<!-- <meta charset=a> --><script>'<meta charset=b>'</script>", true).empty());
    CHECK(declared_charset("<meta charset=a>", false).empty());
    CHECK(declared_charset("<?xml version=\"1.0\" encoding = 'Shift_JIS'?><a/>", false) == "shift_jis");
    CHECK(declared_charset("<?xml version='1.0'?><a encoding='x'/>", false).empty());
    CHECK(declared_charset("\xef\xbb\xbf<meta charset=a>", true) == "utf-8");
    CHECK(declared_charset("\xff\xfe<", true) == "utf-16le");
    CHECK(declared_charset("", true).empty());
    CHECK(declared_charset("<?xml encoding", true).empty());
    CHECK(declared_charset(std::string(5000, ' ') + "<meta charset=a>", true).empty());
}

TEST_CASE("encodings whose bytes are UTF-8") {
    for (const char* name : {"", "utf-8", "utf8", "us-ascii"}) CHECK(is_utf8_name(name));
    for (const char* name : {"utf-16le", "latin1", "windows-1252"}) CHECK_FALSE(is_utf8_name(name));
}

}  // namespace charset_test
