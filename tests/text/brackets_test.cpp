// SPDX-License-Identifier: Apache-2.0
#include "text/brackets.h"

#include <doctest/doctest.h>

#include "text/edits.h"
#include "text/rows.h"

namespace brackets_test {

using namespace dragoman::text;

namespace {

std::string shown(std::string text) {
    std::vector<Edit> edits;
    for (const GluedBracket& bracket : glued_brackets(text)) edits.push_back({bracket.range, bracket.plain});
    std::ranges::sort(edits, {}, [](const Edit& edit) { return edit.range.begin; });
    apply(edits, text, {});
    return text;
}

}  // namespace

TEST_CASE("brackets beside letters have blanks for the model") {
    CHECK(shown("Read this\u3010now\u3011please.") == "Read this (now) please.");
    CHECK(shown("The book\u300eMy House\u300fis old.") == "The book \"My House\" is old.");
    CHECK(shown("The dog(a small animal)is here.") == "The dog (a small animal) is here.");
    CHECK(shown("A dog\uff08small\uff09.") == "A dog (small).");
    CHECK(shown("The house(\u5bb6)is big") == "The house (\u5bb6) is big");
    CHECK(shown("the(\u043c\u0438\u0440)house") == "the (\u043c\u0438\u0440) house");
    for (const char* other :
         {"The word(s) here", "f(x, y)is", "(a b) c", "a (b c) d", "\u3010Test\u3011 Where",
          "\u72ac\u3010\u732b\u3011\u72ac", "a(b c", "a)b c(d", "The house(\u5bb6) is",
          "\u0434\u043e\u043c(\u043c\u0438\u0440)\u0434\u043e\u043c", "f(12)is", "(", ")", "\u3011\u3010"})
        CHECK_MESSAGE(shown(other) == other, other);
}

TEST_CASE("labels in brackets of many scripts") {
    const auto label = [](std::string_view text) { return part(text, bracketed_label(text, {0, text.size()})); };
    CHECK(label("\u3010Test\u3011Where is it?") == "Test");
    CHECK(label("\uff08Important\uff09Please read.") == "Important");
    CHECK(label("\uff3bNote\uff3dThe cat") == "Note");
    CHECK(label("\u27e8Test\u27e9Where") == "Test");
    CHECK(label("\u27e6Note\u27e7The dog") == "Note");
    CHECK(label("\u3010Sale\u301150% off") == "Sale");
    for (const char* other :
         {"(Note)The dog", "\u3010Test\u3011 Where", "\u3010Test Where", "\u201eTest\u201cWo", "Test"})
        CHECK_MESSAGE(label(other) == "", other);
}

}  // namespace brackets_test
