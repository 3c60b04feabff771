// SPDX-License-Identifier: Apache-2.0
#include "text/byte_bpe.h"

#include <doctest/doctest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/utf8.h"

namespace dragoman::text::byte_bpe_test {
namespace {

using nlohmann::json;
using Tokens = std::vector<std::string>;

const std::string kFolder = DRAGOMAN_TEST_DATA "/huggingface/bart/";

spec::ByteBpeSpec recorded_merges() {
    spec::ByteBpeSpec spec;
    std::ifstream file(kFolder + "merges.txt");
    for (std::string line; std::getline(file, line);)
        if (!line.starts_with("#version")) spec.merges.push_back(line);
    REQUIRE(spec.merges.size() > 100);
    return spec;
}

json recorded_tokens() {
    std::ifstream file(kFolder + "tokens.json");
    return json::parse(file);
}

// Checks the properties of ranges that token_ranges.h promises.
void check_ranges(std::string_view text, const std::vector<Range>& ranges, std::size_t tokens) {
    CAPTURE(text);
    REQUIRE(ranges.size() == tokens);
    const auto begins = [&](std::size_t at) {
        return at == text.size() || (static_cast<unsigned char>(text[at]) & 0xc0) != 0x80;
    };
    std::vector<bool> covered(text.size());
    for (std::size_t i = 0; i < ranges.size(); ++i) {
        CHECK(ranges[i].begin <= ranges[i].end);
        CHECK(ranges[i].end <= text.size());
        CHECK(begins(ranges[i].begin));
        CHECK(begins(ranges[i].end));
        if (i > 0) CHECK(ranges[i - 1].begin <= ranges[i].begin);
        if (i > 0) CHECK(ranges[i - 1].end <= ranges[i].end);
        for (std::size_t at = ranges[i].begin; at < ranges[i].end; ++at) covered[at] = true;
    }
    if (tokens == 0) return;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = at;
        if (!is_space(next_character(text, at))) CHECK(covered[begin]);
    }
}

TEST_CASE("tokens and texts are those of Hugging Face's tokenizers") {
    const ByteBpe bpe(recorded_merges());
    const json recorded = recorded_tokens();
    REQUIRE(recorded.size() >= 80);
    for (const json& line : recorded) {
        const Tokens tokens = line.at(1);
        if (line.at(0).is_string()) {
            const std::string text = line[0];
            CAPTURE(text);
            const TokenizedText found = bpe.encode(text);
            CHECK(found.tokens == tokens);
            check_ranges(text, found.ranges, found.tokens.size());
        }
        const DetokenizedText back = bpe.decode(tokens);
        CHECK(back.text == line.at(2).get<std::string>());
        check_ranges(back.text, back.ranges, tokens.size());
    }
}

TEST_CASE("merges are made in their order, not from left to right") {
    const ByteBpe bpe({.merges = {"b c", "a b", "ab c", "c d", "bc d"}});
    CHECK(bpe.encode("abc").tokens == Tokens{"a", "bc"});
    CHECK(bpe.encode("abcd").tokens == Tokens{"a", "bcd"});
    CHECK(bpe.encode("ab").tokens == Tokens{"ab"});
    CHECK(bpe.encode("bcbcbc").tokens == Tokens{"bc", "bc", "bc"});
    const ByteBpe same({.merges = {"a a", "aa aa"}});
    CHECK(same.encode("aaaaaaa").tokens == Tokens{"aaaa", "aa", "a"});
    CHECK(same.encode(std::string(100000, 'a')).tokens.size() == 25000);
}

TEST_CASE("a token's range is its characters in the caller's text") {
    const ByteBpe bpe({.merges = {"h e", "Ġ w", "Ġw o"}});
    const TokenizedText found = bpe.encode("he  wo\xc3\xa9!");
    CHECK(found.tokens == Tokens{"he", "Ġ", "Ġwo", "Ã", "©", "!"});
    CHECK(found.ranges == std::vector<Range>{{0, 2}, {3, 3}, {4, 6}, {6, 8}, {6, 8}, {8, 9}});
    const ByteBpe before({.merges = {"Ġ w", "Ġw o"}, .space_before = true});
    CHECK(before.encode("wo").tokens == Tokens{"Ġwo"});
    CHECK(before.encode("wo").ranges == std::vector<Range>{{0, 2}});
    CHECK(before.encode(" wo").tokens == Tokens{"Ġwo"});
    CHECK(bpe.decode(Tokens{"<s>", "he", "Ġwo", "Ã", "!", "</s>"}).text == "he wo\xef\xbf\xbd!");
}

TEST_CASE("what is no text or no merge is refused") {
    CHECK_THROWS_WITH_AS(ByteBpe({.merges = {"a b"}}).encode("a\xff"), doctest::Contains("byte 1"), Error);
    CHECK_THROWS_WITH_AS(ByteBpe({.merges = {"a b", "abc d"}}), doctest::Contains("merge 1"), Error);
    CHECK_THROWS_WITH_AS(ByteBpe({.merges = {"ab"}}), doctest::Contains("merge 0"), Error);
}

}  // namespace
}  // namespace dragoman::text::byte_bpe_test
