// SPDX-License-Identifier: Apache-2.0
// Searches where neither the output matrix nor the logits of many rows fit into a buffer.
#include "base/error.h"
#include "decode/search.h"
#include "nn/transformer.h"
#include "ops/weight.h"
#include "spec/random_model.h"
#include "support/blocking_search.h"
#include "support/device.h"
#include "support/same_results.h"

namespace buffer_limit_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchRules;

namespace {

constexpr uint64_t kLimit = 40'000;
constexpr uint32_t kVocabulary = 1501, kWidth = 32, kEnd = 2;

spec::TransformerConfig config() {
    spec::TransformerConfig config{.d_model = kWidth,
                                   .encoder_ffn = 40,
                                   .decoder_ffn = 24,
                                   .source_vocabulary = kVocabulary,
                                   .target_vocabulary = kVocabulary,
                                   .encoder = {.layers = 1, .heads = 2, .head_dim = 16},
                                   .decoder = {.layers = 1, .heads = 2, .head_dim = 16, .final_norm = true}};
    for (spec::StackConfig* stack : {&config.encoder, &config.decoder}) {
        stack->positions = spec::Positions::table;
        stack->max_positions = 32;
    }
    return config;
}

std::vector<SearchInput> inputs(uint32_t count) {
    std::vector<SearchInput> list;
    for (uint32_t i = 0; i < count; ++i) {
        SearchInput input{
            .source = {}, .start_id = 1, .context = {}, .prefix = {}, .max_length = 10 + i % 3, .min_length = i % 3};
        for (uint32_t t = 0; t < 1 + i * 2 % 5; ++t) input.source.push_back((701 * i + 311 * t) % kVocabulary);
        list.push_back(input);
    }
    return list;
}

}  // namespace

TEST_CASE("large vocabularies are searched in smaller batches, with the same results") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const auto limited =
            vulkan::Context::create({.device = std::to_string(context->caps().index), .buffer_limit_bytes = kLimit});
        for (const DType type : {DType::f32, DType::f16})
            for (const bool tied : {false, true}) {
                if (type == DType::f16 && !context->caps().f16) continue;
                REQUIRE(ops::panel_bytes(kVocabulary, kWidth, type) > 2 * kLimit);
                const test::RandomModel model(config(), {.tied = tied, .exact_in = type, .seed = 3});
                const nn::Transformer whole(context, model.config, model.weights, type),
                    parts(limited, model.config, model.weights, type);
                test::BlockingSearch expecting(context, whole), finding(limited, parts);
                for (const uint32_t beam : {1u, 3u}) {
                    CAPTURE(beam);
                    CAPTURE(tied);
                    SearchRules rules{.beam_size = beam, .num_hypotheses = beam};
                    rules.end_ids = {kEnd, kVocabulary - 1};
                    const auto batch = inputs(9);
                    REQUIRE(batch.size() * beam * kVocabulary * 4 > kLimit);
                    const auto expected = expecting.run(batch, rules), found = finding.run(batch, rules);
                    for (std::size_t i = 0; i < batch.size(); ++i) {
                        REQUIRE(found[i].hypotheses.size() == expected[i].hypotheses.size());
                        for (std::size_t h = 0; h < found[i].hypotheses.size(); ++h) {
                            CHECK(found[i].hypotheses[h].tokens == expected[i].hypotheses[h].tokens);
                            CHECK(test::same_result(*context, found[i].hypotheses[h].score,
                                                    expected[i].hypotheses[h].score, type));
                        }
                    }
                }
            }
    });
}

TEST_CASE("a sentence whose logits do not fit into a buffer is refused with both sizes") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const auto limited =
            vulkan::Context::create({.device = std::to_string(context->caps().index), .buffer_limit_bytes = kLimit});
        const test::RandomModel model(config(), {.seed = 4});
        const nn::Transformer transformer(limited, model.config, model.weights, DType::f32);
        test::BlockingSearch search(limited, transformer);
        SearchRules rules{.beam_size = 7};
        rules.end_ids = {kEnd};
        try {
            search.run(inputs(2), rules);
            FAIL("no error");
        } catch (const Error& error) {
            CHECK(error.status() == Status::unsupported);
            const std::string message = error.what();
            for (const char* part : {"beam 7", "a vocabulary of 1501", "a buffer of 42112 bytes", "allows 40000"})
                CHECK_MESSAGE(message.find(part) != std::string::npos, message);
        }
    });
}

}  // namespace buffer_limit_test
