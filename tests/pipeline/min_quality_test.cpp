// SPDX-License-Identifier: Apache-2.0
// Rather none than a bad translation: what min_quality gives, beside what the same call gives without it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "pipeline/compare.h"
#include "pipeline/shipped.h"
#include "support/refused.h"
#include "support/temp_dir.h"
#include "text/glossary.h"
#include "text/words.h"

namespace min_quality_test {

using namespace dragoman;
using pipeline::SentenceFlags;
using pipeline::TextOptions;
using pipeline::TextResult;
using pipeline::TranslateOptions;
using pipeline::Translator;

namespace {

constexpr std::string_view kText =
    "The house is big. Blorft the gnarl of quux besmeared zyx under fronk it's.\n\nI have a dog. "
    "Wobbly snarf quuxes the blee of 17 gnarls.";

TextResult translate(Translator& translator, std::string_view text, const TextOptions& how,
                     const TranslateOptions& options = {.beam_size = 2}) {
    const pipeline::Text input{text, {}};
    return translator.translate_texts({&input, 1}, how, options).at(0);
}

TextResult translate(std::string_view text, const TextOptions& how,
                     const TranslateOptions& options = {.beam_size = 2}) {
    static const auto translator = Translator::create(test::shipped_model());
    return translate(*translator, text, how, options);
}

TextOptions judged(float min_quality = 0.0f) {
    TextOptions how{.target_language = "de", .return_quality = true};
    how.min_quality = min_quality;
    return how;
}

std::string_view text_of(const TextResult& result, std::size_t s, std::size_t h = 0) {
    return text::part(result.hypotheses.at(h).text, result.hypotheses.at(h).sentences.at(s).range());
}

// A number between the sentences' qualities: some are refused.
float middle(const TextResult& result) {
    std::vector<float> all;
    for (const auto& sentence : result.hypotheses.at(0).sentences) all.push_back(sentence.quality.score);
    std::ranges::sort(all);
    REQUIRE(all.front() < all.back());
    return all[all.size() / 2];
}

// Each sentence is the one of the call without the option, or the source.
void check(std::string_view text, const TextResult& plain, const TextResult& found, float least) {
    REQUIRE(found.sentences.size() == plain.sentences.size());
    std::size_t refused = 0;
    for (std::size_t s = 0; s < plain.sentences.size(); ++s) {
        CAPTURE(s);
        const float quality = plain.hypotheses.at(0).sentences[s].quality.score;
        const bool unsure = quality < least;
        refused += unsure;
        const std::string_view source = text::part(text, plain.sentences[s].range);
        CHECK(((found.sentences[s].flags & SentenceFlags::unsure) != 0) == unsure);
        if (unsure) CHECK((found.sentences[s].flags & SentenceFlags::copied) != 0);
        else CHECK(found.sentences[s].flags == plain.sentences[s].flags);
        CHECK(text_of(found, s) == (unsure ? source : text_of(plain, s)));
        CHECK(found.hypotheses.at(0).sentences[s].quality.score == quality);
        CHECK(found.sentences[s].tokens() == plain.sentences[s].tokens());
    }
    CHECK(refused > 0);
    CHECK(refused < plain.sentences.size());
}

}  // namespace

TEST_CASE("min_quality: sentences below it are their sources, marked; the others stay") {
    const TextResult plain = translate(kText, judged());
    for (const float least : {middle(plain), std::nextafter(middle(plain), 1.0f)})
        check(kText, plain, translate(kText, judged(least)), least);
    const TextResult all = translate(kText, judged(1.0f));
    CHECK(all.hypotheses.at(0).text == kText);
    CHECK(translate(kText, judged(1e-6f)).hypotheses.at(0).text == plain.hypotheses.at(0).text);
    // Quality is known without being asked for, and what nobody asked for stays away.
    TextOptions alone = judged(middle(plain));
    alone.return_quality = alone.return_tokens = false;
    const TextResult few = translate(kText, alone);
    CHECK(few.hypotheses.at(0).text == translate(kText, judged(middle(plain))).hypotheses.at(0).text);
    CHECK(few.hypotheses.at(0).packed_at(0).empty());
}

TEST_CASE("min_quality: tokens and alignment of a refused sentence are those of a copied one") {
    TextOptions how = judged(1.0f);
    how.return_alignment = true;
    const TextResult result = translate("The old house is big.", how, {.beam_size = 2, .return_attention = true});
    const auto& sentence = result.hypotheses.at(0).sentences.at(0);
    CHECK(sentence.attention.empty());
    std::string joined;
    for (const text::Range range : result.hypotheses[0].ranges(0))
        joined += text::part(result.hypotheses[0].text, range);
    CHECK(joined == "Theoldhouseisbig.");
    const auto& words = sentence.alignment;
    CHECK(words.source == words.target);
    for (std::size_t t = 0; t < words.target.size(); ++t)
        for (std::size_t s = 0; s < words.source.size(); ++s) CHECK(words.at(t, s) == (s == t ? 1.0f : 0.0f));
    CHECK(sentence.quality.words == words.target);
}

TEST_CASE("min_quality: the best hypothesis decides") {
    TranslateOptions many{.beam_size = 4, .num_hypotheses = 4};
    const TextResult plain = translate(kText, judged(), many);
    const float least = middle(plain);
    const TextResult found = translate(kText, judged(least), many);
    check(kText, plain, found, least);
    for (std::size_t h = 0; h < found.hypotheses.size(); ++h)
        for (std::size_t s = 0; s < found.sentences.size(); ++s)
            CHECK(text_of(found, s, h) ==
                  text_of(found.sentences[s].flags & SentenceFlags::unsure ? found : plain, s, h));
}

TEST_CASE("min_quality: tags stay around what is refused") {
    const std::string page =
        "<p>The <b>house</b> is big.</p><p>Blorft the <i>gnarl</i> of <b>quux</b> besmeared zyx.</p>";
    TextOptions how = judged(1.0f);
    how.markup = pipeline::Markup::html;
    CHECK(translate(page, how).hypotheses.at(0).text == page);
    how.min_quality = 0.0f;
    const TextResult plain = translate(page, how);
    how.min_quality = std::nextafter(plain.hypotheses.at(0).sentences.at(1).quality.score, 1.0f);
    REQUIRE(plain.hypotheses.at(0).sentences.at(0).quality.score > how.min_quality);
    const std::string &before = plain.hypotheses.at(0).text, after = translate(page, how).hypotheses.at(0).text;
    CHECK(after == before.substr(0, before.find("</p>") + 4) + page.substr(page.find("<p>Blorft")));
}

TEST_CASE("min_quality: on a route the whole way is judged, and the source is the first one") {
    const std::vector<std::shared_ptr<const pipeline::Model>> models{test::shipped_model()};
    const auto route = Translator::create(models, std::vector<pipeline::RouteStep>{{0, "en", "de"}, {0, "de", "en"}});
    TextOptions how{.return_quality = true};
    const TextResult plain = translate(*route, kText, how);
    how.min_quality = middle(plain);
    check(kText, plain, translate(*route, kText, how), how.min_quality);
    how.min_quality = 1.0f;
    how.return_tokens = how.return_quality = false;
    const TextResult all = translate(*route, kText, how);
    CHECK(all.hypotheses.at(0).text == kText);
    CHECK(all.hypotheses.at(0).packed_at(0).empty());
}

TEST_CASE("min_quality: what a memory has is sure, and what was refused is not recorded") {
    tm::MemoryOptions keeps;
    keeps.record = true;
    TextOptions how = judged(1.0f);
    how.source_language = "en";
    how.memory = std::make_shared<tm::Memory>(keeps);
    how.memory->add({{"en", "I have a dog."}, {"de", "Hund!"}});
    const TextResult result = translate(kText, how);
    CHECK(text_of(result, 2) == "Hund!");
    for (std::size_t s = 0; s < result.sentences.size(); ++s)
        CHECK(((result.sentences[s].flags & SentenceFlags::unsure) != 0) == (s != 2));
    const test::TempDir folder;
    how.memory->write_tmx(folder.path() / "written.tmx");
    CHECK(test::read_file(folder.path() / "written.tmx").find("Blorft") == std::string::npos);
}

TEST_CASE("min_quality: terms of a refused sentence are not met, unless the source has what they must become") {
    TextOptions how = judged(1.0f);
    how.glossary = std::make_shared<const text::Glossary>(text::read_glossary("house\tGebäude\nTom\tTom\n"));
    const TextResult result = translate("Tom has a house.", how);
    CHECK(result.hypotheses.at(0).text == "Tom has a house.");
    const auto& terms = result.hypotheses.at(0).sentences.at(0).terms;
    REQUIRE(terms.size() == 2);
    CHECK(terms[0].met == (terms[0].source.begin == 0));
    CHECK(terms[1].met == (terms[1].source.begin == 0));
}

TEST_CASE("min_quality: a number from 0 to 1") {
    for (const float wrong : {-0.1f, 1.5f, std::numeric_limits<float>::quiet_NaN()})
        test::check_refused(Status::invalid_argument, {"min_quality", "0 to 1"},
                            [&] { translate("x", judged(wrong)); });
}

}  // namespace min_quality_test
