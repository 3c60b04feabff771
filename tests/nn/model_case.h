// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <doctest/doctest.h>

#include <limits>
#include <map>

#include "nn/device_run.h"
#include "nn/plain_transformer.h"
#include "nn/transformer.h"
#include "spec/random_model.h"
#include "support/same_results.h"

// Random models of a configuration, stepped on a device and compared with the plain transformer.
namespace dragoman::test {

// Largest difference of a row over the row's largest magnitude. float16 keeps every activation to 11 bits.
inline double bound(DType type) { return type == DType::f16 ? 1e-2 : 1e-5; }

struct Case {
    std::string name;
    spec::TransformerConfig config;
    RandomModel::Options options{};
};

inline spec::TransformerConfig small(uint32_t d, uint32_t heads, uint32_t head_dim, uint32_t layers) {
    spec::TransformerConfig config{.d_model = d,
                                   .encoder_ffn = 2 * d + 1,
                                   .decoder_ffn = d + 5,
                                   .source_vocabulary = 11 + d / 2,
                                   .target_vocabulary = 31 + d,
                                   .encoder = {},
                                   .decoder = {}};
    config.encoder.layers = layers;
    config.decoder.layers = layers;
    for (spec::StackConfig* stack : {&config.encoder, &config.decoder}) {
        stack->heads = heads;
        stack->head_dim = head_dim;
    }
    return config;
}

template <class F>
inline spec::TransformerConfig both(spec::TransformerConfig config, F&& f) {
    f(config.encoder);
    f(config.decoder);
    return config;
}

inline Sources make_sources(const std::vector<uint32_t>& lengths, uint32_t vocabulary, uint32_t seed) {
    std::mt19937 engine(seed);
    Sources sources;
    for (const uint32_t length : lengths) {
        auto& sentence = sources.emplace_back(length);
        for (uint32_t& id : sentence) id = uint32_t(engine() % vocabulary);
    }
    return sources;
}

inline double difference(const std::vector<float>& actual, const Row& expected) {
    REQUIRE(actual.size() == expected.size());
    double largest = 1e-30, apart = 0;
    for (size_t i = 0; i < actual.size(); ++i) {
        if (std::isnan(actual[i])) return std::numeric_limits<double>::infinity();
        largest = std::max(largest, std::abs(expected[i]));
        apart = std::max(apart, std::abs(actual[i] - expected[i]));
    }
    return apart / largest;
}

// The plain transformer's outputs for the rows of a script, each computed once.
class Expected {
public:
    Expected(const RandomModel& model, const Sources& sources, uint32_t beam)
        : plain_(model.config, model.weights), sources_(sources), beam_(beam) {}
    const PlainTransformer::Prediction& of(const ScriptRow& row) {
        const auto [at, added] = known_.try_emplace({row.cache_row / beam_, row.history});
        if (added) at->second = plain_.predict(sources_[row.cache_row / beam_], row.history);
        return at->second;
    }

private:
    PlainTransformer plain_;
    const Sources& sources_;
    uint32_t beam_;
    std::map<std::pair<uint32_t, std::vector<uint32_t>>, PlainTransformer::Prediction> known_;
};

inline void check_step(Expected& expected, const ScriptStep& rows, const DeviceRun::Result& result, DType type) {
    for (size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(rows[i].cache_row);
        CAPTURE(rows[i].history.size());
        const auto& prediction = expected.of(rows[i]);
        CHECK(difference(result.logits[i], prediction.logits) <= bound(type));
        CHECK(difference(result.attention[i], prediction.attention) <= bound(type));
    }
}

inline bool has_type(const Context& context, DType type) {
    if (type != DType::f16 || context.caps().f16) return true;
    static std::set<std::string> said;
    if (said.insert(context.caps().name).second)
        std::printf("skipped float16: %s lacks 16-bit storage or arithmetic\n", context.caps().name.c_str());
    return false;
}

inline const std::vector<uint32_t> kSourceLengths = {3, 9, 1, 6, 2}, kSteps = {5, 3, 9, 1, 7},
                                   kDelays = {0, 2, 0, 1, 1};

// The first `slots` slots of a batch for every length.
inline std::vector<uint32_t> first(const std::vector<uint32_t>& values, size_t slots) {
    return {values.begin(), values.begin() + std::ptrdiff_t(slots)};
}

// A decoder alone has nothing to read.
inline Sources sources_for(const spec::TransformerConfig& config, const std::vector<uint32_t>& lengths, uint32_t seed) {
    if (!config.has_encoder()) return Sources(lengths.size());
    return make_sources(lengths, config.source_vocabulary, seed);
}

// widened: of the network's twin with float32 activations, which is exact although weights are halves.
inline void check_case(Context& context, const Case& one, DType type, uint32_t beam, size_t slots,
                       bool widened = false) {
    CAPTURE(one.name);
    CAPTURE(name(type));
    CAPTURE(beam);
    RandomModel::Options options = one.options;
    options.exact_in = type;
    const RandomModel model(one.config, options);
    const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, type);
    const auto wide = widened ? transformer.widened() : nullptr;
    if (wide) CHECK(!wide->info().narrow);
    const Sources sources = sources_for(model.config, first(kSourceLengths, slots), beam);
    const auto script = make_script(first(kSteps, slots), first(kDelays, slots), beam, model.config.target_vocabulary,
                                    10 * options.seed + beam);
    Expected expected(model, sources, beam);
    DeviceRun device(context, wide ? *wide : transformer, sources, beam, 10);
    for (const ScriptStep& step : script) check_step(expected, step, device.step(step), wide ? DType::f32 : type);
}

// Steps a script with all sentences at once and with each alone, and hands what every row has of both to `check`.
template <class Check>
inline void together_and_alone(Context& context, const nn::Seq2Seq& network, const Sources& sources,
                               const std::vector<ScriptStep>& script, uint32_t beam, Check&& check) {
    DeviceRun together(context, network, sources, beam, 10);
    std::vector<Sources> single;
    for (const auto& sentence : sources) single.push_back({sentence});
    std::vector<std::unique_ptr<DeviceRun>> alone;
    for (const Sources& sentence : single)
        alone.push_back(std::make_unique<DeviceRun>(context, network, sentence, beam, 14));
    for (const ScriptStep& step : script) {
        const auto all = together.step(step);
        size_t at = 0;
        for (uint32_t slot = 0; slot < sources.size(); ++slot) {
            ScriptStep own;
            for (ScriptRow row : step)
                if (row.cache_row / beam == slot) {
                    row.cache_row %= beam;
                    own.push_back(row);
                }
            if (own.empty()) continue;
            const auto result = alone[slot]->step(own);
            for (size_t i = 0; i < own.size(); ++i, ++at) {
                check(result.logits[i], all.logits[at]);
                check(result.attention[i], all.attention[at]);
            }
        }
    }
}

// A sentence's results are the same alone and in a batch.
inline void check_together_and_alone(Context& context, const Case& one, DType type) {
    CAPTURE(one.name);
    CAPTURE(name(type));
    const RandomModel model(one.config, one.options);
    const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, type);
    const Sources sources = sources_for(model.config, kSourceLengths, 8);
    const auto script = make_script(kSteps, kDelays, 3, model.config.target_vocabulary, 9);
    together_and_alone(context, transformer, sources, script, 3,
                       [&](const std::vector<float>& alone, const std::vector<float>& together) {
                           CHECK(same_results(context, alone, together, type));
                       });
}

inline const Case& find_case(const std::vector<Case>& cases, std::string_view part) {
    for (const Case& one : cases)
        if (one.name.find(part) != std::string::npos) return one;
    FAIL("no case ", std::string(part));
    return cases[0];
}

}  // namespace dragoman::test
