// SPDX-License-Identifier: Apache-2.0
// Coverage of texts by the shipped model's translations.
#include <doctest/doctest.h>

#include <string>

#include "pipeline/compare.h"
#include "pipeline/run/translator.h"
#include "pipeline/shipped.h"
#include "tm/translation_memory.h"
#include "support/refused.h"

namespace left_out_test {

using namespace dragoman;
using pipeline::Coverage;
using pipeline::TextOptions;
using pipeline::TextResult;
using pipeline::TranslateOptions;
using pipeline::Translator;

namespace {

const TextOptions kCovered{.target_language = "de", .return_coverage = true};

TextResult translate(std::string_view text, const TextOptions& how = kCovered,
                     const TranslateOptions& options = {.beam_size = 1}, const pipeline::Tokens& prefix = {}) {
    const pipeline::Text input{text, prefix};
    return Translator::create(test::shipped_model())->translate_texts({&input, 1}, how, options).at(0);
}

const Coverage& coverage(const TextResult& result, std::size_t sentence = 0) {
    return result.hypotheses.at(0).sentences.at(sentence).coverage;
}

// The translation is what is given, to the last token.
TextResult forced(std::string_view text, std::string_view translation) {
    const pipeline::Tokens tokens = test::shipped_model()->tokenize(translation, text::Side::target).tokens;
    TranslateOptions options{.beam_size = 1};
    options.max_decoding_length = uint32_t(tokens.size());
    TextResult result = translate(text, kCovered, options, tokens);
    REQUIRE(result.hypotheses.at(0).text == translation);
    return result;
}

std::string left_out(std::string_view text, const Coverage& coverage) {
    return std::string(text::part(text, coverage.longest_unreached().range));
}

}  // namespace

TEST_CASE("the model leaves a clause out, and coverage says which") {
    const std::string text = "I was planning on going to the beach today, but then it started to rain.";
    const TextResult result = translate(text);
    REQUIRE(result.hypotheses.at(0).text == "Ich habe heute geplant, aber dann begann es zu regnen.");
    CHECK(left_out(text, coverage(result)) == "on going to the beach");
    CHECK(coverage(result).longest_unreached().words == 5);
    CHECK(coverage(result).share() == doctest::Approx(0.6).epsilon(0.01));
}

TEST_CASE("a translation without one clause covers less than the whole one") {
    const std::string text = "My brother bought a new car, and my sister sold the old house.";
    const std::string first = "Mein Bruder kaufte ein neues Auto", second = "meine Schwester verkaufte das alte Haus";
    const TextResult whole = forced(text, first + ", und " + second + ".");
    CHECK(coverage(whole).share() > 0.9f);
    CHECK(coverage(whole).longest_unreached().words <= 1);
    const TextResult without_second = forced(text, first + ".");
    CHECK(coverage(without_second).share() < 0.7f);
    CHECK(left_out(text, coverage(without_second)).find("sister sold the old house") != std::string::npos);
    const TextResult without_first = forced(text, "Meine Schwester verkaufte das alte Haus.");
    // "verkaufte" may reach "bought" beside "sold".
    CHECK(coverage(without_first).share() < 0.7f);
    CHECK(left_out(text, coverage(without_first)).find("a new car") != std::string::npos);
}

TEST_CASE("each sentence of a text has its own, in bytes of the text, and so has each hypothesis") {
    const std::string text =
        "Tom is very tired. I was planning on going to the beach today, but then it started to rain.";
    const TextResult result = translate(text);
    CHECK(coverage(result, 0).share() == 1.0f);
    CHECK(coverage(result, 0).words.size() == 4);
    CHECK(left_out(text, coverage(result, 1)) == "on going to the beach");
    TranslateOptions several{.beam_size = 3};
    several.num_hypotheses = 3;
    for (const auto& hypothesis : translate(text, kCovered, several).hypotheses)
        for (const auto& sentence : hypothesis.sentences) CHECK(sentence.coverage.measured);
}

TEST_CASE("asking changes no translation, and without asking nothing is measured") {
    const std::string text = "I bought a new car. It is red.";
    const TextResult with = translate(text), without = translate(text, {.target_language = "de"});
    CHECK(with.hypotheses.at(0).text == without.hypotheses.at(0).text);
    CHECK(coverage(without) == Coverage{});
    CHECK(with.hypotheses.at(0).sentences.at(0).alignment != text::WordAlignment{});  // comes with it
    TextOptions few = kCovered;
    few.return_tokens = false;
    CHECK(coverage(translate(text, few)) == coverage(with));
}

TEST_CASE("what is carried over, copied or a memory's is covered") {
    const std::string carried = "Please write to tom.miller@example.com or visit https://example.com/a?b=1 now.";
    for (const char* word : {"tom.miller", "example", "https"})
        CHECK(left_out(carried, coverage(translate(carried))).find(word) == std::string::npos);
    const TextResult copied = translate("\u6771\u4eac \u5927\u962a");
    CHECK(coverage(copied).share() == 1.0f);
    CHECK(coverage(copied).words.size() == 2);
    CHECK(coverage(translate("(!) ...")).share() == 1.0f);
    CHECK(translate(" ").hypotheses.at(0).sentences.empty());
    TextOptions remembered = kCovered;
    remembered.memory = std::make_shared<tm::Memory>(tm::MemoryOptions{});
    remembered.memory->add({{"en", "Where is the old station?"}, {"de", "Wo?"}});
    const TextResult known = translate("Where is the old station?", remembered);
    CHECK(known.hypotheses.at(0).text == "Wo?");
    CHECK(coverage(known).share() == 1.0f);
}

TEST_CASE("in markup bytes count in the text without tags") {
    TextOptions how = kCovered;
    how.markup = pipeline::Markup::html;
    const TextResult result =
        translate("<p>I was planning on <b>going</b> to the beach today, but then it started to rain.</p>", how);
    const Coverage& found = coverage(result);
    CHECK(found.words.size() == 15);
    CHECK(left_out(result.plain_source, found).find("going to the beach") != std::string::npos);
}

TEST_CASE("a route reaches what its first model reaches, by words of the text between that its second one reaches") {
    const std::vector<std::shared_ptr<const pipeline::Model>> models{test::shipped_model()};
    const auto there_and_back = Translator::create(models,
                                                   std::vector<pipeline::RouteStep>{{0, "en", "de"}, {0, "de", "en"}});
    const std::string source = "I was planning on going to the beach today, but then it started to rain.";
    const pipeline::Text text{source, {}};
    const TextResult both =
        there_and_back->translate_texts({&text, 1}, {.return_coverage = true}, {.beam_size = 1}).at(0);
    const Coverage first = coverage(translate(source)), &all = coverage(both);
    REQUIRE(all.words == first.words);
    for (std::size_t w = 0; w < all.words.size(); ++w) CHECK((!all.reached[w] || first.reached[w]));
    CHECK(all.share() > 0.4f);
    CHECK(left_out(source, all).find("going to the beach") != std::string::npos);
}

}  // namespace left_out_test
