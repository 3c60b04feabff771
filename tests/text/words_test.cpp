// SPDX-License-Identifier: Apache-2.0
#include "text/words.h"

#include <doctest/doctest.h>

#include <string>

#include "text/word_alignment.h"

namespace dragoman::text::words_test {
namespace {

// The words of a text, with "|" between them.
std::string cut(std::string_view text) {
    std::string result;
    for (const Range word : words(text)) result += (result.empty() ? "" : "|") + std::string(part(text, word));
    return result;
}

TEST_CASE("words: letters and digits, with what joins them") {
    CHECK(cut("Hello, world!") == "Hello|,|world|!");
    CHECK(cut("I don't know, it’s a well-known thing") == "I|don't|know|,|it’s|a|well-known|thing");
    CHECK(cut("the dogs' 'bone' - no") == "the|dogs|'|'|bone|'|-|no");
    CHECK(cut("3.14 and 1,234.5 at 12:30.") == "3.14|and|1,234.5|at|12:30|.");
    CHECK(cut("e.g. here") == "e|.|g|.|here");
    CHECK(cut("Straße, naïve, niño, cafe\u0301s") == "Straße|,|naïve|,|niño|,|cafe\u0301s");
    CHECK(cut("a so\u00adft one") == "a|so\u00adft|one");
    CHECK(cut("snake_case x² ½") == "snake_case|x²|½");
}

TEST_CASE("words: marks") {
    CHECK(cut("Well... what?!") == "Well|...|what|?|!");
    CHECK(cut("„Gut“ (sehr) – €5") == "„|Gut|“|(|sehr|)|–|€|5");
    CHECK(cut("ok 👍🏽👍🏽 👨‍👩‍👧.") == "ok|👍🏽👍🏽|👨‍👩‍👧|.");
    CHECK(cut("<b>") == "<|b|>");
}

TEST_CASE("words: scripts without spaces") {
    CHECK(cut("我喜欢猫。") == "我|喜欢|猫|。");
    CHECK(cut("東京に行きます。Tシャツ") == "東京|に|行き|ます|。|T|シャツ");
    CHECK(cut("ฉันรักแมว") == "ฉัน|รัก|แมว");
    CHECK(cut("나는 고양이를 좋아해요.") == "나는|고양이를|좋아해요|.");
    CHECK(cut("нет, मैं घर जा رفتم می‌روم") ==
          "нет|,|मैं|घर|जा|رفتم|می‌روم");
}

TEST_CASE("words: of nothing and of bytes that are no text") {
    CHECK(words("").empty());
    CHECK(words(" \t\n\u00a0\u200e").empty());
    const std::string bad = "a \xff\xc3 b";
    for (const Range word : words(bad)) CHECK(word.size() > 0);
    CHECK(words(bad).back() == Range{5, 6});
}

TEST_CASE("words are aligned as their tokens are") {
    // "Das| Haus| bren|nt|." from "The| ho|use| burns|.", with an end token's row
    const std::vector<Range> source{{0, 3}, {4, 6}, {6, 9}, {10, 15}, {15, 16}};
    const std::vector<Range> target{{0, 3}, {4, 8}, {9, 13}, {13, 15}, {15, 16}};
    const Matrix attention{{0.8f, 0.1f, 0, 0, 0.1f}, {0, 0.3f, 0.6f, 0, 0.1f}, {0, 0, 0.2f, 0.4f, 0.2f},
                           {0, 0, 0, 0.6f, 0.4f},    {0, 0, 0, 0.1f, 0.9f},    {0, 0, 0, 0, 1}};
    const WordAlignment aligned = align_words({"The house burns.", source}, {"Das Haus brennt.", target}, attention);
    CHECK(aligned.source == std::vector<Range>{{0, 3}, {4, 9}, {10, 15}, {15, 16}});
    CHECK(aligned.target == std::vector<Range>{{0, 3}, {4, 8}, {9, 15}, {15, 16}});
    CHECK(pharaoh(links(aligned, 0.5f)) == "0-0 1-1 2-2 3-3");
    CHECK(pharaoh(links(aligned)) == "0-0 1-1 2-2 3-3");
    CHECK(pharaoh(links(aligned, 0.1f)) == "0-0 1-0 1-1 1-2 2-2 2-3 3-3");
    for (std::size_t t = 0; t < aligned.target.size(); ++t) {
        float sum = 0;
        for (const float weight : aligned.row(t)) sum += weight;
        CHECK(sum == doctest::Approx(1));
    }
    CHECK(aligned.at(2, 2) > aligned.at(2, 1));
}

TEST_CASE("a full stop that attention rests on does not win over a word") {
    const std::vector<Range> source{{0, 2}, {2, 3}}, target{{0, 2}, {2, 3}};
    const Matrix attention{{0.3f, 0.6f}, {0.1f, 0.8f}};
    const WordAlignment aligned = align_words({"Go.", source}, {"Ja.", target}, attention);
    CHECK(pharaoh(links(aligned)) == "0-0 1-1");
    const Matrix no_word{{0.001f, 0.9f}, {0.1f, 0.8f}};
    CHECK(pharaoh(links(align_words({"Go.", source}, {"Ja.", target}, no_word))) == "1-0 1-1");
}

TEST_CASE("words without tokens have no weights") {
    CHECK(align_words({"", {}}, {"", {}}, {}) == WordAlignment{});
    const WordAlignment none = align_words({"Go now", {}}, {"Los", {}}, {});
    CHECK(none.weights == std::vector<float>{0, 0});
    CHECK(links(none).empty());
    const std::vector<Range> source{{0, 0}, {0, 2}}, target{{0, 3}};  // the first is the prompt's
    const WordAlignment prompted = align_words({"Go now", source}, {"Los", target}, Matrix{{0.9f, 0.1f}});
    CHECK(prompted.weights == std::vector<float>{1, 0});
    CHECK(pharaoh(links(prompted)) == "0-0");
    const std::vector<Range> one{{0, 3}};
    CHECK(align_words({"Los", one}, {"", {}}, {}).weights.empty());
}

TEST_CASE("words of a script without spaces share tokens, and tokens words") {
    const std::vector<Range> source{{0, 6}, {6, 15}}, target{{0, 1}, {2, 6}, {7, 11}};  // 我喜|欢猫。
    const WordAlignment aligned = align_words({"我喜欢猫。", source}, {"I like cats", target},
                                              Matrix{{0.9f, 0.1f}, {0.6f, 0.4f}, {0, 1}});
    CHECK(aligned.source == std::vector<Range>{{0, 3}, {3, 9}, {9, 12}, {12, 15}});
    CHECK(aligned.at(0, 0) == aligned.at(0, 1));
    CHECK(aligned.at(2, 0) == 0);
    CHECK(aligned.at(2, 2) > 0);
}

}  // namespace
}  // namespace dragoman::text::words_test
