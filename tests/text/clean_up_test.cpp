// SPDX-License-Identifier: Apache-2.0
#include "text/clean_up.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "files/file_map.h"
#include "text/make_tokenizer.h"

namespace dragoman::text::clean_up_test {
namespace {

// A text whose tokens are its stretches without blanks, with an empty one behind each.
DetokenizedText words_of(const std::string& text) {
    DetokenizedText result{text, {}};
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = std::min(text.find_first_not_of(' ', at), text.size());
        at = std::min(text.find(' ', begin), text.size());
        result.ranges.push_back({begin, at});
        result.ranges.push_back({at, at});
    }
    return result;
}

TEST_CASE("as clean_up_tokenization() of transformers 5.24, and tokens keep their characters") {
    const std::pair<std::string, std::string> recorded[] = {
        {"hello , world . I do n't know !", "hello, world. I don't know!"},
        {"He 's here , is n't he ?", "He's here, isn't he?"},
        {"rock ' n ' roll", "rock'n'roll"},
        {"a ' ' b", "a'' b"},
        {"a  .  b", "a .  b"},
        {"Où est -il ? Là ... !", "Où est -il? Là...!"},
        {"we 've , they 're , I 'm ; you 'll", "we've, they're, I'm ; you 'll"},
        {" .", "."},
        {"", ""},
        {"x ' s y", "x's y"},
        {"no change: here", "no change: here"},
        {" ' . ", " '. "},
        {"it ' s ' fine ' .", "it's'fine '."},
        {"a ' ? ' b", "a '?'b"},
        {"日本 . は ,", "日本. は,"},
        {"it 'smart", "it'smart"},
    };
    for (const auto& [given, expected] : recorded) {
        CAPTURE(given);
        const DetokenizedText before = words_of(given);
        DetokenizedText after = before;
        clean_up_spaces(after);
        CHECK(after.text == expected);
        REQUIRE(after.ranges.size() == before.ranges.size());
        for (std::size_t i = 0; i < before.ranges.size(); ++i)
            CHECK(part(after.text, after.ranges[i]) == part(before.text, before.ranges[i]));
        CHECK(std::ranges::is_sorted(after.ranges, {}, &Range::begin));
    }
}

TEST_CASE("a tokenizer that cleans up the texts of tokens, and no others") {
    const FileBytes file = read_whole(DRAGOMAN_TEST_DATA "/toy-text/target.spm");
    TokenizerFiles files{.source_sentencepiece = file, .target_sentencepiece = file};
    const std::vector<std::string> tokens{
        "\xe2\x96\x81"
        "a",
        "\xe2\x96\x81", ",", "\xe2\x96\x81n't", "\xe2\x96\x81."};
    CHECK(make_tokenizer(files)->detokenize(tokens).text == "a , n't .");
    const TokenizedText plain = make_tokenizer(files)->tokenize("a , b .");
    files.clean_up_spaces = true;
    const auto tokenizer = make_tokenizer(files);
    for (const Side side : {Side::source, Side::target}) {
        const DetokenizedText found = tokenizer->detokenize(tokens, side);
        CHECK(found.text == "a,n't.");
        CHECK(found.ranges == std::vector<Range>{{0, 1}, {1, 1}, {1, 2}, {2, 5}, {5, 6}});
    }
    CHECK(tokenizer->tokenize("a , b .").tokens == plain.tokens);
    CHECK(make_tokenizer({.clean_up_spaces = true}) == nullptr);
}

}  // namespace
}  // namespace dragoman::text::clean_up_test
