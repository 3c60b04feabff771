// SPDX-License-Identifier: Apache-2.0
#include "text/normalize.h"

#include <doctest/doctest.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>

#include <random>

#include "base/utf8.h"
#include "text/characters.h"

namespace dragoman::text::normalize_test {
namespace {

TEST_CASE("zero-width spaces inside words mean nothing") {
    CHECK(normalize("of\xe2\x80\x8b"
                    "fice")
              .text == "office");
    CHECK(normalize("of \xe2\x80\x8b"
                    "fice")
              .text ==
          "of \xe2\x80\x8b"
          "fice");
    const std::string thai = "\xe0\xb8\x81\xe2\x80\x8b\xe0\xb8\x81";
    CHECK(normalize(thai).text == thai);
}

TEST_CASE("composed characters") {
    CHECK(normalize("Mu\xcc\x88ller").text == "M\xc3\xbcller");
    CHECK(normalize("e\xcc\x81\xcc\xa3").text == "\xe1\xba\xb9\xcc\x81");           // marks in canonical order
    CHECK(normalize("\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab").text == "\xed\x95\x9c");  // Hangul jamo
    CHECK(normalize("\xe2\x84\xab").text == "\xc3\x85");                             // ANGSTROM SIGN
    CHECK(normalize("\xef\xac\x81 \xc2\xb2 \xef\xbc\xa1").text ==
          "\xef\xac\x81 \xc2\xb2 \xef\xbc\xa1");  // compatibility stays
}

TEST_CASE("white space") {
    CHECK(normalize("a\tb\xc2\xa0"
                    "c\xe2\x80\xaf"
                    "d\xe3\x80\x80"
                    "e\xe2\x80\x89"
                    "f")
              .text == "a b c d e f");
    CHECK(normalize("a  b").text == "a  b");
    CHECK(normalize("a\nb").text == "a b");
    CHECK(normalize("a \r\n  b").text == "a b");
    CHECK(normalize("a\xe2\x80\xa8"
                    "b\x0b"
                    "c\xc2\x85"
                    "d")
              .text == "a b c d");
    CHECK(normalize("\xe4\xbd\xa0\n\xe5\xa5\xbd").text == "\xe4\xbd\xa0\xe5\xa5\xbd");
    CHECK(normalize("\xe4\xbd\xa0 \xe5\xa5\xbd").text == "\xe4\xbd\xa0 \xe5\xa5\xbd");
    CHECK(normalize("\xe4\xbd\xa0\nb").text == "\xe4\xbd\xa0 b");
    CHECK(normalize("コーヒー\n飲む").text == "コーヒー飲む");
    CHECK(normalize("か\u3099\n飲む").text == "が飲む");
    CHECK(normalize("さ\n\u3099飲む").text == "ざ飲む");
    CHECK(normalize("说“好。”\n“好。”").text == "说“好。”“好。”");
    CHECK(normalize("he said \"好\"\nso").text == "he said \"好\" so");
}

TEST_CASE("what nobody sees") {
    CHECK(normalize("\xef\xbb\xbfText").text == "Text");
    CHECK(normalize("Donau\xc2\xad"
                    "dampf\xc2\xad"
                    "schiff")
              .text == "Donaudampfschiff");
    CHECK(normalize(std::string("a\0b\x01\x7f"
                                "c\xc2\x80",
                                8))
              .text == "abc");
    CHECK(normalize("\xe2\x80\xaa"
                    "abc\xe2\x80\xac\xe2\x80\x8e\xe2\x81\xa0")
              .text == "abc");
    // Joiners and variation selectors mean something.
    const std::string family = "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7 \xe2\x9d\xa4\xef\xb8\x8f";
    CHECK(normalize(family).text == family);
    const std::string persian = "\xd9\x85\xdb\x8c\xe2\x80\x8c\xd8\xb1\xd9\x88\xd9\x85";
    CHECK(normalize(persian).text == persian);
}

TEST_CASE("plain and empty") {
    CHECK(normalize("").text == "");
    CHECK(normalize("Plain text, 100 %.").text == "Plain text, 100 %.");
}

TEST_CASE("any text stays UTF-8, and normalising twice changes nothing more") {
    std::mt19937 random(3);
    for (int i = 0; i < 20000; ++i) {
        std::string text;
        for (std::size_t left = random() % 30; left > 0; --left) {
            switch (random() % 5) {
                case 0: text += char(random() % 0x80); break;
                case 1: text += {char(0xc2 + random() % 0x1e), char(0x80 + random() % 0x40)}; break;
                case 2:
                    text += {char(0xe1 + random() % 12), char(0x80 + random() % 0x40), char(0x80 + random() % 0x40)};
                    break;
                case 3:
                    text += {char(0xf1 + random() % 3), char(0x80 + random() % 0x40), char(0x80 + random() % 0x40),
                             char(0x80 + random() % 0x40)};
                    break;
                default: text += {char(0xcc), char(0x80 + random() % 0x40)}; break;
            }
        }
        REQUIRE_FALSE(first_invalid_utf8(text));
        const std::string once = normalize(text).text;
        if (first_invalid_utf8(once) || normalize(once).text != once) {
            CAPTURE(text);
            CHECK_FALSE(first_invalid_utf8(once));
            CHECK(normalize(once).text == once);
        }
        for (std::size_t at = 0; at < once.size();) {
            const int32_t c = next_character(once, at);
            if (is_invisible(c) || (is_space(c) && c != ' ')) FAIL_CHECK("left: " << c);
        }
    }
}

TEST_CASE("the form is Unicode's NFC, as of the text as a whole") {
    UErrorCode status = U_ZERO_ERROR;
    const UNormalizer2* nfc = unorm2_getNFCInstance(&status);
    constexpr char16_t kFirst[] = {'A',    0xc0,   0x300,  0x5b0,  0x900,  0xe30,
                                   0x1100, 0x1e00, 0x304b, 0x3099, 0xac00, 0xfb1d};
    std::mt19937 random(7);
    for (int i = 0; i < 20000; ++i) {
        std::u16string wide;
        for (std::size_t left = random() % 12; left > 0; --left)
            wide += char16_t(kFirst[random() % std::size(kFirst)] + random() % 0x20);
        const auto utf8 = [&](const std::u16string& from) {
            std::string to(3 * from.size(), 0);
            int32_t size = 0;
            u_strToUTF8(to.data(), int32_t(to.size()), &size, from.data(), int32_t(from.size()), &status);
            to.resize(std::size_t(size));
            return to;
        };
        std::u16string whole(4 * wide.size(), 0);
        whole.resize(std::size_t(unorm2_normalize(nfc, wide.data(), int32_t(wide.size()), whole.data(),
                                                  int32_t(whole.size()), &status)));
        REQUIRE(U_SUCCESS(status));
        REQUIRE(normalize(utf8(wide)).text == utf8(whole));
    }
}

TEST_CASE("what is normal knows where it came from") {
    const auto source = [](const std::string& text, Range range) { return normalize(text).map.source(range); };
    CHECK(normalize("Plain text").map.is_identity());
    CHECK(normalize("schöne Größe, 你好").map.is_identity());
    CHECK_FALSE(normalize("a\tb").map.is_identity());
    CHECK(source("Mu\xcc\x88ller", {0, 7}) == Range{0, 8});
    CHECK(source("Mu\xcc\x88ller", {1, 3}) == Range{1, 4});
    CHECK(source("Mu\xcc\x88ller", {2, 4}) == Range{1, 5});  // from inside a composed character
    CHECK(source("Mu\xcc\x88ller", {3, 4}) == Range{4, 5});
    CHECK(source("a \r\n  b", {0, 1}) == Range{0, 1});
    CHECK(source("a \r\n  b", {1, 2}) == Range{1, 6});
    CHECK(source("a \r\n  b", {2, 3}) == Range{6, 7});
    CHECK(source("a \r\n  b", {2, 2}) == Range{6, 6});
    CHECK(source("\xef\xbb\xbfText", {0, 4}) == Range{3, 7});
    CHECK(source("Donau\xc2\xad"
                 "dampf\xe2\x80\x8e",
                 {0, 5}) == Range{0, 5});
    CHECK(source("Donau\xc2\xad"
                 "dampf\xe2\x80\x8e",
                 {4, 6}) == Range{4, 8});
    CHECK(source("Donau\xc2\xad"
                 "dampf\xe2\x80\x8e",
                 {5, 10}) == Range{7, 12});
    CHECK(source("e\xc2\xad\xcc\x81", {0, 2}) == Range{0, 5});
    CHECK(source("さ\n\u3099", {0, 3}) == Range{0, 7});
    CHECK(source("你\n好", {0, 6}) == Range{0, 7});
    CHECK(source("你\n好", {3, 6}) == Range{4, 7});
}

}  // namespace
}  // namespace dragoman::text::normalize_test
