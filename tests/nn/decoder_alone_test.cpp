// SPDX-License-Identifier: Apache-2.0
// Decoders without an encoder: every step against the plain transformer.
#include "nn/model_case.h"

namespace decoder_alone_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

template <class F>
Case alone(std::string name, spec::TransformerConfig config, uint32_t seed, F&& change) {
    config.encoder.layers = config.source_vocabulary = 0;
    change(config.decoder);
    Case one{std::move(name), std::move(config)};
    one.options.seed = seed;
    return one;
}

std::vector<Case> cases() {
    std::vector<Case> cases;
    cases.push_back(alone("GPT-2", small(24, 3, 8, 2), 61, [](spec::StackConfig& s) {
        s.final_norm = true;
        s.activation = Activation::gelu_tanh;
        s.positions = spec::Positions::table;
        s.max_positions = 16;
    }));
    cases.back().options.tied = true;
    cases.push_back(alone("XGLM", small(20, 2, 10, 2), 62, [](spec::StackConfig& s) {
        s.final_norm = true;
        s.activation = Activation::gelu;
        s.first_position = 2;
        s.embedding_scale = 4.472136f;
    }));
    cases.push_back(alone("post-norm, no biases", small(20, 2, 7, 1), 63,
                          [](spec::StackConfig& s) { s.pre_norm = false; }));
    cases.back().options.biases = false;
    cases.push_back(alone("ssru", small(20, 2, 10, 2), 64, [](spec::StackConfig&) {}));
    cases.back().config.autoregression = spec::Autoregression::ssru;
    return cases;
}

}  // namespace

TEST_CASE("a decoder alone is the plain one") {
    on_every_device([&](Context& context) {
        for (const Case& one : cases())
            for (const DType type : {DType::f32, DType::f16})
                for (const uint32_t beam : {1u, 3u})
                    if (has_type(context, type)) check_case(context, one, type, beam, kSourceLengths.size());
    });
}

TEST_CASE("a decoder alone: together and alone") {
    on_every_device([&](Context& context) {
        for (const Case& one : cases()) check_together_and_alone(context, one, DType::f32);
    });
}

TEST_CASE("a decoder alone needs no room for sources") {
    on_every_device([&](Context& context) {
        const RandomModel model(cases()[0].config, {});
        const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, DType::f32);
        CHECK(transformer.info().memory_bytes_per_token == 0);
        CHECK(transformer.info().max_source_positions == 0);
        CHECK(transformer.info().max_target_positions == 16);
        CHECK(transformer.info().operations_per_token == 0);
    });
}

}  // namespace decoder_alone_test
