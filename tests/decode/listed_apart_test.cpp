// SPDX-License-Identifier: Apache-2.0
// Where workgroups cannot read what others of their dispatch wrote, what is live is listed by a dispatch of its own.
#include "nn/transformer.h"
#include "spec/random_model.h"
#include "support/blocking_search.h"
#include "support/device.h"

namespace listed_apart_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchRules;

namespace {

constexpr uint32_t kVocabulary = 150, kEnd = 2;

spec::TransformerConfig config() {
    spec::TransformerConfig config{.d_model = 32,
                                   .encoder_ffn = 40,
                                   .decoder_ffn = 24,
                                   .source_vocabulary = kVocabulary,
                                   .target_vocabulary = kVocabulary,
                                   .encoder = {.layers = 1, .heads = 2, .head_dim = 16},
                                   .decoder = {.layers = 1, .heads = 2, .head_dim = 16, .final_norm = true}};
    return config;
}

std::vector<SearchInput> inputs(uint32_t count) {
    std::vector<SearchInput> list;
    for (uint32_t i = 0; i < count; ++i) {
        SearchInput input{.source = {}, .start_id = 1, .max_length = 3 + 5 * i % 17};
        for (uint32_t t = 0; t < 1 + i * 2 % 5; ++t) input.source.push_back((71 * i + 31 * t) % kVocabulary);
        list.push_back(input);
    }
    return list;
}

}  // namespace

TEST_CASE("searches whose lists are made apart find the same in the same steps") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const auto unordered =
            vulkan::Context::create({.device = std::to_string(context->caps().index), .unordered_workgroups = true});
        REQUIRE(!unordered->caps().orders_workgroups);
        const test::RandomModel random(config(), {.seed = 3});
        const nn::Transformer model(context, random.config, random.weights, DType::f32),
            other(unordered, random.config, random.weights, DType::f32);
        test::BlockingSearch usual(context, model), apart(unordered, other);
        for (const auto style :
             {spec::SearchStyle::ctranslate2, spec::SearchStyle::marian, spec::SearchStyle::huggingface})
            for (const uint32_t beam : {1u, 3u}) {
                CAPTURE(beam);
                SearchRules rules{.beam_size = beam, .num_hypotheses = beam, .end_ids = {kEnd, 7}};
                rules.style = style;
                const auto batch = inputs(11);
                const decode::StreamLimits limits{.slots = 4};  // others enter as some end
                const auto expected = usual.run(batch, rules, limits), found = apart.run(batch, rules, limits);
                for (std::size_t i = 0; i < batch.size(); ++i) {
                    REQUIRE(found[i].hypotheses.size() == expected[i].hypotheses.size());
                    for (std::size_t h = 0; h < found[i].hypotheses.size(); ++h) {
                        CHECK(found[i].hypotheses[h].tokens == expected[i].hypotheses[h].tokens);
                        CHECK(found[i].hypotheses[h].score == expected[i].hypotheses[h].score);
                    }
                }
                CHECK(apart.stats().decoder_steps == usual.stats().decoder_steps);
                CHECK(apart.stats().slot_steps == usual.stats().slot_steps);
                CHECK(apart.stats().row_steps == usual.stats().row_steps);
                CHECK(apart.stats().dispatches_per_step == usual.stats().dispatches_per_step + 1);
            }
    });
}

}  // namespace listed_apart_test
