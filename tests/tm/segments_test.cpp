// SPDX-License-Identifier: Apache-2.0
// Segments of translation memories are found where a plain search through all of them finds them.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <set>

#include "tm/segments.h"
#include "text/words.h"

namespace segments_test {

using namespace dragoman;
using namespace dragoman::tm;
using spec::LanguageTag;

namespace {

LanguageTag tag(std::string_view text) { return *LanguageTag::find(text); }

const LanguageTag kEnglish = tag("en"), kGerman = tag("de"), kUnknown{};

// The whole table of Levenshtein's distance.
float plain_similarity(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    std::vector<std::vector<int>> edits(a.size() + 1, std::vector<int>(b.size() + 1));
    for (std::size_t i = 0; i <= a.size(); ++i)
        for (std::size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                edits[i][j] = int(i + j);
                continue;
            }
            edits[i][j] =
                std::min({edits[i - 1][j] + 1, edits[i][j - 1] + 1, edits[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
        }
    const auto longer = std::max(a.size(), b.size());
    return longer ? 1.0f - float(edits[a.size()][b.size()]) / float(longer) : 1.0f;
}

std::vector<std::string> words_of(std::string_view text) {
    std::vector<std::string> words;
    for (const text::Range& range : text::words(text)) words.emplace_back(text::part(text, range));
    return words;
}

}  // namespace

TEST_CASE("equal texts are found in normal form") {
    Segments segments;
    CHECK(segments.add({{"en-US", "Caf\u00e9  au lait"}, {"de-DE", "Milchkaffee"}, {"fr", "Caf\u00e9 au lait"}}));
    CHECK(segments.exact(kEnglish, kGerman, " Cafe\u0301\u00a0au\nlait\u00ad ") == "Milchkaffee");
    CHECK(segments.exact(kGerman, kEnglish, "Milchkaffee") == "Caf\u00e9  au lait");
    CHECK(segments.exact(tag("fr-CA"), kGerman, "Caf\u00e9 au lait") == "Milchkaffee");
    CHECK_FALSE(segments.exact(kEnglish, kGerman, "caf\u00e9 au lait"));  // capitals count
    CHECK_FALSE(segments.exact(kEnglish, tag("es"), "Caf\u00e9 au lait"));
    CHECK_FALSE(segments.exact(tag("es"), kGerman, "Caf\u00e9 au lait"));
    CHECK(segments.exact(kUnknown, kGerman, "Caf\u00e9 au lait") == "Milchkaffee");
    CHECK_FALSE(segments.exact(kUnknown, kGerman, "Milchkaffee"));
}

TEST_CASE("of several translations that with the same tags counts, and then the last one") {
    Segments segments;
    segments.add({{"en", "lift"}, {"de-AT", "Aufzug"}});
    segments.add({{"en", "lift"}, {"de-CH", "Lift"}});
    CHECK(segments.exact(kEnglish, kGerman, "lift") == "Lift");
    CHECK(segments.exact(kEnglish, tag("de-AT"), "lift") == "Aufzug");
    CHECK(segments.exact(kEnglish, tag("de-DE"), "lift") == "Lift");
    segments.add({{"en", "word"}, {"zh-TW", "\u5b57\u8a5e"}});
    CHECK_FALSE(segments.exact(kEnglish, tag("zh-CN"), "word"));  // another script
    CHECK(segments.exact(kEnglish, tag("zh-Hant"), "word") == "\u5b57\u8a5e");
}

TEST_CASE("units that help nobody are not kept") {
    Segments segments;
    CHECK_FALSE(segments.add({{"en", "colour"}, {"en-US", "color"}}));
    CHECK_FALSE(segments.add({{"en", "  "}, {"de", "Farbe"}}));
    CHECK_FALSE(segments.add({{"not a language", "x"}, {"de", "y"}}));
    CHECK_FALSE(segments.add({}));
    CHECK(segments.size() == 0);
}

TEST_CASE("similar segments come with their score, the best first") {
    Segments segments;
    segments.add({{"en", "The red house is very old."}, {"de", "Das rote Haus ist sehr alt."}});
    segments.add({{"en", "The blue house is very old."}, {"de", "Das blaue Haus ist sehr alt."}});
    segments.add({{"en", "Good morning."}, {"de", "Guten Morgen."}});
    const auto found = segments.similar(kEnglish, kGerman, "The blue house is quite old.", 0.6f, 3);
    REQUIRE(found.size() == 2);
    CHECK(found[0].target == "Das blaue Haus ist sehr alt.");
    CHECK(found[0].similarity == doctest::Approx(6.0 / 7));
    CHECK(found[1].similarity == doctest::Approx(5.0 / 7));
    CHECK(segments.similar(kEnglish, kGerman, "The blue house is quite old.", 0.75f, 3).size() == 1);
    CHECK(segments.similar(kEnglish, kGerman, "The blue house is quite old.", 0.6f, 1).size() == 1);
    CHECK(segments.similar(kEnglish, kGerman, "", 0.1f, 3).empty());
    CHECK(segments.similar(kEnglish, tag("fr"), "Good morning.", 0.5f, 3).empty());
    CHECK(segments.similar(kEnglish, kGerman, "Good morning.", 1.0f, 3).size() == 1);
}

TEST_CASE("what is found is what a search through everything finds") {
    std::mt19937 random(11);
    const auto sentence = [&](std::size_t longest) {
        std::string text;
        for (std::size_t n = 1 + random() % longest; n > 0; --n) {
            const auto draw = random() % 64;
            text += (text.empty() ? "w" : " w") + std::to_string(draw * draw / 200);  // few words are frequent
        }
        return text;
    };
    Segments segments;
    std::vector<std::string> sources;
    for (int i = 0; i < 400; ++i) {
        sources.push_back(sentence(9));
        REQUIRE(segments.add({{"en", sources.back()}, {"de", "t" + std::to_string(i)}}));
    }
    std::size_t count = 0;
    for (int q = 0; q < 300; ++q) {
        const std::string query = sentence(9) + (q % 5 == 0 ? " unknown unknown" : "");
        for (const float least : {0.2f, 0.5f, 0.75f, 1.0f}) {
            std::multiset<std::pair<float, std::string>> expected, got;
            for (std::size_t i = 0; i < sources.size(); ++i) {
                const float like = plain_similarity(words_of(query), words_of(sources[i]));
                if (like >= least - 1e-6f) expected.emplace(like, "t" + std::to_string(i));
            }
            float before = 1.0f;
            for (const Match& match : segments.similar(kEnglish, kGerman, query, least, 1000)) {
                CHECK(match.similarity <= before);
                before = match.similarity;
                got.emplace(match.similarity, match.target);
            }
            CAPTURE(query);
            CHECK(got == expected);
            count += expected.size();
        }
    }
    CHECK(count > 2000);
}

}  // namespace segments_test
