// SPDX-License-Identifier: Apache-2.0
#include "text/escapes.h"

#include <doctest/doctest.h>

namespace escapes_test {

namespace {

std::size_t size_at(std::string_view text) {
    const std::size_t at = text.find('\\');
    return dragoman::text::line_escapes_end(text, at) - at;
}

}  // namespace

TEST_CASE("line breaks and tabs of programs' strings") {
    CHECK(size_at("Hi!\\n\\nDownload it") == 4);
    CHECK(size_at("here:\\n\\n%s") == 4);
    CHECK(size_at("Name\\tAge") == 2);
    CHECK(size_at("the end\\r\\n") == 4);
    CHECK(size_at("\\nDogs") == 2);
}

TEST_CASE("paths and commands are no escapes") {
    for (const char* text : {"C:\\News\\Texts", "see \\nabla", "\\nu_1", "one\\ntwo", "a \\b", "a \\", "\\n\\"})
        CHECK_MESSAGE(size_at(text) == 0, text);
    constexpr std::string_view kServer = "\\\\server\\Texts";
    CHECK(dragoman::text::line_escapes_end(kServer, kServer.rfind('\\')) == kServer.rfind('\\'));
}

}  // namespace escapes_test
