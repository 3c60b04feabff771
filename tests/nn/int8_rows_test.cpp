// SPDX-License-Identifier: Apache-2.0
// int8 for models that were not made for it: every row of weights and inputs has a scale of its own.
#include <doctest/doctest.h>

#include <deque>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/half.h"
#include "nn/int8_model.h"
#include "nn/layers.h"
#include "nn/model_case.h"
#include "nn/plain_recurrent.h"
#include "nn/recurrent_network.h"
#include "nn/weight_bytes.h"
#include "ops/weight.h"
#include "spec/block_quantization.h"
#include "spec/random_recurrent.h"
#include "support/sweep.h"

namespace int8_rows_test {

using namespace dragoman;
using namespace dragoman::test;
using nn::NumberTypes;

namespace {

const NumberTypes kInt8(DType::i8), kInt8Half(DType::i8, DType::f16);

bool has_types(const Context& context, const NumberTypes& types) { return has_type(context, types.others); }

spec::HostTensor view(const std::vector<float>& values, std::vector<uint32_t> shape) {
    return {.dtype = DType::f32, .shape = std::move(shape), .bytes = std::as_bytes(std::span(values))};
}

std::vector<float> flat(const nlohmann::json& rows) {
    std::vector<float> values;
    for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
    return values;
}

// The words of a matrix of one part, as they are on the device.
std::vector<uint32_t> words(Context& context, const nn::MatrixPart& part) {
    std::vector<uint32_t> words(ops::panel_bytes(part.weight.n, part.weight.k, DType::i8) / 4);
    context.readback(part.weight.data, words.data(), words.size() * 4);
    return words;
}

std::vector<float> units(Context& context, const nn::MatrixPart& part) {
    std::vector<float> units(part.weight.n);
    context.readback(part.units, units.data(), units.size() * 4);
    return units;
}

std::vector<Case> architectures() {
    std::vector<Case> cases;
    cases.push_back({"post-norm, tied, zero start", both(small(32, 4, 8, 2), [](spec::StackConfig& s) {
                         s.pre_norm = false;
                         s.embedding_scale = 5.7f;
                     })});
    cases.back().config.source_vocabulary = cases.back().config.target_vocabulary = 70;
    cases.back().config.start_from_zero_embedding = true;
    cases.back().options = {.tied = true, .seed = 2};
    cases.push_back({"RMS, gated, no biases", both(small(28, 2, 9, 2), [](spec::StackConfig& s) {
                         s.rms_norm = s.gated_ffn = s.final_norm = true;
                         s.positions = spec::Positions::none;
                         s.relative_buckets = 8;
                         s.relative_max_distance = 6;
                     })});
    cases.back().config.output_scale = 0.4f;
    cases.back().options = {.biases = false, .seed = 3};
    cases.push_back({"a decoder alone", small(24, 3, 8, 2)});
    cases.back().config.encoder.layers = 0;
    for (const auto kind :
         {spec::Autoregression::ssru, spec::Autoregression::gru, spec::Autoregression::average_attention}) {
        cases.push_back({fmt::format("autoregression {}", int(kind)), small(24, 2, 12, 2)});
        cases.back().config.autoregression = kind;
        cases.back().config.average_ffn = 40;
    }
    return cases;
}

// Runs a script and compares with the reference. Here and there a number lies between two whole ones, and f32 and
// double round it apart: few rows may be off by more than f32's rounding, and none by much.
template <class Plain>
void check_network(Context& context, const nn::Seq2Seq& network, const Plain& plain, const Sources& sources,
                   uint32_t vocabulary, uint32_t beam, bool halves) {
    const auto script = make_script(first(kSteps, sources.size()), first(kDelays, sources.size()), beam, vocabulary, 7);
    DeviceRun device(context, network, sources, beam, 10);
    uint32_t rows = 0, apart = 0;
    for (const ScriptStep& step : script) {
        const auto result = device.step(step);
        for (size_t i = 0; i < step.size(); ++i) {
            const auto expected = plain.predict(sources[step[i].cache_row / beam], step[i].history);
            const double error = difference(result.logits[i], expected.logits);
            CHECK(error < 0.2);
            ++rows;
            apart += error > 2e-5;
        }
    }
    if (!halves) CHECK(apart * 4 < rows);
}

}  // namespace

TEST_CASE("linear maps in int8 are NumPy's") {
    std::ifstream file(std::string(DRAGOMAN_TEST_DATA) + "/int8/linear.json");
    const auto document = nlohmann::json::parse(file);
    REQUIRE(document.at("cases").size() >= 6);
    on_every_device([&](Context& context) {
        for (const auto& one : document["cases"]) {
            CAPTURE(one["name"].get<std::string>());
            const std::vector<float> x = flat(one["x"]), w = flat(one["w"]),
                                     bias = one["bias"].get<std::vector<float>>();
            const auto rows = uint32_t(one["x"].size()), n = uint32_t(one["w"].size()), k = uint32_t(x.size() / rows);
            spec::WeightMap map;
            map.add("map/weight", view(w, {n, k}));
            map.add("map/bias", view(bias, {n}));
            nn::WeightStore store(context.shared_from_this(), map, kInt8);
            const nn::Linear linear = nn::load_linear(store, "map", n, k);
            const auto input = upload(context, Matrix{rows, k, x}, DType::f32),
                       output = blank(context, rows, n, DType::f32);
            const auto maxima = upload(context, std::vector<float>(rows, -1.0f));
            const LiveRows live(context, rows, rows);
            run(context, live, [&](Recorder& rec) {
                nn::Activations a;
                a.rows = live.extent;
                a.maxima = *maxima;
                nn::record_linear(rec, linear, input, output, a);
            });
            const Matrix y = download(context, output);
            uint32_t wrong = 0;
            for (uint32_t r = 0; r < rows; ++r)
                for (uint32_t o = 0; o < n; ++o) {
                    const double expected = one["y"][r][o];
                    wrong += !(std::abs(y(r, o) - expected) <= 3e-6 * std::max(1.0, std::abs(expected)));
                }
            CHECK(wrong == 0);
        }
    });
}

TEST_CASE("int8 numbers with their scales stay, whatever is next to them") {
    on_every_device([](Context& context) {
        std::mt19937 engine(3);
        const uint32_t n = 70, k = 33;
        std::vector<int8_t> whole(n * k);
        for (int8_t& value : whole) value = int8_t(engine() % 256);
        std::vector<float> scales(n);
        for (float& scale : scales) scale = 20.0f + float(engine() % 1000);
        std::vector<uint32_t> expected(ops::panel_bytes(n, k, DType::i8) / 4);
        ops::pack_int8_panels(whole, k, std::as_writable_bytes(std::span(expected)));
        for (const bool by_row : {true, false}) {
            spec::WeightMap map;
            map.add("w", {.dtype = DType::i8,
                          .shape = {n, k},
                          .bytes = std::as_bytes(std::span(whole)),
                          .scales = by_row ? scales : std::vector{40.0f}});
            nn::WeightStore store(context.shared_from_this(), map, kInt8);
            const auto& parts = store.parts("w", n, k);
            REQUIRE(parts.size() == 1);
            CHECK(parts.front().scale_per_row);
            CHECK(words(context, parts.front()) == expected);
            std::vector<float> wanted;
            for (uint32_t i = 0; i < n; ++i) wanted.push_back(1.0f / (by_row ? scales[i] : 40.0f));
            CHECK(units(context, parts.front()) == wanted);
            CHECK(&store.table("w", n, k) == &parts);
            CHECK(store.device_bytes() == 128 * 36 + n * 4);
        }
        // Made for int8: as it is with float32 beside it, otherwise its integers with scales of rows.
        for (const bool halves : {false, true}) {
            spec::WeightMap map;
            map.add("w", {.dtype = DType::i8,
                          .shape = {n, k},
                          .bytes = std::as_bytes(std::span(whole)),
                          .scales = {40.0f},
                          .input_scales = {8.0f}});
            nn::WeightStore store(context.shared_from_this(), map, halves ? kInt8Half : kInt8);
            const auto& part = store.parts("w", n, k).front();
            CHECK(part.scale_per_row == halves);
            CHECK(part.input_scale == (halves ? 0.0f : 8.0f));
            CHECK(words(context, part) == expected);
            CHECK(units(context, part) == std::vector<float>(n, 1.0f / (halves ? 40.0f : 320.0f)));
        }
    });
}

TEST_CASE("weights of every type become the int8 numbers of their values") {
    on_every_device([](Context& context) {
        const uint32_t n = 130, k = 64;
        const Matrix m = random_matrix(n, k, 8);
        std::vector<uint16_t> halves, brains;
        for (const float value : m.values) {
            halves.push_back(to_half(value));
            uint32_t bits;
            std::memcpy(&bits, &value, 4);
            brains.push_back(uint16_t(bits >> 16));
        }
        std::vector<std::byte> q8(size_bytes(DType::q8, m.values.size())), q4(size_bytes(DType::q4, m.values.size()));
        REQUIRE(spec::quantize(DType::q8, m.values, q8));
        REQUIRE(spec::quantize(DType::q4, m.values, q4));
        for (const auto& [type, bytes] : {std::pair{DType::f16, std::as_bytes(std::span(halves))},
                                          {DType::bf16, std::as_bytes(std::span(brains))},
                                          {DType::q8, std::span<const std::byte>(q8)},
                                          {DType::q4, std::span<const std::byte>(q4)}}) {
            CAPTURE(name(type));
            spec::WeightMap map, floats;
            map.add("w", {.dtype = type, .shape = {n, k}, .bytes = bytes});
            std::vector<float> values(m.values.size());
            spec::to_f32(map.get("w"), 0, values);
            floats.add("w", view(values, {n, k}));
            nn::WeightStore store(context.shared_from_this(), map, kInt8),
                plain(context.shared_from_this(), floats, kInt8);
            const auto& part = store.parts("w", n, k).front();
            const auto& expected = plain.parts("w", n, k).front();
            CHECK(words(context, part) == words(context, expected));
            CHECK(units(context, part) == units(context, expected));
        }
        std::vector<float> broken = m.values;
        broken[77] = NAN;
        spec::WeightMap map;
        map.add("w", view(broken, {n, k}));
        nn::WeightStore store(context.shared_from_this(), map, kInt8);
        try {
            store.parts("w", n, k);
            FAIL("no error");
        } catch (const Error& error) {
            CHECK(error.status() == Status::bad_model);
            CHECK(std::string(error.what()).find("w: ") == 0);
        }
    });
}

TEST_CASE("products of more inputs than sums can hold are refused") {
    on_every_device([](Context& context) {
        const std::vector<float> values(spec::kMaxInt8Inputs + 1);
        spec::WeightMap map;
        map.add("w", view(values, {1, spec::kMaxInt8Inputs + 1}));
        nn::WeightStore store(context.shared_from_this(), map, kInt8);
        try {
            store.parts("w", 1, spec::kMaxInt8Inputs + 1);
            FAIL("no error");
        } catch (const Error& error) {
            CHECK(error.status() == Status::unsupported);
            CHECK(std::string(error.what()).find("131073 inputs") != std::string::npos);
        }
    });
}

TEST_CASE("Transformers in int8 compute what rounded rows give, every shape and type") {
    on_every_device([](Context& context) {
        for (const Case& one : architectures())
            for (const NumberTypes& types : {kInt8, kInt8Half}) {
                if (!has_types(context, types)) continue;
                if (types.others == DType::f16 && one.options.biases && !full_sweep()) continue;
                CAPTURE(one.name);
                CAPTURE(name(types));
                const RandomModel model(one.config, one.options);
                const nn::Transformer network(context.shared_from_this(), model.config, model.weights, types);
                const uint64_t bytes = nn::weight_bytes(model.config, model.weights, types);
                CHECK(double(bytes) <= 1.01 * double(network.device_bytes()));
                CHECK(double(bytes) >= 0.95 * double(network.device_bytes()));
                CHECK(network.device_bytes() <
                      nn::Transformer(context.shared_from_this(), model.config, model.weights, DType::f32)
                          .device_bytes());
                const PlainTransformer plain(model.config, model.weights, Products::rounded);
                const Sources sources = sources_for(model.config, kSourceLengths, 4);
                check_network(context, network, plain, sources, model.config.target_vocabulary, 2,
                              types.others == DType::f16);
                if (types.others != DType::f16) continue;
                // With float32 activations over the same weights it is exact again.
                const auto wide = network.widened();
                check_network(context, *wide, plain, sources, model.config.target_vocabulary, 2, false);
            }
    });
}

TEST_CASE("recurrent networks in int8 compute what rounded rows give") {
    on_every_device([](Context& context) {
        spec::RecurrentConfig config{.source_vocabulary = 23,
                                     .target_vocabulary = 70,
                                     .embedding = 14,
                                     .state = 21,
                                     .encoder = {},
                                     .decoder = {}};
        config.forward_layers = 1;
        config.decoder_layers = 2;
        for (const NumberTypes& types : {kInt8, kInt8Half}) {
            if (!has_types(context, types)) continue;
            CAPTURE(name(types));
            const RandomRecurrent model(config, 5, DType::f32);
            const nn::RecurrentNetwork network(context.shared_from_this(), model.config, model.weights, types);
            const PlainRecurrent plain(model.config, model.weights, Products::rounded);
            const Sources sources = make_sources(kSourceLengths, config.source_vocabulary, 6);
            check_network(context, network, plain, sources, config.target_vocabulary, 2, types.others == DType::f16);
            const auto script = make_script(kSteps, kDelays, 2, config.target_vocabulary, 8);
            together_and_alone(context, network, sources, script, 2, [&](const auto& alone, const auto& together) {
                CHECK(same_results(context, alone, together));
            });
        }
    });
}

TEST_CASE("a sentence's logits in int8 do not depend on its batch or its beam") {
    on_every_device([](Context& context) {
        const Case one = architectures().front();
        const RandomModel model(one.config, one.options);
        const nn::Transformer network(context.shared_from_this(), model.config, model.weights, kInt8);
        const Sources sources = make_sources(kSourceLengths, 70, 33);
        const auto script = make_script(kSteps, kDelays, 3, 70, 34);
        together_and_alone(context, network, sources, script, 3, [&](const auto& alone, const auto& together) {
            CHECK(same_results(context, alone, together));
        });
        // Unlike the scales of sentences, those of rows know nothing of other hypotheses.
        spec::TransformerConfig config = one.config;
        config.start_from_zero_embedding = false;
        const RandomModel other(config, one.options);
        const nn::Transformer apart(context.shared_from_this(), other.config, other.weights, kInt8);
        const Sources source = make_sources({4}, 70, 43);
        DeviceRun pair(context, apart, source, 2, 4), single(context, apart, source, 2, 4);
        const ScriptRow first{.cache_row = 0, .history = {5}, .ancestry = {}},
            second{.cache_row = 1, .history = {67}, .ancestry = {}};
        CHECK(pair.step({first, second}).logits[0] == single.step({first}).logits[0]);
    });
}

TEST_CASE("logits of some tokens in int8 are those of all, tied tables in one buffer") {
    on_every_device([](Context& context) {
        const Case one = architectures().front();
        const std::vector<uint32_t> allowed = {0, 1, 2, 7, 63, 64, 65, 69, 3};
        for (const NumberTypes& types : {kInt8, kInt8Half}) {
            if (!has_types(context, types)) continue;
            const RandomModel model(one.config, one.options);
            const nn::Transformer network(context.shared_from_this(), model.config, model.weights, types);
            const Sources sources = make_sources(kSourceLengths, 70, 53);
            DeviceRun full(context, network, sources, 2, 10), some(context, network, sources, 2, 10, allowed);
            for (const ScriptStep& step : make_script(kSteps, kDelays, 2, 70, 54)) {
                const auto all = full.step(step), few = some.step(step);
                for (size_t i = 0; i < step.size(); ++i)
                    for (size_t j = 0; j < allowed.size(); ++j) CHECK(few.logits[i][j] == all.logits[i][allowed[j]]);
            }
            nn::WeightStore store(context.shared_from_this(), model.weights, types);
            CHECK(&store.table("encoder/embeddings_0/weight", 70, 32) ==
                  &store.parts("decoder/projection/weight", 70, 32));
            CHECK(store.device_bytes() == 128 * 32 + 70 * 4);
        }
    });
}

}  // namespace int8_rows_test
