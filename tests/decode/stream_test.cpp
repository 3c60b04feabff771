// SPDX-License-Identifier: Apache-2.0
// Sentences that come and go at any time have the results that each has alone, to the bit.
#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "decode/stream.h"
#include "nn/transformer.h"
#include "spec/random_model.h"
#include "support/blocking_search.h"
#include "support/device.h"
#include "support/same_results.h"
#include "support/sweep.h"

namespace stream_test {

using namespace dragoman;
using decode::SearchInput;
using decode::SearchOutput;
using decode::SearchRules;
using decode::Stream;
using decode::StreamEvents;
using decode::StreamLimits;
using decode::Urgency;

namespace {

constexpr uint32_t kVocabulary = 70, kEnd = 2;

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

struct Case {
    const char* name;
    SearchRules rules;
    bool limited = false;  // every sentence has a shortlist of its own
};

std::vector<Case> cases() {
    std::vector<Case> list{{"greedy", {.beam_size = 1}},
                           {"greedy, shortlists", {.beam_size = 1}, true},
                           {"beams", {.beam_size = 4, .num_hypotheses = 4, .attention = true}},
                           {"beams, shortlists", {.beam_size = 3, .num_hypotheses = 2}, true},
                           {"bias", {.beam_size = 2, .prefix_bias_beta = 0.3f}},
                           {"scores of forced tokens", {.beam_size = 1, .forced_scores = true}},
                           {"marian, greedy", {.style = spec::SearchStyle::marian, .beam_size = 1}},
                           {"marian", {.style = spec::SearchStyle::marian, .beam_size = 3, .attention = true}},
                           {"marian, shortlists", {.style = spec::SearchStyle::marian, .beam_size = 3}, true},
                           {"hugging face, greedy", {.style = spec::SearchStyle::huggingface, .beam_size = 1}},
                           {"hugging face", {.style = spec::SearchStyle::huggingface, .beam_size = 4}},
                           {"sampling", {.beam_size = 1, .forced_scores = true, .sampling = true}},
                           {"sampling, shortlists", {.beam_size = 1, .sampling = true}, true},
                           {"marian, sampling", {.style = spec::SearchStyle::marian, .beam_size = 1, .sampling = true}},
                           {"hugging face, sampling",
                            {.style = spec::SearchStyle::huggingface, .beam_size = 1, .sampling = true}},
                           {"certainty", {.beam_size = 4, .num_hypotheses = 4, .attention = true, .certainty = true}}};
    list[7].rules.suppressed = {{7}};
    list[10].rules.repetition_penalty = 1.2f;
    list[13].rules.suppressed = {{7}};
    for (Case& c : list) c.rules.end_ids = {kEnd};
    return list;
}

std::vector<SearchInput> some_inputs(std::size_t count, bool limited, uint32_t seed) {
    std::mt19937 random(seed);
    std::vector<SearchInput> inputs(count);
    for (std::size_t i = 0; i < count; ++i) {
        SearchInput& input = inputs[i];
        input.start_id = 1;
        input.max_length = i % 5 == 0 ? 6 : 20;
        input.source.resize(1 + random() % 11);
        for (uint32_t& id : input.source) id = uint32_t(random() % kVocabulary);
        if (i % 4 == 1) input.prefix = {uint32_t(5 + i % 9), 6};
        if (i % 4 == 2) input.context = {4, uint32_t(8 + i % 11), 7};
        if (i % 3 == 0 && i > count / 2) input.min_length = std::min(input.max_length, 9u);
        input.sampling = {.temperature = i % 7 == 0 ? 0.0f : 0.5f + 0.25f * float(i % 3),
                          .top_k = i % 3 == 0 ? 20u : 0u,
                          .top_p = i % 4 == 0 ? 0.9f : 1.0f,
                          .min_p = i % 5 == 0 ? 0.01f : 0.0f,
                          .seed = i % 2 == 0 ? 11u : 1ull << 40};
        if (!limited) continue;
        for (uint32_t id = 0; id < kVocabulary; ++id)
            if (id == kEnd || random() % 4 == 0) input.allowed.push_back(id);
    }
    return inputs;
}

void check_same(const vulkan::Context& context, const SearchOutput& found, const SearchOutput& alone) {
    REQUIRE(found.hypotheses.size() == alone.hypotheses.size());
    for (std::size_t h = 0; h < found.hypotheses.size(); ++h) {
        CHECK(found.hypotheses[h].tokens == alone.hypotheses[h].tokens);
        CHECK(test::same_result(context, found.hypotheses[h].score, alone.hypotheses[h].score));
        CHECK(test::same_results(context, found.hypotheses[h].attention, alone.hypotheses[h].attention));
        REQUIRE(found.hypotheses[h].certainty.size() == alone.hypotheses[h].certainty.size());
        for (std::size_t t = 0; t < found.hypotheses[h].certainty.size(); ++t) {
            const decode::Certainty &one = found.hypotheses[h].certainty[t], &other = alone.hypotheses[h].certainty[t];
            CHECK(test::same_result(context, one.log_prob, other.log_prob));
            CHECK(test::same_result(context, one.entropy, other.entropy));
            CHECK(test::same_result(context, one.margin, other.margin));
        }
    }
    CHECK(test::same_results(context, found.forced_scores, alone.forced_scores));
}

std::vector<SearchOutput> each_alone(const std::shared_ptr<vulkan::Context>& context, const nn::Seq2Seq& model,
                                     const std::vector<SearchInput>& inputs, const SearchRules& rules) {
    test::BlockingSearch search(context, model);
    std::vector<SearchOutput> outputs;
    for (const SearchInput& input : inputs) outputs.push_back(search.run(std::span(&input, 1), rules)[0]);
    return outputs;
}

// Some come at every chunk, in any order and of any urgency; a few are cancelled.
void check_arrivals(const vulkan::Context& context, const std::vector<SearchInput>& inputs,
                    const std::vector<SearchOutput>& alone, Stream& stream, uint32_t seed) {
    std::mt19937 random(seed);
    std::set<decode::Ticket> finished, cancelled;
    std::map<decode::Ticket, std::vector<uint32_t>> partial;
    std::size_t next = 0;
    while (next < inputs.size() || !stream.idle()) {
        for (std::size_t n = random() % 6; n > 0 && next < inputs.size(); --n, ++next)
            stream.add(next, inputs[next],
                       {.priority = int32_t(random() % 2),
                        .rank = double(random() % 3),
                        .urgency = random() % 4 == 0 ? Urgency::express : Urgency::bulk,
                        .partial = random() % 4 == 0});
        if (next > 0 && random() % 8 == 0) {
            const decode::Ticket ticket = random() % next;
            if (stream.cancel(ticket)) cancelled.insert(ticket);
        }
        StreamEvents events;
        stream.advance(events);
        CHECK(events.failed.empty());
        for (auto& [ticket, tokens] : events.partial) {
            CHECK(!finished.contains(ticket));
            CHECK(tokens.size() >= partial[ticket].size());
            partial[ticket] = std::move(tokens);
        }
        for (const auto& [ticket, output] : events.finished) {
            CAPTURE(ticket);
            CHECK(finished.insert(ticket).second);
            CHECK(!cancelled.contains(ticket));
            check_same(context, output, alone[ticket]);
            if (stream.rules().beam_size > 1 || !partial.contains(ticket)) continue;
            const auto& [begin, whole] = std::tie(partial[ticket], output.hypotheses[0].tokens);
            REQUIRE(begin.size() <= whole.size());
            CHECK(std::equal(begin.begin(), begin.end(), whole.begin()));
        }
    }
    CHECK(finished.size() + cancelled.size() == inputs.size());
    CHECK(!partial.empty());
}

}  // namespace

TEST_CASE("arrivals at any time change nothing") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::RandomModel model(config_of(spec::Autoregression::self_attention), {.seed = 5});
        const nn::Transformer network(context, model.config, model.weights, DType::f32);
        for (const Case& c : cases()) {
            CAPTURE(c.name);
            const auto inputs = some_inputs(test::full_sweep() ? 26 : 20, c.limited, 3);
            const auto alone = each_alone(context, network, inputs, c.rules);
            decode::SearchStats stats;
            Stream few(context, network, c.rules, {.slots = 3, .source_tokens = 25}, stats);
            Stream tight(context, network, c.rules, {.slots = 6, .source_tokens = 60, .express_slots = 2}, stats);
            tight.set_initial_steps(3);
            check_arrivals(*context, inputs, alone, few, 1);
            for (const uint32_t seed : test::sweep({2u, 3u}, 1)) check_arrivals(*context, inputs, alone, tight, seed);
        }
    });
}

TEST_CASE("arrivals at recurrent decoders") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        for (const auto kind : {spec::Autoregression::ssru, spec::Autoregression::average_attention}) {
            const test::RandomModel model(config_of(kind), {.seed = 6});
            const nn::Transformer network(context, model.config, model.weights, DType::f32);
            SearchRules rules{.beam_size = 3};
            rules.end_ids = {kEnd};
            const auto inputs = some_inputs(20, false, 4);
            const auto alone = each_alone(context, network, inputs, rules);
            decode::SearchStats stats;
            Stream stream(context, network, rules, {.slots = 4, .source_tokens = 40}, stats);
            check_arrivals(*context, inputs, alone, stream, 1);
        }
    });
}

// A session takes half of the free memory; but the only sentence may take more if it needs that to go on.
TEST_CASE("caches of the last sentence grow into all the memory there is") {
    test::for_every_held_device([](const std::shared_ptr<vulkan::Context>& context) {
        const test::RandomModel model(config_of(spec::Autoregression::self_attention), {.seed = 5});
        const SearchRules rules{.beam_size = 1};  // without end tokens: up to the length limit
        std::vector<SearchInput> inputs(2);
        for (SearchInput& input : inputs) {
            input.source = {5, 6, 7};
            input.start_id = 1;
            input.max_length = 40;
        }
        inputs[1].source = {8, 9};
        const auto run = [&](std::span<const SearchInput> some, uint64_t limit) {
            const auto limited =
                vulkan::Context::create({.device = std::to_string(context->caps().index), .memory_limit_bytes = limit});
            const nn::Transformer network(limited, model.config, model.weights, DType::f32);
            test::BlockingSearch search(limited, network);
            search.set_initial_steps(4);
            auto outputs = search.run(some, rules, {.slots = 2});
            return std::pair(std::move(outputs), limited->stats().memory_peak_bytes);
        };
        for (const std::size_t count : {1u, 2u}) {
            CAPTURE(count);
            const auto some = std::span(inputs).first(count);
            const auto [expected, peak] = run(some, 0);
            const auto found = run(some, peak).first;
            for (std::size_t i = 0; i < count; ++i) {
                CHECK(found[i].hypotheses[0].tokens.size() == 40);
                check_same(*context, found[i], expected[i]);
            }
        }
    });
}

TEST_CASE("slots are refilled while others go on") {
    const auto context = vulkan::Context::create({});
    const test::RandomModel model(config_of(spec::Autoregression::self_attention), {.seed = 5});
    const nn::Transformer network(context, model.config, model.weights, DType::f32);
    SearchRules rules{.beam_size = 1};
    rules.end_ids = {};  // every search runs to its length limit
    std::vector<SearchInput> inputs = some_inputs(60, false, 9);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inputs[i].max_length = 4 + uint32_t(i * 7 % 40);
        inputs[i].prefix = inputs[i].context = {};
    }
    test::BlockingSearch search(context, network);
    search.run(inputs, rules, {.slots = 8, .source_tokens = 200});
    uint64_t tokens = 0;
    for (const SearchInput& input : inputs) tokens += input.max_length;
    const auto& stats = search.stats();
    CHECK(stats.row_steps == tokens);  // greedy: a row per step and sentence, none for nothing
    CHECK(stats.slot_steps == tokens);
    // In batches of 8 in their order, each would last as long as its longest.
    uint64_t in_batches = 0;
    for (std::size_t begin = 0; begin < inputs.size(); begin += 8) {
        uint32_t longest = 0;
        for (std::size_t i = begin; i < std::min(begin + 8, inputs.size()); ++i)
            longest = std::max(longest, inputs[i].max_length);
        in_batches += longest;
    }
    CHECK(stats.decoder_steps < in_batches * 4 / 5);
}

}  // namespace stream_test
