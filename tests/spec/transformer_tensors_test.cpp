// SPDX-License-Identifier: Apache-2.0
#include "spec/transformer_tensors.h"

#include <doctest/doctest.h>

#include <fmt/ranges.h>

#include <functional>
#include <set>

#include "base/error.h"
#include "spec/random_model.h"

namespace transformer_tensors_test {

using namespace dragoman;
using spec::Autoregression;

namespace {

spec::TransformerConfig base() {
    return {.d_model = 12,
            .encoder_ffn = 20,
            .decoder_ffn = 18,
            .source_vocabulary = 9,
            .target_vocabulary = 11,
            .encoder = {.layers = 2, .heads = 3, .head_dim = 4},
            .decoder = {.layers = 1, .heads = 2, .head_dim = 6}};
}

using Change = std::function<void(spec::TransformerConfig&)>;

std::vector<std::pair<const char*, Change>> changes() {
    const auto letters = [](spec::StackConfig& s, const char* before, const char* after, const char* embedding,
                            const char* top) {
        s.custom_order = true;
        s.before = before;
        s.after = after;
        s.after_embedding = embedding;
        s.after_stack = top;
    };
    const auto recurrent = [](spec::Autoregression kind, bool norm, bool output) {
        return [=](spec::TransformerConfig& c) {
            c.autoregression = kind;
            c.recurrence_norm = norm;
            c.recurrence_output = output;
        };
    };
    const auto average = [](uint32_t width, uint32_t depth, bool gate) {
        return [=](spec::TransformerConfig& c) {
            c.autoregression = spec::Autoregression::average_attention;
            c.average_ffn = width;
            c.average_ffn_depth = depth;
            c.average_gate = gate;
        };
    };
    return {
        {"standard", [](spec::TransformerConfig&) {}},
        {"an encoder of another width", [](spec::TransformerConfig& c) { c.encoder_width = 10; }},
        {"norms everywhere",
         [](spec::TransformerConfig& c) {
             c.encoder.final_norm = c.encoder.embedding_norm = true;
             c.decoder.final_norm = c.decoder.rms_norm = c.decoder.gated_ffn = true;
             c.decoder.relative_buckets = 8;
             c.encoder.positions = spec::Positions::table;
             c.encoder.max_positions = 5;
         }},
        {"letters",
         [=](spec::TransformerConfig& c) {
             letters(c.encoder, "n", "ar", "r", "nh");
             letters(c.decoder, "", "hn", "n", "");
         }},
        {"no norms",
         [=](spec::TransformerConfig& c) {
             letters(c.encoder, "", "a", "", "");
             letters(c.decoder, "r", "h", "", "ra");
         }},
        {"depths, no projection",
         [](spec::TransformerConfig& c) {
             c.encoder.ffn_depth = 4;
             c.decoder.ffn_depth = 1;
             c.encoder.attention_output = c.decoder.attention_output = false;
         }},
        {"ssru", recurrent(spec::Autoregression::ssru, false, false)},
        {"ssru, norm and output", recurrent(spec::Autoregression::ssru, true, true)},
        {"gru, output", recurrent(spec::Autoregression::gru, false, true)},
        {"average", average(19, 3, true)},
        {"average, no gate", average(19, 2, false)},
        {"average, no layers", average(19, 1, true)},
        {"average, as wide as the model", average(12, 2, true)},
        {"a decoder alone", [](spec::TransformerConfig& c) { c.encoder.layers = c.source_vocabulary = 0; }},
        {"a decoder alone, learned positions",
         [](spec::TransformerConfig& c) {
             c.encoder.layers = c.source_vocabulary = 0;
             c.encoder.positions = c.decoder.positions = spec::Positions::table;
             c.decoder.max_positions = 7;
             c.decoder.final_norm = true;
         }},
    };
}

std::string line(const std::string& name, const std::vector<uint32_t>& shape) {
    return fmt::format("{} {}", name, fmt::join(shape, "x"));
}

// Marian has none of these, but they would be read.
bool unusual_bias(const std::string& one) {
    return one.find("/candidate/bias") != std::string::npos || one.find("/state/bias") != std::string::npos;
}

}  // namespace

TEST_CASE("the rules name every tensor of a model and no other") {
    for (const auto& [name, change] : changes()) {
        CAPTURE(name);
        spec::TransformerConfig config = base();
        change(config);
        std::set<std::string> ruled, required, held, held_without_biases;
        for (const spec::TensorRule& rule : spec::transformer_tensors(config)) {
            CHECK(ruled.insert(line(rule.name, rule.shape)).second);
            if (rule.required) required.insert(line(rule.name, rule.shape));
        }
        const test::RandomModel model(config, {}), bare(config, {.biases = false});
        for (const auto& [tensor, host] : model.weights.tensors()) held.insert(line(tensor, host.shape));
        for (const auto& [tensor, host] : bare.weights.tensors()) held_without_biases.insert(line(tensor, host.shape));
        for (const std::string& one : held) CHECK_MESSAGE(ruled.contains(one), one);
        for (const std::string& one : ruled)
            if (!unusual_bias(one)) CHECK_MESSAGE(held.contains(one), one);
        CHECK(required == held_without_biases);
    }
}

TEST_CASE("letters that mean nothing have no rules") {
    spec::TransformerConfig config = base();
    config.encoder.custom_order = true;
    config.encoder.after = "az";
    CHECK_THROWS_AS(spec::transformer_tensors(config), Error);
}

}  // namespace transformer_tensors_test
