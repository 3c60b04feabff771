// SPDX-License-Identifier: Apache-2.0
// Recurrent networks with attention, step by step, against the equations in double precision.
#include "nn/recurrent_network.h"

#include "nn/model_case.h"
#include "nn/plain_recurrent.h"
#include "spec/random_recurrent.h"

namespace recurrent_network_test {

using namespace dragoman;
using namespace dragoman::test;
using spec::CellNorm;
using spec::RecurrentCell;

namespace {

spec::RecurrentConfig base() {
    return {
        .source_vocabulary = 23, .target_vocabulary = 70, .embedding = 14, .state = 21, .encoder = {}, .decoder = {}};
}

struct Shape {
    const char* name;
    spec::RecurrentConfig config;
};

std::vector<Shape> shapes() {
    const auto with = [](auto&& change) {
        spec::RecurrentConfig config = base();
        change(config);
        return config;
    };
    return {{"gated units", base()},
            {"memory cells, above each other in one direction, with norms", with([](spec::RecurrentConfig& c) {
                 c.encoder = c.decoder = {RecurrentCell::lstm, CellNorm::whole, 1e-4f};
                 c.forward_layers = 2;
                 c.decoder_layers = 2;
                 c.skip = c.layer_norm = true;
                 c.norm_epsilon = 1e-4f;
             })},
            {"directions by turns, several cells a step", with([](spec::RecurrentConfig& c) {
                 c.encoder = c.decoder = {RecurrentCell::gru, CellNorm::parts, 1e-4f};
                 c.bidirectional_layers = 3;
                 c.alternating = c.skip = true;
                 c.encoder_depth = 2;
                 c.base_depth = 4;
                 c.decoder_layers = 3;
                 c.high_depth = 2;
             })},
            {"attention after the only cell, kinds mixed", with([](spec::RecurrentConfig& c) {
                 c.encoder = {RecurrentCell::lstm, CellNorm::none, 1e-9f};
                 c.decoder = {RecurrentCell::gru, CellNorm::whole, 1e-4f};
                 c.bidirectional_layers = 2;
                 c.encoder_depth = 2;
                 c.base_depth = 1;
                 c.embedding = 24;
                 c.state = 16;
             })},
            {"memory cells as transitions", with([](spec::RecurrentConfig& c) {
                 c.decoder = {RecurrentCell::lstm, CellNorm::none, 1e-9f};
                 c.base_depth = 3;
                 c.layer_norm = true;
             })}};
}

void check_shape(Context& context, const Shape& shape, DType type, uint32_t beam, bool widened = false) {
    CAPTURE(shape.name);
    CAPTURE(name(type));
    CAPTURE(beam);
    const RandomRecurrent model(shape.config, 3 * beam, type);
    const nn::RecurrentNetwork network(context.shared_from_this(), model.config, model.weights, type);
    const Sources sources = make_sources(kSourceLengths, model.config.source_vocabulary, beam);
    const auto script = make_script(kSteps, kDelays, beam, model.config.target_vocabulary, 10 + beam);
    const PlainRecurrent plain(model.config, model.weights);
    const auto wide = widened ? network.widened() : nullptr;
    const double most = bound(wide ? DType::f32 : type);
    DeviceRun device(context, wide ? *wide : network, sources, beam, 10);
    CHECK(device.encoder_lists() > 1);  // as many as there may be
    for (const ScriptStep& step : script) {
        const auto result = device.step(step);
        for (size_t i = 0; i < step.size(); ++i) {
            CAPTURE(step[i].cache_row);
            CAPTURE(step[i].history.size());
            const auto expected = plain.predict(sources[step[i].cache_row / beam], step[i].history);
            CHECK(difference(result.logits[i], expected.logits) <= most);
            CHECK(difference(result.attention[i], expected.attention) <= most);
        }
    }
}

TEST_CASE("recurrent networks agree with the equations") {
    on_every_device([](Context& context) {
        for (const Shape& shape : shapes())
            for (const uint32_t beam : {1u, 3u}) check_shape(context, shape, DType::f32, beam);
    });
}

TEST_CASE("recurrent networks in float16") {
    on_every_device([](Context& context) {
        if (!has_type(context, DType::f16)) return;
        for (const bool widened : {false, true})
            for (const Shape& shape : {shapes()[0], shapes()[1]}) check_shape(context, shape, DType::f16, 2, widened);
    });
}

TEST_CASE("a sentence's results are the same alone and in a batch") {
    on_every_device([](Context& context) {
        for (const Shape& shape : {shapes()[1], shapes()[2]}) {
            CAPTURE(shape.name);
            const RandomRecurrent model(shape.config, 5, DType::f32);
            const nn::RecurrentNetwork network(context.shared_from_this(), model.config, model.weights, DType::f32);
            const Sources sources = make_sources(kSourceLengths, model.config.source_vocabulary, 8);
            const auto script = make_script(kSteps, kDelays, 3, model.config.target_vocabulary, 9);
            together_and_alone(context, network, sources, script, 3,
                               [&](const std::vector<float>& alone, const std::vector<float>& together) {
                                   CHECK(same_results(context, alone, together, DType::f32));
                               });
        }
    });
}

TEST_CASE("logits of some tokens alone") {
    on_every_device([](Context& context) {
        const RandomRecurrent model(base(), 6, DType::f32);
        const nn::RecurrentNetwork network(context.shared_from_this(), model.config, model.weights, DType::f32);
        const Sources sources = make_sources({4, 2}, model.config.source_vocabulary, 1);
        const auto script = make_script({3, 3}, {0, 0}, 2, model.config.target_vocabulary, 2);
        const std::vector<uint32_t> allowed = {0, 3, 33, 68, 69};
        DeviceRun all(context, network, sources, 2, 4), some(context, network, sources, 2, 4, allowed);
        for (const ScriptStep& step : script) {
            const auto whole = all.step(step), part = some.step(step);
            for (size_t i = 0; i < step.size(); ++i)
                for (size_t k = 0; k < allowed.size(); ++k) CHECK(part.logits[i][k] == whole.logits[i][allowed[k]]);
        }
    });
}

TEST_CASE("tensors that are missing or of another shape are refused") {
    on_every_device([](Context& context) {
        const RandomRecurrent model(base(), 1, DType::f32);
        spec::RecurrentConfig other = base();
        other.state += 1;
        CHECK_THROWS_WITH((nn::RecurrentNetwork(context.shared_from_this(), other, model.weights, DType::f32)),
                          doctest::Contains("encoder/forward_0/cell_0"));
        other = base();
        other.decoder_layers = 2;
        CHECK_THROWS_WITH((nn::RecurrentNetwork(context.shared_from_this(), other, model.weights, DType::f32)),
                          doctest::Contains("decoder/layer_1/cell_0"));
    });
}

}  // namespace

}  // namespace recurrent_network_test
