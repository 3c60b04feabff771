// SPDX-License-Identifier: Apache-2.0
// Sentences whose translations leave out words, translated again in parts, with the shipped model.
#include <doctest/doctest.h>

#include <string>

#include "pipeline/compare.h"
#include "pipeline/run/translator.h"
#include "pipeline/shipped.h"
#include "support/refused.h"

namespace uncovered_test {

using namespace dragoman;
using pipeline::SentenceFlags;
using pipeline::TextOptions;
using pipeline::TextResult;
using pipeline::TranslateOptions;
using pipeline::Translator;

namespace {

TextOptions at_most(uint32_t words) { return {.target_language = "de", .max_uncovered_words = words}; }

TextResult translate(std::string_view text, const TextOptions& how, TranslateOptions options = {.beam_size = 1}) {
    const pipeline::Text input{text};
    return Translator::create(test::shipped_model())->translate_texts({&input, 1}, how, options).at(0);
}

std::size_t longest_run(const TextResult& result, std::size_t sentence = 0) {
    return result.hypotheses.at(0).sentences.at(sentence).coverage.longest_unreached().words;
}

bool is_marked(const TextResult& result, std::size_t sentence = 0) {
    return (result.sentences.at(sentence).flags & SentenceFlags::uncovered) != 0;
}

// Greedy search leaves out "on going to the beach".
const std::string kBeach = "I was planning on going to the beach today, but then it started to rain.";

}  // namespace

TEST_CASE("a clause that the model leaves out comes back when the sentence is translated in parts") {
    const TextResult before = translate(kBeach, {.target_language = "de", .return_coverage = true});
    REQUIRE(longest_run(before) >= 4);
    CHECK(!is_marked(before));  // nobody asked
    const TextResult after = translate(kBeach, at_most(3));
    CHECK(after.hypotheses.at(0).text.find("Strand") != std::string::npos);
    CHECK(after.hypotheses.at(0).text.find("regnen") != std::string::npos);
    CHECK(longest_run(after) < longest_run(before));
    CHECK(is_marked(after) == (longest_run(after) > 3));
    CHECK(after.sentences.size() == 1);
    CHECK(after.hypotheses.at(0).sentences.at(0).coverage.words.size() ==
          before.hypotheses.at(0).sentences.at(0).coverage.words.size());
}

TEST_CASE("where parts do not help, the first translation stays and is marked") {
    // What the caller gave the beginning of is not translated again.
    const std::string text = "My brother bought a new car, and my sister sold the old house.";
    const pipeline::Tokens beginning =
        test::shipped_model()->tokenize("Mein Bruder kaufte ein neues Auto.", text::Side::target).tokens;
    TranslateOptions whole{.beam_size = 1};
    whole.max_decoding_length = uint32_t(beginning.size());
    const pipeline::Text input{text, beginning};
    const TextResult forced =
        Translator::create(test::shipped_model())->translate_texts({&input, 1}, at_most(3), whole).at(0);
    CHECK(longest_run(forced) > 3);
    CHECK(is_marked(forced));
    TranslateOptions several{.beam_size = 4};
    several.num_hypotheses = 4;
    const TextResult list = translate(kBeach, at_most(1), several);
    CHECK(list.hypotheses.size() == 4);
    CHECK(is_marked(list) == (longest_run(list) > 1));
}

TEST_CASE("sentences that are covered stay as they are") {
    const std::string text = "I bought a new car. It is red and very fast.";
    const TextResult plain = translate(text, {.target_language = "de"}), checked = translate(text, at_most(3));
    CHECK(checked.hypotheses.at(0).text == plain.hypotheses.at(0).text);
    CHECK(!is_marked(checked, 0));
    CHECK(!is_marked(checked, 1));
    CHECK(checked.hypotheses.at(0).sentences.at(0).coverage.measured);
}

TEST_CASE("ranges and tags stay with their words") {
    TextOptions how = at_most(3);
    how.markup = pipeline::Markup::html;
    const TextResult page =
        translate("<p>I was planning on going to the <b>beach</b> today, but then it started to rain.</p>", how);
    CHECK(page.hypotheses.at(0).text.find("<b>Strand</b>") != std::string::npos);
    const TextResult two = translate("Tom is very tired. " + kBeach, at_most(3));
    const auto& sentences = two.hypotheses.at(0).sentences;
    REQUIRE(sentences.size() == 2);
    CHECK(sentences[1].range().end == two.hypotheses.at(0).text.size());
    for (const text::Range range : two.hypotheses.at(0).ranges(1)) CHECK(range.end <= two.hypotheses.at(0).text.size());
}

}  // namespace uncovered_test
