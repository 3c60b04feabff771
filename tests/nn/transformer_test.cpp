// SPDX-License-Identifier: Apache-2.0
#include "nn/transformer.h"

#include <doctest/doctest.h>

#include <limits>
#include <map>

#include "base/error.h"
#include "nn/device_run.h"
#include "nn/plain_transformer.h"
#include "nn/random_model.h"

using namespace dragoman;
using namespace dragoman::test;
using nn::Positions;
using ops::Activation;

namespace {

// Largest difference of a row over the row's largest magnitude. float16 keeps every activation to 11 bits.
double bound(DType type) { return type == DType::f16 ? 1e-2 : 1e-5; }

struct Case {
    std::string name;
    nn::TransformerConfig config;
    RandomModel::Options options{};
};

nn::TransformerConfig small(uint32_t d, uint32_t heads, uint32_t head_dim, uint32_t layers) {
    nn::TransformerConfig config{.d_model = d,
                                 .encoder_ffn = 2 * d + 1,
                                 .decoder_ffn = d + 5,
                                 .source_vocabulary = 11 + d / 2,
                                 .target_vocabulary = 31 + d,
                                 .encoder = {},
                                 .decoder = {}};
    config.encoder.layers = layers;
    config.decoder.layers = layers;
    for (nn::StackConfig* stack : {&config.encoder, &config.decoder}) {
        stack->heads = heads;
        stack->head_dim = head_dim;
    }
    return config;
}

template <class F>
nn::TransformerConfig both(nn::TransformerConfig config, F&& f) {
    f(config.encoder);
    f(config.decoder);
    return config;
}

std::vector<Case> make_cases() {
    std::vector<Case> cases;
    cases.push_back({"pre-norm, sinusoids, final norms", both(small(24, 3, 8, 2), [](nn::StackConfig& s) {
                         s.final_norm = true;
                         s.embedding_scale = 4.9f;
                     })});

    Case marian{"post-norm, tied, zero start", both(small(32, 4, 8, 3), [](nn::StackConfig& s) {
                    s.pre_norm = false;
                    s.activation = Activation::swish;
                    s.embedding_scale = 5.7f;
                })};
    marian.config.start_from_zero_embedding = true;
    marian.config.target_vocabulary = marian.config.source_vocabulary = 70;
    marian.config.alignment_heads = 0;
    marian.options = {.tied = true, .seed = 2};
    cases.push_back(marian);

    Case bart{"post-norm, position tables, embedding norms", both(small(20, 2, 10, 2), [](nn::StackConfig& s) {
                  s.pre_norm = false;
                  s.embedding_norm = true;
                  s.activation = Activation::gelu;
                  s.positions = Positions::table;
                  s.norm_epsilon = 1e-3f;
              })};
    bart.config.encoder.max_positions = 9;
    bart.config.decoder.max_positions = 14;
    bart.config.alignment_layer = 0;
    bart.config.alignment_heads = 1;
    bart.options.seed = 3;
    cases.push_back(bart);

    Case t5{"RMS, gated, relative positions, no biases", both(small(28, 2, 9, 3), [](nn::StackConfig& s) {
                s.rms_norm = s.gated_ffn = s.final_norm = true;
                s.activation = Activation::gelu_tanh;
                s.positions = Positions::none;
                s.attention_scale = 1.0f;
                s.relative_buckets = 8;
                s.relative_max_distance = 6;
                s.norm_epsilon = 1e-6f;
            })};
    t5.config.source_vocabulary = t5.config.target_vocabulary = 53;
    t5.config.decoder.cross_attention_scale = 1.0f;
    t5.config.output_scale = 0.189f;
    t5.config.alignment_layer = 1;
    t5.config.alignment_heads = 2;
    t5.options = {.biases = false, .tied = true, .seed = 4};
    cases.push_back(t5);

    Case uneven{"stacks that differ", small(40, 4, 11, 1)};
    uneven.config.encoder = {.layers = 3, .heads = 2, .head_dim = 7, .final_norm = true,
                             .activation = Activation::gelu_sigmoid};
    uneven.config.decoder.pre_norm = false;
    uneven.config.decoder.rms_norm = true;
    uneven.config.decoder.positions = Positions::none;
    uneven.config.decoder.gated_ffn = true;
    uneven.config.decoder.activation = Activation::sigmoid;
    uneven.config.decoder.attention_scale = 0.6f;
    uneven.config.decoder.cross_attention_scale = 0.4f;
    uneven.config.alignment_heads = 3;
    uneven.config.output_scale = 1.7f;
    uneven.options.seed = 5;
    cases.push_back(uneven);

    Case odd{"odd width, one stack relative", small(13, 3, 5, 2)};
    odd.config.encoder.positions = odd.config.decoder.positions = Positions::table;
    odd.config.encoder.max_positions = odd.config.decoder.max_positions = 16;
    odd.config.encoder.relative_buckets = 12;
    odd.config.encoder.relative_max_distance = 20;
    odd.config.encoder.activation = Activation::tanh;
    odd.config.decoder.activation = Activation::none;
    odd.config.decoder.embedding_norm = odd.config.decoder.rms_norm = true;
    odd.config.target_vocabulary = 11;
    odd.options.seed = 6;
    cases.push_back(odd);

    Case smallest{"one layer, two heads", both(small(12, 2, 6, 1), [](nn::StackConfig& s) {
                      s.gated_ffn = true;
                      s.activation = Activation::relu;
                  })};
    smallest.config.start_from_zero_embedding = true;
    smallest.config.decoder.embedding_norm = true;
    smallest.options = {.biases = false, .seed = 7};
    cases.push_back(smallest);
    return cases;
}

const Case& find_case(const std::vector<Case>& cases, std::string_view part) {
    for (const Case& one : cases)
        if (one.name.find(part) != std::string::npos) return one;
    FAIL("no case ", std::string(part));
    return cases[0];
}

Sources make_sources(const std::vector<uint32_t>& lengths, uint32_t vocabulary, uint32_t seed) {
    std::mt19937 engine(seed);
    Sources sources;
    for (const uint32_t length : lengths) {
        auto& sentence = sources.emplace_back(length);
        for (uint32_t& id : sentence) id = uint32_t(engine() % vocabulary);
    }
    return sources;
}

double difference(const std::vector<float>& actual, const Row& expected) {
    REQUIRE(actual.size() == expected.size());
    double largest = 1e-30, apart = 0;
    for (size_t i = 0; i < actual.size(); ++i) {
        if (std::isnan(actual[i])) return std::numeric_limits<double>::infinity();
        largest = std::max(largest, std::abs(expected[i]));
        apart = std::max(apart, std::abs(actual[i] - expected[i]));
    }
    return apart / largest;
}

// What the plain transformer says of the rows of a script, each computed once.
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

void check_step(Expected& expected, const ScriptStep& rows, const DeviceRun::Result& result, DType type) {
    for (size_t i = 0; i < rows.size(); ++i) {
        CAPTURE(rows[i].cache_row);
        CAPTURE(rows[i].history.size());
        const auto& prediction = expected.of(rows[i]);
        CHECK(difference(result.logits[i], prediction.logits) <= bound(type));
        CHECK(difference(result.attention[i], prediction.attention) <= bound(type));
    }
}

bool has_type(const Context& context, DType type) {
    if (type != DType::f16 || context.caps().f16) return true;
    static std::set<std::string> said;
    if (said.insert(context.caps().name).second)
        std::printf("skipped float16: %s lacks 16-bit storage or arithmetic\n", context.caps().name.c_str());
    return false;
}

const std::vector<uint32_t> kSourceLengths = {3, 9, 1, 6, 2}, kSteps = {5, 3, 9, 1, 7}, kDelays = {0, 2, 0, 1, 1};

// The first `slots` slots of a batch for every length.
std::vector<uint32_t> first(const std::vector<uint32_t>& values, size_t slots) {
    return {values.begin(), values.begin() + std::ptrdiff_t(slots)};
}

void check_case(Context& context, const Case& one, DType type, uint32_t beam, size_t slots) {
    CAPTURE(one.name);
    CAPTURE(name(type));
    CAPTURE(beam);
    RandomModel::Options options = one.options;
    options.exact_in = type;
    const RandomModel model(one.config, options);
    const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, type);
    const Sources sources = make_sources(first(kSourceLengths, slots), model.config.source_vocabulary, beam);
    const auto script = make_script(first(kSteps, slots), first(kDelays, slots), beam,
                                    model.config.target_vocabulary, 10 * options.seed + beam);
    Expected expected(model, sources, beam);
    DeviceRun device(context, transformer, sources, beam, 10);
    for (const ScriptStep& step : script) check_step(expected, step, device.step(step), type);
}

}  // namespace

TEST_CASE("every configuration predicts what the equations say, beam 1") {
    on_every_device([](Context& context) {
        for (const Case& one : make_cases()) check_case(context, one, DType::f32, 1, 5);
    });
}

TEST_CASE("every configuration predicts what the equations say, reordered beams") {
    on_every_device([](Context& context) {
        size_t slots = 0;
        for (const Case& one : make_cases()) check_case(context, one, DType::f32, 3, slots++ % 5 + 1);
    });
}

TEST_CASE("every configuration predicts what the equations say, float16") {
    on_every_device([](Context& context) {
        if (!has_type(context, DType::f16)) return;
        for (const Case& one : make_cases()) check_case(context, one, DType::f16, 3, 4);
    });
}

TEST_CASE("a sentence's logits do not depend on its batch") {
    on_every_device([](Context& context) {
        const auto cases = make_cases();
        for (const char* part : {"sinusoids", "relative positions"})
            for (const DType type : {DType::f32, DType::f16}) {
                if (!has_type(context, type)) continue;
                const Case& one = find_case(cases, part);
                CAPTURE(one.name);
                const RandomModel model(one.config, one.options);
                const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, type);
                const Sources sources = make_sources(kSourceLengths, model.config.source_vocabulary, 8);
                const uint32_t beam = 3;
                const auto script = make_script(kSteps, kDelays, beam, model.config.target_vocabulary, 9);
                DeviceRun together(context, transformer, sources, beam, 10);
                std::vector<std::unique_ptr<DeviceRun>> alone;
                std::vector<Sources> single;
                for (const auto& sentence : sources) single.push_back({sentence});
                for (const Sources& sentence : single)
                    alone.push_back(std::make_unique<DeviceRun>(context, transformer, sentence, beam, 14));
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
                            CHECK(result.logits[i] == all.logits[at]);
                            CHECK(result.attention[i] == all.attention[at]);
                        }
                    }
                }
            }
    });
}

TEST_CASE("growing caches keeps the results") {
    on_every_device([](Context& context) {
        for (const DType type : {DType::f32, DType::f16}) {
            if (!has_type(context, type)) continue;
            const auto cases = make_cases();
            const Case& one = find_case(cases, "zero start");
            const RandomModel model(one.config, one.options);
            const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, type);
            const Sources sources = make_sources(kSourceLengths, model.config.source_vocabulary, 11);
            const auto script = make_script({9, 8, 9, 9, 7}, {0, 0, 0, 0, 0}, 3, model.config.target_vocabulary, 12);
            DeviceRun large(context, transformer, sources, 3, 10), grown(context, transformer, sources, 3, 2);
            for (size_t t = 0; t < script.size(); ++t) {
                CAPTURE(t);
                if (t == 2) grown.grow(6);
                if (t == 6) grown.grow(10);
                const auto expected = large.step(script[t]), actual = grown.step(script[t]);
                CHECK(actual.logits == expected.logits);
                CHECK(actual.attention == expected.attention);
            }
        }
    });
}

TEST_CASE("a slot without a source gets nothing from cross-attention") {
    on_every_device([](Context& context) {
        const auto cases = make_cases();
        const Case& one = find_case(cases, "embedding norms");
        const RandomModel model(one.config, one.options);
        const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, DType::f32);
        const Sources sources = make_sources({4, 0, 2}, model.config.source_vocabulary, 13);
        Expected expected(model, sources, 2);
        DeviceRun device(context, transformer, sources, 2, 8);
        for (const ScriptStep& step : make_script({3, 3, 3}, {0, 0, 0}, 2, model.config.target_vocabulary, 14)) {
            const auto result = device.step(step);
            for (size_t i = 0; i < step.size(); ++i)
                CHECK(difference(result.logits[i], expected.of(step[i]).logits) <= bound(DType::f32));
        }
    });
}

TEST_CASE("a transformer says how far its positions reach") {
    on_every_device([](Context& context) {
        const auto cases = make_cases();
        const auto info = [&](const char* part) {
            const Case& one = find_case(cases, part);
            const RandomModel model(one.config, one.options);
            return nn::Transformer(context.shared_from_this(), model.config, model.weights, DType::f32).info();
        };
        const nn::Seq2SeqInfo tables = info("position tables"), relative = info("relative positions");
        CHECK(tables.max_source_positions == 9);
        CHECK(tables.max_target_positions == 14);
        CHECK(tables.target_vocabulary == 51);
        CHECK(tables.cache_bytes_per_step == 2 * 2 * 20 * 4);
        CHECK(tables.largest_bytes_per_step == 20 * 4);
        CHECK(relative.max_source_positions == std::numeric_limits<uint32_t>::max());
        CHECK(relative.max_target_positions == std::numeric_limits<uint32_t>::max());
    });
}

TEST_CASE("an alignment layer outside the decoder is refused") {
    on_every_device([](Context& context) {
        for (const int32_t layer : {1, -2}) {
            nn::TransformerConfig config = small(12, 2, 6, 1);
            config.alignment_layer = layer;
            const RandomModel model(config, {});
            try {
                nn::Transformer(context.shared_from_this(), config, model.weights, DType::f32);
                FAIL("no error");
            } catch (const Error& error) {
                CHECK(error.status() == Status::bad_model);
                CHECK(std::string(error.what()).find("alignment_layer") != std::string::npos);
            }
        }
    });
}
