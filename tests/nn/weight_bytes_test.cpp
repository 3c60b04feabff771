// SPDX-License-Identifier: Apache-2.0
// What weights will take on a device is known before they are there.
#include "nn/weight_bytes.h"

#include "nn/int8_model.h"
#include "nn/model_case.h"
#include "spec/block_quantization.h"

namespace weight_bytes_test {

using namespace dragoman;
using namespace dragoman::test;
using spec::Autoregression;
using spec::Positions;

namespace {

std::vector<spec::TransformerConfig> configs() {
    spec::TransformerConfig plain = small(ops::kPanel, 2, 32, 2);
    plain.source_vocabulary = plain.target_vocabulary;  // so that embeddings can be tied
    std::vector<spec::TransformerConfig> all{plain};
    all.push_back(both(plain, [](spec::StackConfig& s) {
        s.positions = Positions::table;
        s.max_positions = 40;
        s.gated_ffn = s.final_norm = s.embedding_norm = true;
    }));
    all.push_back(both(plain, [](spec::StackConfig& s) {
        s.positions = Positions::none;
        s.relative_buckets = 16;
        s.rms_norm = true;
    }));
    for (const auto kind : {Autoregression::ssru, Autoregression::gru, Autoregression::average_attention}) {
        all.push_back(plain);
        all.back().autoregression = kind;
        all.back().average_ffn = 48;
    }
    return all;
}

void check_bytes(uint64_t expected, uint64_t found) {
    CHECK(expected <= found);
    CHECK(double(expected) >= 0.99 * double(found));
}

}  // namespace

TEST_CASE("the weights of every kind of model take what their shapes say") {
    on_every_device([](Context& context) {
        const auto all = configs();
        for (const spec::TransformerConfig& config : all)
            for (const bool tied : {false, true}) {
                CAPTURE(&config - all.data());
                const RandomModel model(config, {.tied = tied});
                for (const DType type : {DType::f32, DType::f16}) {
                    if (!has_type(context, type)) continue;
                    const nn::Transformer network(context.shared_from_this(), config, model.weights, type);
                    check_bytes(nn::weight_bytes(config, model.weights, type), network.device_bytes());
                }
            }
    });
}

TEST_CASE("int8 models take what their shapes say") {
    on_every_device([](Context& context) {
        const spec::TransformerConfig config = small(32, 2, 16, 2);
        const RandomModel floats(config, {});
        const Int8Model model(floats, InputScales::dynamic, 5);
        const nn::Transformer network(context.shared_from_this(), config, model.weights, DType::i8);
        const uint64_t bytes = nn::weight_bytes(config, model.weights, DType::i8);
        CHECK(bytes <= network.device_bytes());
        CHECK(bytes < nn::weight_bytes(config, model.weights, DType::f32));
    });
}

TEST_CASE("what a model would take after a conversion") {
    on_every_device([](Context& context) {
        spec::TransformerConfig config = small(64, 2, 32, 2);
        config.encoder_ffn = config.decoder_ffn = 80;  // rows of no whole blocks stay what they are
        const RandomModel model(config, {});
        for (const DType blocks : {DType::q8, DType::q4}) {
            CAPTURE(name(blocks));
            std::deque<std::vector<std::byte>> bytes;
            spec::WeightMap converted;
            for (const auto& [name, tensor] : model.weights.tensors()) {
                spec::HostTensor made = tensor;
                if (tensor.shape.size() == 2 && tensor.shape[1] % kBlockElements == 0) {
                    std::vector<float> values(tensor.elements());
                    spec::to_f32(tensor, 0, values);
                    bytes.emplace_back(size_bytes(blocks, values.size()));
                    REQUIRE(spec::quantize(blocks, values, bytes.back()));
                    made.dtype = blocks;
                    made.bytes = bytes.back();
                }
                converted.add(name, made);
            }
            const nn::Transformer network(context.shared_from_this(), config, converted, DType::f32);
            const uint64_t expected = nn::weight_bytes(config, model.weights, DType::f32, blocks);
            CHECK(nn::weight_bytes(config, converted, DType::f32) == expected);
            check_bytes(expected, network.device_bytes());
        }
    });
}

}  // namespace weight_bytes_test
