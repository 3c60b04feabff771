// SPDX-License-Identifier: Apache-2.0
#include "files/file_set.h"
#include "text/cut_long.h"

#include <doctest/doctest.h>

#include <string>

#include "base/utf8.h"
#include "text/sentencepiece.h"

namespace dragoman::text::cut_long_test {
namespace {

// A token is a word or punctuation mark of up to four bytes, and begins anew after that.
std::size_t count_words(std::string_view text) {
    std::size_t tokens = 0, length = 0;
    for (const char c : text) {
        if (c == ' ') length = 0;
        else if (length++ % 4 == 0) ++tokens;
    }
    return tokens;
}

std::size_t count_bytes(std::string_view text) { return text.size(); }

std::vector<std::string> cut(const std::string& text, std::size_t most, const CountTokens& count) {
    std::vector<std::string> parts;
    std::size_t at = 0;
    for (const Range range : cut_long(text, {0, text.size()}, most, count)) {
        CHECK(range.begin >= at);
        for (std::size_t i = at; i < range.begin; ++i) CHECK(is_space(text[i]));
        parts.emplace_back(part(text, range));
        CHECK(count(parts.back()) <= most);
        CHECK_FALSE(first_invalid_utf8(parts.back()));
        at = range.end;
    }
    CHECK(trim(text, {at, text.size()}).size() == 0);
    return parts;
}

using Parts = std::vector<std::string>;

TEST_CASE("short enough") {
    CHECK(cut("a b c", 3, count_words) == Parts{"a b c"});
    CHECK(cut("  a b ", 3, count_words) == Parts{"a b"});
    CHECK(cut("", 3, count_words).empty());
    CHECK(cut(" \n ", 3, count_words).empty());
}

// Their number, and whether one has all of `whole`.
std::pair<std::size_t, bool> parts_with(const std::string& text, std::string_view whole, std::size_t most,
                                        std::span<const Range> together = {}) {
    std::size_t parts = 0, having = 0;
    for (const Range range : cut_long(text, {0, text.size()}, most, count_words, together)) {
        ++parts;
        having += part(text, range).find(whole) != std::string_view::npos;
    }
    return {parts, having == 1};
}

TEST_CASE("what stays as it is stands together") {
    const std::string message = "{n, plural, one {# day} other {# days}}", text = "one two make install six two";
    CHECK(parts_with("six two one two " + message + " six two one two six two", message, 16) ==
          std::pair(std::size_t(2), true));
    CHECK(parts_with(message + " six two", message, 4).second == false);  // no other place is left
    CHECK(parts_with(text, "make install", 5) == std::pair(std::size_t(2), false));
    const Range together[] = {{8, 20}};
    CHECK(parts_with(text, "make install", 5, together).second);
}

TEST_CASE("clauses before commas before words") {
    CHECK(cut("one two one two; six two, six two six two", 7, count_words) ==
          Parts{"one two one two;", "six two, six two six two"});
    CHECK(cut("one two one two - six two, six two six two", 8, count_words) ==
          Parts{"one two one two -", "six two, six two six two"});
    CHECK(cut("one two one, two six two six two six", 6, count_words) ==
          Parts{"one two one,", "two six two six two six"});
    CHECK(cut("one two one two six two six two", 6, count_words) == Parts{"one two one two", "six two six two"});
    CHECK(cut("one-two:three one,two 3:15", 4, count_words).front() == "one-two:three");
}

TEST_CASE("words that are too long are cut between characters") {
    const std::string word(1000, 'x');
    std::string joined;
    for (const std::string& piece : cut(word, 10, count_words)) joined += piece;
    CHECK(joined == word);
    CHECK(cut(word, 10, count_words).size() <= 40);
    // Marks stay with their letter where they can.
    std::string accents;
    for (int i = 0; i < 50; ++i) accents += "e\xcc\x81";
    for (const std::string& piece : cut(accents, 10, count_bytes)) CHECK(piece.starts_with("e"));
    std::string zalgo = "e";
    for (int i = 0; i < 500; ++i) zalgo += "\xcc\x81";
    joined.clear();
    for (const std::string& piece : cut(zalgo, 10, count_bytes)) joined += piece;
    CHECK(joined == zalgo);
}

TEST_CASE("Chinese has no spaces to cut at") {
    const std::string text = "一二三四五，六七八九十一二三四五六七八九十";
    const auto parts = cut(text, 30, count_bytes);
    CHECK(parts.front() == "一二三四五，");
    std::string joined;
    for (const std::string& piece : parts) joined += piece;
    CHECK(joined == text);
}

TEST_CASE("a character of more tokens than allowed stays whole") {
    const std::string text = "😀😀";
    const auto ranges = cut_long(text, {0, text.size()}, 1, count_bytes);
    REQUIRE(ranges.size() == 2);
    CHECK(part(text, ranges[0]) == "😀");
}

// Pieces behave like this: a run of unknown characters is one token.
TEST_CASE("few tokens before many: no more is counted than promised") {
    std::size_t counted = 0;
    const auto count = [&](std::string_view text) {
        counted += text.size();
        std::size_t tokens = 0;
        for (std::size_t i = 0; i < text.size(); ++i) tokens += text[i] != '#' || i == 0 || text[i - 1] != '#';
        return tokens;
    };
    for (const std::size_t size : {1'000, 100'000}) {
        counted = 0;
        const std::string text = std::string(size, '#') + std::string(size, 'x') + std::string(size, '#');
        const auto parts = cut_long(text, {0, text.size()}, 100, count);
        CHECK(parts.size() <= size / 50 + 10);
        CHECK(counted <= 12 * text.size());
        std::string joined;
        for (const Range range : parts) {
            CHECK(count(part(text, range)) <= 100);
            joined += part(text, range);
        }
        CHECK(joined == text);
    }
}

TEST_CASE("large inputs") {
    std::string words;
    while (words.size() < 1'000'000) words += "word ";
    CHECK(cut(words, 128, count_words).size() < words.size() / 5 / 64);
    const std::string letters(100'000, 'x'), spaces = "a" + std::string(1'000'000, ' ') + "b";
    const SentencePiece pieces(FileSet::open(DRAGOMAN_TEST_DATA "/toy-text")->read("source.spm"));
    const auto count = [&](std::string_view text) { return pieces.encode(text).tokens.size(); };
    CHECK(cut_long(letters, {0, letters.size()}, 128, count).size() >= 1);
    CHECK(cut_long(spaces, {0, spaces.size()}, 128, count) == std::vector<Range>{{0, spaces.size()}});
}

// Parts of what begins a text do not depend on how long it is: the work for each of them is bounded.
void check_bytes(const std::string& unit, std::size_t most) {
    const auto parts_of = [&](std::size_t times) {
        std::string text;
        for (std::size_t i = 0; i < times; ++i) text += unit;
        std::vector<Range> parts = cut_bytes(text, {0, text.size()}, most);
        std::size_t at = 0;
        for (const Range part : parts) {
            CHECK(part.size() > 0);
            CHECK(part.size() <= most + 256);
            CHECK(trim(text, {at, part.begin}).size() == 0);
            CHECK_FALSE(first_invalid_utf8(text.substr(part.begin, part.size())));
            at = part.end;
        }
        CHECK(trim(text, {at, text.size()}).size() == 0);
        return parts;
    };
    const std::size_t times = 12 * most / unit.size();
    const std::vector<Range> some = parts_of(times), more = parts_of(2 * times);
    REQUIRE(some.size() >= 12);
    for (std::size_t i = 0; i + 2 < some.size(); ++i) CHECK(some[i] == more[i]);
}

TEST_CASE("cut to bytes, looking at one part at a time") {
    for (const char* unit : {"the old house ", "5", "5 ", "\xe6\xb0\xb4", "\xf0\x9f\x98\x80", "e\xcc\x81", "\xcc\x81",
                             "(", "{", "` ", "a, b; ", "\x01x"}) {
        CAPTURE(unit);
        check_bytes(unit, 1024);
    }
    const std::string text = "one two three four five six seven";
    CHECK(cut_bytes(text, {4, 13}, 64) == std::vector<Range>{{4, 13}});
    CHECK(cut_bytes("   ", {0, 3}, 64).empty());
}

TEST_CASE("cut to bytes at the best place; the last characters of what has no blanks stay with it") {
    const std::string words = "some words in front of it, and " + std::string(90, 'x') + " more";
    const auto cut = [](const std::string& text, std::size_t most, std::span<const Range> together = {}) {
        std::vector<std::string> parts;
        for (const Range range : cut_bytes(text, {0, text.size()}, most, together))
            parts.emplace_back(part(text, range));
        return parts;
    };
    CHECK(cut(words, 100) == std::vector<std::string>{words.substr(0, 121), "more"});
    CHECK(cut("aaaa bbbb, cccc dddd eeee", 20).front() == "aaaa bbbb, cccc");
    const std::string kept = "aaaa bbbb cccc dddd eeee ffff gggg hhhh";
    CHECK(cut(kept, 32).front() == "aaaa bbbb cccc dddd eeee ffff");
    const Range later{20, 39};
    CHECK(cut(kept, 32, std::span(&later, 1)).front() == "aaaa bbbb cccc dddd");
}

}  // namespace
}  // namespace dragoman::text::cut_long_test
