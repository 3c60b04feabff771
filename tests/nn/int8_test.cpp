// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <span>

#include "base/error.h"
#include "nn/device_run.h"
#include "nn/int8_model.h"
#include "nn/model_case.h"
#include "nn/plain_transformer.h"
#include "nn/transformer.h"
#include "support/sweep.h"

namespace int8_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

spec::TransformerConfig small_config(uint32_t d, uint32_t heads, uint32_t head_dim) {
    spec::TransformerConfig config{.d_model = d,
                                   .encoder_ffn = 2 * d + 1,
                                   .decoder_ffn = d + 6,
                                   .source_vocabulary = 150,
                                   .target_vocabulary = 150,
                                   .encoder = {},
                                   .decoder = {}};
    for (spec::StackConfig* stack : {&config.encoder, &config.decoder}) {
        stack->layers = 2;
        stack->heads = heads;
        stack->head_dim = head_dim;
        stack->pre_norm = false;
        stack->embedding_scale = 3.1f;
    }
    config.start_from_zero_embedding = true;
    return config;
}

struct Int8Case {
    const char* name;
    spec::TransformerConfig config;
    RandomModel::Options options;
    InputScales scales;
    uint32_t beam;
};

std::vector<Int8Case> make_cases() {
    std::vector<Int8Case> cases{
        {"fixed scales, tied", small_config(24, 3, 8), {.tied = true, .seed = 21}, InputScales::fixed, 1},
        {"fixed scales, beams", small_config(32, 2, 16), {.tied = true, .seed = 22}, InputScales::fixed, 3},
        {"dynamic scales", small_config(24, 2, 12), {.tied = true, .seed = 23}, InputScales::dynamic, 1},
        {"mixed, ragged", small_config(26, 2, 7), {.biases = false, .tied = true, .seed = 24}, InputScales::mixed, 1},
        {"mixed, gated", small_config(20, 2, 10), {.tied = false, .seed = 25}, InputScales::mixed, 1},
    };
    cases.back().config.encoder.gated_ffn = cases.back().config.decoder.gated_ffn = true;
    cases.back().config.encoder.pre_norm = cases.back().config.decoder.final_norm = true;
    cases.back().config.output_scale = 0.4f;
    // Products of one input are one here: scales that change from panel to panel, and one scale for both.
    cases.push_back(
        {"fixed scales, recurrent", small_config(64, 4, 16), {.tied = true, .seed = 26}, InputScales::fixed, 2});
    cases.push_back(
        {"dynamic scales, recurrent", small_config(24, 2, 12), {.tied = true, .seed = 27}, InputScales::dynamic, 1});
    for (Int8Case& one : std::span(cases).last(2)) one.config.autoregression = spec::Autoregression::ssru;
    return cases;
}

}  // namespace

TEST_CASE("an int8 model computes what whole numbers say") {
    on_every_device([](Context& context) {
        for (const Int8Case& one : every(make_cases(), 2)) {
            CAPTURE(one.name);
            const RandomModel random(one.config, one.options);
            const Int8Model model(random, one.scales, one.options.seed);
            const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, DType::i8);
            const PlainTransformer plain(model.config, model.weights);
            const Sources sources = make_sources(kSourceLengths, 150, 1);
            const auto script = make_script(kSteps, kDelays, one.beam, 150, 2);
            DeviceRun device(context, transformer, sources, one.beam, 10);
            // Here and there a number lies between two whole ones, and f32 and double round it apart.
            uint32_t rows = 0, apart = 0;
            for (const ScriptStep& step : script) {
                const auto result = device.step(step);
                for (size_t i = 0; i < step.size(); ++i) {
                    const auto expected = plain.predict(sources[step[i].cache_row / one.beam], step[i].history);
                    const double error = difference(result.logits[i], expected.logits);
                    CHECK(error < 0.2);
                    rows += 1;
                    apart += error > 2e-5;
                }
            }
            CHECK(apart * 5 < rows);
        }
    });
}

TEST_CASE("an int8 model in float32 and float16 is the dequantised one") {
    on_every_device([](Context& context) {
        const Int8Case one = make_cases()[0];
        const RandomModel random(one.config, one.options);
        const Int8Model model(random, one.scales, one.options.seed);
        const Sources sources = make_sources(kSourceLengths, 150, 1);
        const auto script = make_script(kSteps, kDelays, 2, 150, 2);
        // The reference of the same numbers, without input scales.
        spec::WeightMap floats;
        for (const auto& [name, tensor] : model.weights.tensors()) {
            spec::HostTensor copy = tensor;
            copy.input_scales.clear();
            floats.add(name, std::move(copy));
        }
        for (const auto& [name, target] : model.weights.aliases()) floats.alias(name, target);
        const PlainTransformer plain(model.config, floats);
        for (const DType type : {DType::f32, DType::f16}) {
            if (type == DType::f16 && !context.caps().f16) continue;
            const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, type);
            DeviceRun device(context, transformer, sources, 2, 10);
            for (const ScriptStep& step : script) {
                const auto result = device.step(step);
                for (size_t i = 0; i < step.size(); ++i)
                    CHECK(difference(result.logits[i],
                                     plain.predict(sources[step[i].cache_row / 2], step[i].history).logits) <
                          (type == DType::f16 ? 2e-2 : 1e-5));
            }
        }
    });
}

TEST_CASE("int8: a sentence's logits do not depend on its batch, dynamic scales and beams included") {
    on_every_device([](Context& context) {
        for (const InputScales scales : sweep({InputScales::mixed, InputScales::fixed, InputScales::dynamic}, 1)) {
            const RandomModel random(small_config(24, 3, 8), {.tied = true, .seed = 31});
            const Int8Model model(random, scales, 32);
            const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, DType::i8);
            const Sources sources = make_sources(kSourceLengths, 150, 33);
            const uint32_t beam = 3;
            const auto script = make_script(kSteps, kDelays, beam, 150, 34);
            together_and_alone(context, transformer, sources, script, beam,
                               [&](const auto& alone, const auto& together) {
                                   CHECK(same_results(context, alone, together));
                               });
        }
    });
}

TEST_CASE("dynamic scales are those of all beams of a sentence") {
    on_every_device([](Context& context) {
        spec::TransformerConfig config = small_config(24, 3, 8);
        config.start_from_zero_embedding = false;  // so that first tokens differ
        const RandomModel random(config, {.tied = true, .seed = 41});
        const Int8Model model(random, InputScales::dynamic, 42);
        const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, DType::i8);
        const Sources sources = make_sources({4}, 150, 43);
        DeviceRun pair(context, transformer, sources, 2, 4), one(context, transformer, sources, 2, 4);
        const ScriptRow first{.cache_row = 0, .history = {5}, .ancestry = {}},
            second{.cache_row = 1, .history = {77}, .ancestry = {}};
        const auto both = pair.step({first, second});
        const auto single = one.step({first});
        // A wider range makes coarser steps: the neighbour shows.
        CHECK(both.logits[0] != single.logits[0]);
        CHECK(difference(both.logits[0], Row(single.logits[0].begin(), single.logits[0].end())) < 0.2);
    });
}

TEST_CASE("logits of some tokens are those of all, every type") {
    on_every_device([](Context& context) {
        const std::vector<uint32_t> allowed = {0, 1, 2, 7, 63, 64, 65, 99, 128, 149, 70, 3};
        for (const bool biases : sweep({true, false}, 1))
            for (const DType type : {DType::f32, DType::f16, DType::i8}) {
                if (type == DType::f16 && !context.caps().f16) continue;
                CAPTURE(name(type));
                const RandomModel random(small_config(26, 2, 7), {.biases = biases, .tied = true, .seed = 51});
                const Int8Model model(random, InputScales::fixed, 52);
                const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, type);
                const Sources sources = make_sources(kSourceLengths, 150, 53);
                DeviceRun full(context, transformer, sources, 2, 10);
                DeviceRun some(context, transformer, sources, 2, 10, allowed);
                for (const ScriptStep& step : make_script(kSteps, kDelays, 2, 150, 54)) {
                    const auto all = full.step(step), few = some.step(step);
                    for (size_t i = 0; i < step.size(); ++i) {
                        std::vector<float> picked;
                        for (const uint32_t id : allowed) picked.push_back(all.logits[i][id]);
                        CHECK(few.logits[i] == picked);
                    }
                }
            }
    });
}

TEST_CASE("an int8 table and projection that are one tensor are stored once") {
    on_every_device([](Context& context) {
        const RandomModel random(small_config(24, 3, 8), {.tied = true, .seed = 61});
        const Int8Model model(random, InputScales::fixed, 62);
        const auto bytes = [&](DType type) {
            return nn::Transformer(context.shared_from_this(), model.config, model.weights, type).device_bytes();
        };
        CHECK(bytes(DType::i8) + 100 * 24 * 3 < bytes(DType::f32));
        nn::WeightStore store(context.shared_from_this(), model.weights, DType::i8);
        const auto& parts = store.parts("decoder/projection/weight", 150, 24);
        CHECK(parts.front().weight.data.buffer ==
              store.parts("encoder/embeddings_0/weight", 150, 24).front().weight.data.buffer);
        CHECK(store.device_bytes() == 192 * 24 + 150 * 4);
        CHECK(store.parts("encoder/layer_0/self_attention/linear_0/weight", 72, 24).size() == 3);
    });
}

TEST_CASE("int8 matrices of several input scales are one product where the scales keep to panels") {
    on_every_device([](Context& context) {
        RandomModel random(small_config(64, 4, 16), {.seed = 63});
        const Int8Model model(random, InputScales::fixed, 64);
        nn::WeightStore store(context.shared_from_this(), model.weights, DType::i8);
        const std::string name = "encoder/layer_0/self_attention/linear_0/weight";
        const auto& parts = store.parts(name, 192, 64);
        REQUIRE(parts.size() == 1);
        CHECK(parts.front().weight.n == 192);
        std::vector<float> scales(3);
        context.readback(parts.front().panel_scales, scales.data(), 12);
        const auto& expected = model.weights.get(name).input_scales;
        CHECK(scales == std::vector<float>{expected[0], expected[64], expected[128]});
        const auto& joined = store.joined_parts({"decoder/layer_0/attention/linear_0/weight",
                                                 "decoder/layer_1/attention/linear_0/weight"},
                                                64, 64);
        REQUIRE(joined.size() == 1);
        CHECK(joined.front().weight.n == 128);
        CHECK(bool(joined.front().panel_scales));
    });
}

TEST_CASE("int8 matrices with impossible scales are refused") {
    on_every_device([](Context& context) {
        const std::vector<int8_t> values(6 * 5, 3);
        const auto refuses = [&](std::vector<float> scales, std::vector<float> input_scales, const std::string& part) {
            spec::WeightMap map;
            map.add("w", {.dtype = DType::i8,
                          .shape = {6, 5},
                          .bytes = std::as_bytes(std::span(values)),
                          .scales = std::move(scales),
                          .input_scales = std::move(input_scales)});
            nn::WeightStore store(context.shared_from_this(), map, DType::i8);
            try {
                store.parts("w", 6, 5);
                FAIL("no error");
            } catch (const Error& error) {
                CHECK(error.status() == Status::bad_model);
                CHECK(std::string(error.what()).find(part) != std::string::npos);
            }
        };
        refuses({0.0f}, {1.0f}, "w: expected scales above 0, found 0");
        refuses({-2.0f}, {1.0f}, "-2");
        refuses({NAN}, {1.0f}, "nan");
        refuses({}, {1.0f}, "scales");
        refuses({1.0f}, {-1.0f}, "input scales");
        refuses({1.0f}, {INFINITY}, "inf");
        refuses({1.0f}, {1.0f, 2.0f}, "expected 1 or 6 input scales, found 2");
    });
}

}  // namespace int8_test
