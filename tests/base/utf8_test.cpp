// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <doctest/doctest.h>

#include <string>

namespace dragoman::utf8_test {
namespace {

constexpr auto kValid = static_cast<std::size_t>(-1);

// The definition in the Unicode standard, read literally: decode, then look at the value and the length.
bool well_formed(const std::string& sequence) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(sequence[i]); };
    const std::size_t size = sequence.size();
    if (size == 0 || size > 4) return false;
    const unsigned lead_marks[] = {0x00, 0xc0, 0xe0, 0xf0}, lead_masks[] = {0x80, 0xe0, 0xf0, 0xf8};
    if ((byte(0) & lead_masks[size - 1]) != lead_marks[size - 1]) return false;
    unsigned long value = byte(0) & ~lead_masks[size - 1] & 0xff;
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return false;
        value = value << 6 | (byte(i) & 0x3f);
    }
    const unsigned long smallest[] = {0, 0x80, 0x800, 0x10000};
    return value >= smallest[size - 1] && value <= 0x10ffff && !(value >= 0xd800 && value <= 0xdfff);
}

TEST_CASE("the first bad byte of known strings") {
    struct Case {
        std::string text;
        std::size_t bad;
    };
    using namespace std::string_literals;
    const Case cases[] = {
        {"", kValid},
        {"plain", kValid},
        {"a\0b"s, kValid},
        {"\xc3\xa9\xe6\x97\xa5\xf0\x9f\x99\x82", kValid},
        {"\xed\x9f\xbf\xee\x80\x80", kValid},      // U+D7FF, U+E000: around the surrogates
        {"\xf4\x8f\xbf\xbf", kValid},              // U+10FFFF
        {"\xef\xbf\xbf\xef\xbb\xbf", kValid},      // U+FFFF, U+FEFF: odd, but well formed
        {"ab\x80", 2},                             // a continuation byte alone
        {"ab\xc3", 2},                             // cut
        {"ab\xc3z", 2},
        {"\xe6\x97", 0},
        {"\xc3\xa9\xf0\x9f\x99", 2},
        {"\xc0\x80", 0},                           // overlong NUL
        {"\xc1\xbf", 0},
        {"x\xe0\x9f\xbf", 1},                      // overlong in three bytes
        {"x\xf0\x8f\xbf\xbf", 1},                  // overlong in four
        {"xy\xed\xa0\x80", 2},                     // U+D800
        {"xy\xed\xbf\xbf", 2},                     // U+DFFF
        {"\xf4\x90\x80\x80", 0},                   // U+110000
        {"\xf8\x88\x80\x80\x80", 0},
        {"ok\xfe", 2},
        {"ok\xff", 2},
        {"\xe9t\xe9", 0},                          // Latin-1
    };
    for (const Case& c : cases) {
        CAPTURE(c.bad);
        CHECK(first_invalid_utf8(c.text).value_or(kValid) == c.bad);
    }
}

TEST_CASE("all sequences of one and two bytes, and telling ones of three and four, are judged as the standard says") {
    unsigned wrong = 0;
    const auto check = [&](const std::string& sequence) {
        // Preceded by a letter: the offset is that of the sequence. A shorter valid start moves it on.
        std::size_t bad = kValid;
        for (std::size_t at = 0; at < sequence.size() && bad == kValid;) {
            const auto fits = [&](std::size_t length) {
                return at + length <= sequence.size() && well_formed(sequence.substr(at, length));
            };
            std::size_t length = 1;
            while (length <= 4 && !fits(length)) ++length;
            if (length > 4) bad = at + 1;
            at += length;
        }
        wrong += first_invalid_utf8("a" + sequence).value_or(kValid) != bad;
    };
    const auto text = [](std::initializer_list<int> bytes) {
        std::string out;
        for (const int byte : bytes) out.push_back(static_cast<char>(byte));
        return out;
    };
    for (int a = 0; a < 256; ++a) {
        check(text({a}));
        for (int b = 0; b < 256; ++b) check(text({a, b}));
    }
    const int telling[] = {0x00, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf0, 0xf4, 0xff};
    for (int a = 0xc0; a < 256; ++a) {
        for (int b = 0x70; b < 0xd0; ++b) {
            for (const int c : telling) {
                check(text({a, b, c}));
                for (const int d : telling) check(text({a, b, c, d}));
            }
        }
    }
    CHECK(wrong == 0);
}

}  // namespace
}  // namespace dragoman::utf8_test
