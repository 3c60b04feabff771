// SPDX-License-Identifier: Apache-2.0
// Recurrent models beside what every model does: batches, attention, other types, what they say of themselves.
// marian_test.cpp compares them with Marian.

#include "base/error.h"
#include "pipeline/compare.h"
#include "support/same_results.h"

namespace recurrent_test {

using namespace dragoman;
using pipeline::ComputeType;

namespace {

std::string folder_of(const std::string& name) { return DRAGOMAN_TEST_DATA "/marian/" + name; }

std::shared_ptr<pipeline::Translator> load(const std::string& name, ComputeType type = ComputeType::f32) {
    return pipeline::Translator::create(pipeline::Model::load(folder_of(name), {.device = {}, .compute_type = type}));
}

void check_same(const vulkan::Context& context, const pipeline::Result& found, const pipeline::Result& expected) {
    REQUIRE(found.hypotheses.size() == expected.hypotheses.size());
    for (std::size_t h = 0; h < expected.hypotheses.size(); ++h) {
        CHECK(found.hypotheses[h].tokens == expected.hypotheses[h].tokens);
        CHECK(test::same_result(context, found.hypotheses[h].score, expected.hypotheses[h].score));
    }
}

TEST_CASE("recurrent models: a sentence alone, in a batch and in another order") {
    for (const char* name : {"s2s", "s2s-lstm", "nematus"}) {
        CAPTURE(name);
        const auto translator = load(name);
        const auto recorded = test::read_recorded(folder_of(name));
        const test::RecordedCase& beam = recorded.cases.at(1);
        const auto together = translator->translate(beam.requests, beam.options);
        REQUIRE(together.size() >= 20);
        std::vector<pipeline::Request> turned(beam.requests.rbegin(), beam.requests.rend());
        const auto backwards = translator->translate(turned, beam.options);
        for (std::size_t i = 0; i < together.size(); ++i) {
            CAPTURE(i);
            const auto& context = translator->model().context();
            check_same(context, backwards[together.size() - 1 - i], together[i]);
            const auto alone = translator->translate(std::span(&beam.requests[i], 1), beam.options);
            check_same(context, alone.at(0), together[i]);
        }
    }
}

TEST_CASE("recurrent models: attention is that of the decoder's first layer") {
    const auto translator = load("s2s-lstm");
    REQUIRE(translator->model().info().decoder_layers == 2);
    const auto recorded = test::read_recorded(folder_of("s2s-lstm"));
    pipeline::TranslateOptions options = recorded.cases.at(0).options;
    options.return_attention = true;
    for (const uint32_t layer : {0u, 1u}) {
        options.attention_layer = layer;
        test::compare(translator->translate(std::span(&recorded.cases[0].requests[0], 1), options).at(0),
                      recorded.cases[0].expected[0]);
    }
    options.attention_layer = 2;
    CHECK_THROWS_WITH(translator->translate({}, options),
                      doctest::Contains("attention_layer: 2, the decoder has 1 layers with attention"));
    options.attention_layer = 0;
    options.attention_head = 2;
    CHECK_THROWS_WITH(translator->translate({}, options), doctest::Contains("attention_head: 2"));
}

TEST_CASE("recurrent models say what they are") {
    const auto info = pipeline::Model::describe(folder_of("s2s-lstm"));
    CHECK(info.format == "marian");
    CHECK(info.family == "recurrent");
    CHECK(info.d_model == 16);
    CHECK(info.heads == 1);
    CHECK(info.encoder_layers == 3);
    CHECK(info.decoder_layers == 2);
    CHECK(info.encoder_ffn == 0);
    CHECK(info.source_vocabulary == 30);
    CHECK(info.parameters > 10000);
    const std::string attention = "attention of layers after the first";
    CHECK(std::ranges::count(info.unsupported, attention) == 1);
    CHECK(std::ranges::count(pipeline::Model::describe(folder_of("s2s")).unsupported, attention) == 0);
}

TEST_CASE("recurrent models in int8 translate nearly as in float32") {
    for (const char* name : {"s2s", "s2s-deep", "nematus"}) {
        CAPTURE(name);
        const auto rounded = load(name, ComputeType::int8);
        CHECK(rounded->model().info().compute_type == "int8");
        const auto recorded = test::read_recorded(folder_of(name));
        const auto results = rounded->translate(recorded.cases.at(0).requests, recorded.cases[0].options);
        std::size_t same = 0;
        for (std::size_t i = 0; i < results.size(); ++i)
            same += results[i].hypotheses.at(0).tokens == recorded.cases[0].expected[i].tokens[0];
        CHECK(same * 10 >= results.size() * 8);
    }
}

TEST_CASE("recurrent models in float16") {
    if (!load("s2s")->model().context().caps().f16) return;
    for (const char* name : {"s2s", "s2s-deep", "nematus"}) {
        CAPTURE(name);
        const auto half = load(name, ComputeType::f16);
        const auto recorded = test::read_recorded(folder_of(name));
        const auto results = half->translate(recorded.cases.at(0).requests, recorded.cases[0].options);
        std::size_t same = 0;
        for (std::size_t i = 0; i < results.size(); ++i) {
            const auto& best = results[i].hypotheses.at(0);
            if (best.tokens != recorded.cases[0].expected[i].tokens[0]) continue;
            ++same;
            CHECK(std::abs(best.score - recorded.cases[0].expected[i].scores[0]) < 0.02f);
        }
        CHECK(same * 10 >= results.size() * 9);
    }
}

}  // namespace

}  // namespace recurrent_test
