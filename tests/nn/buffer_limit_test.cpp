// SPDX-License-Identifier: Apache-2.0
// Models with matrices larger than a buffer of the device can be predict the same bits.
#include "nn/int8_model.h"
#include "nn/model_case.h"
#include "spec/block_quantization.h"
#include "support/sweep.h"

namespace buffer_limit_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

constexpr uint64_t kLimit = 40'000;
constexpr uint32_t kVocabulary = 1500, kWidth = 32;

spec::TransformerConfig config() {
    spec::TransformerConfig config = both(small(kWidth, 2, 16, 1), [](spec::StackConfig& stack) {
        stack.positions = spec::Positions::table;
        stack.max_positions = 16;
        stack.embedding_scale = 3.0f;
    });
    config.source_vocabulary = config.target_vocabulary = kVocabulary;
    return config;
}

// Its embeddings and projection in blocks.
struct InBlocks {
    InBlocks(const RandomModel& model, DType type) {
        for (const auto& [name, tensor] : model.weights.tensors()) {
            spec::HostTensor made = tensor;
            if (name.ends_with("/weight") && tensor.shape[0] == kVocabulary) {
                std::vector<float> values(tensor.elements());
                std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
                bytes.emplace_back(size_bytes(type, values.size()));
                REQUIRE(spec::quantize(type, values, bytes.back()));
                made.dtype = type;
                made.bytes = bytes.back();
            }
            weights.add(name, made);
        }
        for (const auto& [name, target] : model.weights.aliases()) weights.alias(name, target);
    }
    std::deque<std::vector<std::byte>> bytes;
    spec::WeightMap weights;
};

void check(Context& context, const spec::WeightMap& weights, DType type, DType stored) {
    CAPTURE(name(type));
    CAPTURE(name(stored));
    const auto limited =
        Context::create({.device = std::to_string(context.caps().index), .buffer_limit_bytes = kLimit});
    REQUIRE(ops::panel_bytes(kVocabulary, kWidth, stored) > kLimit);
    const nn::Transformer whole(context.shared_from_this(), config(), weights, type),
        parts(limited, config(), weights, type);
    CHECK(whole.device_bytes() == parts.device_bytes());
    const Sources sources = make_sources({5, 3}, kVocabulary, 3);
    const auto script = make_script({5, 4}, {0, 1}, 3, kVocabulary, 4);
    const std::vector<uint32_t> some{0, 1499, 127, 128, 5, 640, 1023, 1024, 255};
    for (const auto& allowed : {std::vector<uint32_t>(), some}) {
        DeviceRun expected(context, whole, sources, 3, 8, allowed), found(*limited, parts, sources, 3, 8, allowed);
        for (const ScriptStep& step : script) {
            const auto a = expected.step(step), b = found.step(step);
            CHECK(a.logits == b.logits);
            CHECK(a.attention == b.attention);
        }
    }
}

}  // namespace

TEST_CASE("matrices in several buffers give the bits of matrices in one") {
    on_every_device([](Context& context) {
        for (const bool tied : {false, true}) {
            CAPTURE(tied);
            const RandomModel model(config(), {.tied = tied, .seed = 9});
            check(context, model.weights, DType::f32, DType::f32);
            check(context, model.weights, DType::i8, DType::i8);
            if (!tied && !full_sweep()) continue;
            check(context, InBlocks(model, DType::q8).weights, DType::f32, DType::q8);
            for (const InputScales scales : {InputScales::fixed, InputScales::dynamic})
                check(context, Int8Model(model, scales, 5).weights, DType::i8, DType::i8);
            if (has_type(context, DType::f16)) {
                check(context, model.weights, DType::f16, DType::f16);
                check(context, InBlocks(model, DType::q8).weights, DType::f16, DType::q8);
            }
        }
    });
}

}  // namespace buffer_limit_test
