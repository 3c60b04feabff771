// SPDX-License-Identifier: Apache-2.0
// Searches over whole models whose decoders keep a state: beams that are reordered, forced or given up must each go
// on from their own state.
#include <algorithm>
#include <cmath>
#include <map>

#include "decode/search.h"
#include "nn/plain_recurrent.h"
#include "nn/plain_transformer.h"
#include "nn/recurrent_network.h"
#include "nn/transformer.h"
#include "plain_search.h"
#include "spec/random_model.h"
#include "spec/random_recurrent.h"
#include "support/blocking_search.h"
#include "support/device.h"

namespace recurrent_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchRules;
using spec::Autoregression;

namespace {

constexpr uint32_t kVocabulary = 29, kEnd = 2;

spec::TransformerConfig config_of(spec::Autoregression kind) {
    spec::TransformerConfig config{.d_model = 16,
                                   .encoder_ffn = 20,
                                   .decoder_ffn = 24,
                                   .source_vocabulary = kVocabulary,
                                   .target_vocabulary = kVocabulary,
                                   .encoder = {.layers = 1, .heads = 2, .head_dim = 8},
                                   .decoder = {.layers = 2, .heads = 2, .head_dim = 8, .final_norm = true}};
    config.start_from_zero_embedding = true;
    config.autoregression = kind;
    config.average_ffn = 18;
    return config;
}

std::vector<SearchRules> rules_list() {
    std::vector<SearchRules> list{{.beam_size = 1},
                                  {.beam_size = 4, .num_hypotheses = 4},
                                  {.beam_size = 3, .patience = 2.0f, .num_hypotheses = 6},
                                  {.beam_size = 3, .prefix_bias_beta = 0.3f}};
    for (SearchRules& rules : list) rules.end_ids = {kEnd};
    return list;
}

std::vector<SearchInput> inputs() {
    std::vector<SearchInput> list;
    for (uint32_t i = 0; i < 7; ++i) {
        SearchInput input{.source = {}, .start_id = 1, .context = {}, .prefix = {}, .max_length = 12, .min_length = 3};
        for (uint32_t t = 0; t < 1 + i * 2 % 5; ++t) input.source.push_back((7 * i + 11 * t) % kVocabulary);
        if (i == 2) input.prefix = {10, 5, 21};
        if (i == 3) input.context = {6, 13, 7, 9};
        if (i == 4) input.max_length = 5;
        list.push_back(input);
    }
    return list;
}

// The same hypotheses, in any order.
void check_same(const std::vector<decode::Hypothesis>& found, const std::vector<decode::Hypothesis>& expected) {
    REQUIRE(found.size() == expected.size());
    for (const auto& hypothesis : expected)
        CHECK(std::ranges::any_of(found, [&](const decode::Hypothesis& h) {
            return h.tokens == hypothesis.tokens &&
                   std::abs(h.score - hypothesis.score) <= 1e-4f * (1.0f + std::abs(hypothesis.score));
        }));
}

template <class Plain>
void check_search(const std::shared_ptr<vulkan::Context>& context, const nn::Seq2Seq& network, const Plain& plain,
                  uint32_t first_steps) {
    CAPTURE(first_steps);
    test::BlockingSearch search(context, network);
    search.set_initial_steps(first_steps);
    const auto batch = inputs();
    for (const SearchRules& rules : rules_list()) {
        CAPTURE(rules.beam_size);
        CAPTURE(rules.prefix_bias_beta);
        const auto outputs = search.run(batch, rules);
        for (std::size_t i = 0; i < batch.size(); ++i) {
            CAPTURE(i);
            std::map<std::vector<uint32_t>, std::vector<double>> known;
            const auto logits = [&](const std::vector<uint32_t>& fed) {
                const auto [at, added] = known.try_emplace(fed);
                if (added) at->second = plain.predict(batch[i].source, fed).logits;
                return at->second;
            };
            check_same(outputs[i].hypotheses, test::PlainSearch(logits, kVocabulary, rules, batch[i]).run());
        }
    }
}

void check_model(const std::shared_ptr<vulkan::Context>& context, spec::Autoregression kind, uint32_t first_steps) {
    CAPTURE(int(kind));
    const test::RandomModel model(config_of(kind), {.seed = 5});
    const nn::Transformer transformer(context, model.config, model.weights, DType::f32);
    check_search(context, transformer, test::PlainTransformer(model.config, model.weights), first_steps);
}

void check_network(const std::shared_ptr<vulkan::Context>& context, spec::RecurrentCell cell, uint32_t first_steps) {
    CAPTURE(int(cell));
    const spec::RecurrentConfig config{.source_vocabulary = kVocabulary,
                                       .target_vocabulary = kVocabulary,
                                       .embedding = 12,
                                       .state = 16,
                                       .encoder = {cell},
                                       .decoder = {cell},
                                       .decoder_layers = 2,
                                       .skip = true};
    const test::RandomRecurrent model(config, 5, DType::f32);
    const nn::RecurrentNetwork network(context, model.config, model.weights, DType::f32);
    check_search(context, network, test::PlainRecurrent(model.config, model.weights), first_steps);
}

}  // namespace

TEST_CASE("searching over recurrent decoders agrees with a plain search") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        for (const spec::Autoregression kind : {spec::Autoregression::self_attention, spec::Autoregression::ssru,
                                                spec::Autoregression::gru, spec::Autoregression::average_attention})
            check_model(context, kind, 0);
        for (const spec::RecurrentCell cell : {spec::RecurrentCell::gru, spec::RecurrentCell::lstm})
            check_network(context, cell, 0);
    });
}

TEST_CASE("searching with the kernels for GPUs agrees with a plain search") {
    const auto check = [](const std::shared_ptr<vulkan::Context>& context) {
        for (const spec::Autoregression kind : {spec::Autoregression::self_attention, spec::Autoregression::ssru})
            check_model(context, kind, 0);
        check_network(context, spec::RecurrentCell::lstm, 0);
    };
    test::for_every_held_device(check, true);
}

TEST_CASE("states survive the growth of a search") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        for (const spec::Autoregression kind : {spec::Autoregression::ssru, spec::Autoregression::average_attention})
            check_model(context, kind, 4);
        check_network(context, spec::RecurrentCell::gru, 4);
    });
}

}  // namespace recurrent_test
