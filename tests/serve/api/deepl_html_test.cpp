// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>

#include "serve/api/deepl/html.h"

namespace deepl_html_test {
using serve::api::DeeplHtml;

TEST_CASE("Elements to ignore are marked, whatever stands around them") {
    const std::string mark = " translate=\"no\" data-kept=\"0\"";
    const auto marked = [](const std::string& html) { return DeeplHtml(html, {"x", "Keep"}).html(); };
    CHECK(marked("<x>a</x> <KEEP k=\"<x>\">b</KEEP> <xy>") ==
          "<x" + mark + ">a</x> <KEEP" + mark + " k=\"<x>\">b</KEEP> <xy>");
    CHECK(marked("<x/>") == "<x" + mark + "/>");
    for (const char* plain : {"<!-- <x> -->", "<script>'<x>'</script>", "<textarea><x></textarea>", "a < x", "<", "<x",
                              "", "<!-- <x>", "<script><x>", "<p title='<x>'>"})
        CHECK(marked(plain) == plain);
    CHECK(marked("<title>a<b</title><x>") == "<title>a<b</title><x" + mark + ">");
}

TEST_CASE("Marks are taken away, and never what the text had") {
    const std::string text = "<x translate=\"no\" data-kept=\"0\">a</x> <x>b</x>";
    const DeeplHtml html(text, {"x"});
    CHECK(html.html() != text);
    CHECK(html.restored(html.html()) == text);
}

}  // namespace deepl_html_test
