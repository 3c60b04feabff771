// SPDX-License-Identifier: Apache-2.0
// Tokens that a model wants around its sources and before its translations: the model gets them, the caller sees those
// of the source as tokens without bytes, and those of the translation not at all.
#include <doctest/doctest.h>

#include <algorithm>

#include "families/families.h"
#include "pipeline/run/translator.h"
#include "text/token_ranges.h"
#include "text/vocabulary.h"

namespace prompts_test {

using namespace dragoman;
using namespace dragoman::pipeline;

namespace {

// The words behind a source and before a translation are pieces that the vocabularies have.
struct Prompted {
    explicit Prompted(bool right_to_left = false) {
        spec::ModelSpec spec = families::load(DRAGOMAN_TEST_DATA "/huggingface/shared");
        spec.right_to_left = right_to_left;
        spec.prompts.pattern = {.needs_languages = false};
        behind = {">>xx<<", ">>yy<<"};
        begin = {spec.target.tokens.at(20), spec.target.tokens.at(21)};
        (right_to_left ? spec.prompts.pattern.source_before : spec.prompts.pattern.source_after) = behind;
        if (spec.add_source_eos) spec.prompts.pattern.source_after.push_back(spec.eos_token);
        spec.prompts.pattern.target_begin = begin;
        if (right_to_left) std::ranges::reverse(behind);
        translator = Translator::create(std::make_shared<Model>(spec, ModelOptions{.device = {},
                                                                                   .compute_type = ComputeType::f32}));
    }
    Tokens behind, begin;  // in reading order; in the order of generation
    std::shared_ptr<Translator> translator;
};

const std::string kText = "batin kétiß kénara.";

}  // namespace

TEST_CASE("the translation does not show what it was made to begin with") {
    const Prompted model;
    // Scores without lengths: those count what the model begins with, not what a request does.
    const TranslateOptions options{.beam_size = 3,
                                   .length_penalty = 0.0f,
                                   .max_decoding_length = 20,
                                   .num_hypotheses = 3,
                                   .return_scores = true,
                                   .return_attention = true};
    for (const Tokens& own : {Tokens(), Tokens{model.translator->model().target().token(25)}}) {
        const Text text{kText, own};
        const auto found = model.translator->translate_texts({&text, 1}, {}, options).at(0);
        REQUIRE(found.sentences.size() == 1);
        Request request{model.translator->model().tokenize(kText).tokens, model.begin};
        std::ranges::copy(model.behind, std::back_inserter(request.source));
        std::ranges::copy(own, std::back_inserter(request.target_prefix));
        CHECK(found.sentences[0].tokens() == request.source);
        REQUIRE(found.sentences[0].ranges().size() == request.source.size());
        for (std::size_t i = request.source.size() - model.behind.size(); i < request.source.size(); ++i)
            CHECK(found.sentences[0].ranges()[i] == text::Range{kText.size(), kText.size()});
        const auto expected = model.translator->translate({&request, 1}, options).at(0);
        REQUIRE(found.hypotheses.size() == 3);
        for (std::size_t h = 0; h < 3; ++h) {
            CAPTURE(h);
            const auto& sentence = found.hypotheses[h].sentences.at(0);
            const Tokens own = found.hypotheses[h].tokens(0);
            Tokens all = model.begin;
            std::ranges::copy(own, std::back_inserter(all));
            CHECK(all == expected.hypotheses[h].tokens);
            CHECK(sentence.score == expected.hypotheses[h].score);
            CHECK(sentence.attention == expected.hypotheses[h].attention.from_row(2));
            CHECK(found.hypotheses[h].ranges(0).size() == own.size());
            CHECK(found.hypotheses[h].text == model.translator->model().detokenize(own).text);
        }
    }
}

TEST_CASE("nor do partial results, and models that write right to left end with it") {
    for (const bool right_to_left : {false, true}) {
        CAPTURE(right_to_left);
        const Prompted model(right_to_left);
        std::vector<Tokens> partial;
        JobOptions how;
        how.partials = true;
        how.on_event = [&](const JobEvent& event) {
            if (event.kind == JobEvent::Kind::partial) partial.emplace_back(event.tokens.begin(), event.tokens.end());
        };
        JobInput input{.documents = {{kText}}};
        input.text.raw = true;
        input.options = {.beam_size = 1, .max_decoding_length = 30, .min_decoding_length = 20};
        const auto result = model.translator->submit(input, how)->take().texts.at(0);
        const Tokens tokens = result.hypotheses.at(0).tokens(0);

        Request request{model.translator->model().tokenize(kText).tokens, model.begin};
        std::ranges::copy(model.behind, std::back_inserter(request.source));
        CHECK(result.sentences.at(0).tokens() == request.source);
        Tokens whole = model.translator->translate({&request, 1}, input.options).at(0).hypotheses.at(0).tokens;
        if (right_to_left) std::ranges::reverse(whole);
        REQUIRE(whole.size() == tokens.size() + model.begin.size());
        CHECK(std::equal(model.begin.begin(), model.begin.end(), whole.begin()));
        Tokens written = tokens;
        if (right_to_left) std::ranges::reverse(written);
        CHECK(std::equal(written.begin(), written.end(), whole.begin() + std::ptrdiff_t(model.begin.size())));

        bool several = false;
        for (Tokens seen : partial) {
            several |= seen.size() >= 2;
            if (right_to_left) std::ranges::reverse(seen);
            REQUIRE(seen.size() <= written.size());
            CHECK(std::equal(seen.begin(), seen.end(), written.begin()));
        }
        CHECK(several);
    }
}

TEST_CASE("a blank or unknown sentence is not asked for its prompt's sake") {
    const Prompted model;
    const Text texts[] = {{"", {}}, {"日本", {}}};
    const auto results = model.translator->translate_texts(texts, {}, {});
    CHECK(results.at(0).hypotheses.at(0).text == "");
    CHECK(results.at(1).hypotheses.at(0).text == "日本");
    CHECK(model.translator->stats().sentences == 0);
}

}  // namespace prompts_test
