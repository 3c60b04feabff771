// SPDX-License-Identifier: Apache-2.0
#include "nn/transformer.h"

#include "base/error.h"
#include "nn/model_case.h"
#include "support/sweep.h"

namespace transformer_test {

using namespace dragoman;
using namespace dragoman::test;
using spec::Positions;

namespace {

std::vector<Case> make_cases() {
    std::vector<Case> cases;
    cases.push_back({"pre-norm, sinusoids, final norms", both(small(24, 3, 8, 2), [](spec::StackConfig& s) {
                         s.final_norm = true;
                         s.embedding_scale = 4.9f;
                     })});

    Case marian{"post-norm, tied, zero start", both(small(32, 4, 8, 3), [](spec::StackConfig& s) {
                    s.pre_norm = false;
                    s.activation = Activation::swish;
                    s.embedding_scale = 5.7f;
                })};
    marian.config.start_from_zero_embedding = true;
    marian.config.target_vocabulary = marian.config.source_vocabulary = 70;
    marian.config.alignment_heads = 0;
    marian.config.alignment_first_head = 3;  // of all there is no first
    marian.options = {.tied = true, .seed = 2};
    cases.push_back(marian);

    Case bart{"post-norm, position tables, embedding norms", both(small(20, 2, 10, 2), [](spec::StackConfig& s) {
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

    Case t5{"RMS, gated, relative positions, no biases", both(small(28, 2, 9, 3), [](spec::StackConfig& s) {
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
    uneven.config.encoder = {
        .layers = 3, .heads = 2, .head_dim = 7, .final_norm = true, .activation = Activation::gelu_sigmoid};
    uneven.config.decoder.pre_norm = false;
    uneven.config.decoder.rms_norm = true;
    uneven.config.decoder.positions = Positions::none;
    uneven.config.decoder.gated_ffn = true;
    uneven.config.decoder.activation = Activation::sigmoid;
    uneven.config.decoder.attention_scale = 0.6f;
    uneven.config.decoder.cross_attention_scale = 0.4f;
    uneven.config.alignment_first_head = 1;
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

    Case smallest{"one layer, two heads", both(small(12, 2, 6, 1), [](spec::StackConfig& s) {
                      s.gated_ffn = true;
                      s.activation = Activation::relu;
                  })};
    smallest.config.start_from_zero_embedding = true;
    smallest.config.decoder.embedding_norm = true;
    smallest.options = {.biases = false, .seed = 7};
    cases.push_back(smallest);
    return cases;
}

}  // namespace

TEST_CASE("every configuration predicts what the equations say, beam 1") {
    on_every_device([](Context& context) {
        for (const Case& one : every(make_cases(), 3)) check_case(context, one, DType::f32, 1, 5);
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
        for (const Case& one : every(make_cases(), 3, 1)) check_case(context, one, DType::f16, 3, 4);
    });
}

TEST_CASE("float16 networks have twins with float32 activations") {
    on_every_device([](Context& context) {
        if (!has_type(context, DType::f16)) return;
        for (const Case& one : every(make_cases(), 3, 1)) check_case(context, one, DType::f16, 2, 3, true);
    });
}

TEST_CASE("a sentence's logits do not depend on its batch") {
    on_every_device([](Context& context) {
        const auto cases = make_cases();
        for (const char* part : {"sinusoids", "relative positions"})
            for (const DType type : {DType::f32, DType::f16})
                if (has_type(context, type)) check_together_and_alone(context, find_case(cases, part), type);
    });
}

// Counts the dispatches of a step: for each layer qkv, two attentions with a query and two projections between them,
// two products of the feed-forward block (three where it is gated); the embedding, the logits and the groups. The rest
// are norms.
TEST_CASE("steps of few rows on GPUs have no norms of their own") {
    struct Shape {
        std::string name;
        uint32_t products;  // of a feed-forward block
        void (*set)(spec::StackConfig&);
    };
    const Shape shapes[] = {
        {"post-norm", 2, [](spec::StackConfig& s) { s.pre_norm = false; }},
        {"RMS, post-norm", 2, [](spec::StackConfig& s) { s.rms_norm = true, s.pre_norm = false; }},
        {"pre-norm, gated", 3, [](spec::StackConfig& s) { s.gated_ffn = s.final_norm = true; }},
    };
    constexpr uint32_t kLayers = 2;
    const auto count = [&](Context& context) {
        for (const Shape& shape : shapes) {
            CAPTURE(shape.name);
            const RandomModel model(both(small(64, 4, 16, kLayers), shape.set), {});
            const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, DType::f32);
            const Sources few = make_sources({4}, model.config.source_vocabulary, 8);
            Sources many = make_sources(std::vector<uint32_t>(40, 1), model.config.source_vocabulary, 9);
            many[0] = few[0];
            DeviceRun alone(context, transformer, few, 1, 8), together(context, transformer, many, 8, 8);
            const uint32_t without = 3 + kLayers * (6 + shape.products);
            const uint32_t norms = 3 * kLayers + (model.config.decoder.final_norm ? 1 : 0);
            CHECK(alone.dispatches() == without + (context.caps().is_cpu() ? norms : 0));
            CHECK(together.dispatches() == without + norms);
            for (const ScriptStep& step : make_script({5}, {0}, 1, model.config.target_vocabulary, 10))
                CHECK(same_results(context, alone.step(step).logits[0], together.step(step).logits[0]));
        }
    };
    for (const bool gpu_kernels : {false, true}) on_every_device(count, gpu_kernels);
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

TEST_CASE("an encoder in many lists gives the bits of one in one list") {
    on_every_device([](Context& context) {
        for (const Case& one : every(make_cases(), 3, 2)) {
            CAPTURE(one.name);
            const RandomModel model(one.config, one.options);
            const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, DType::f32);
            const Sources sources = make_sources({3, 9, 1}, model.config.source_vocabulary, 15);
            DeviceRun cut(context, transformer, sources, 1, 4),
                whole(context, transformer, sources, 1, 4, {}, nn::kOperationsPerList);
            CHECK(whole.encoder_lists() == 1);
            for (const ScriptStep& step : make_script({2, 1, 2}, {0, 0, 0}, 1, model.config.target_vocabulary, 16)) {
                const auto expected = whole.step(step), found = cut.step(step);
                CHECK(found.logits == expected.logits);
                CHECK(found.attention == expected.attention);
            }
        }
    });
}

TEST_CASE("an encoder is cut before any product or attention that would be too much") {
    constexpr uint32_t kWidth = 24, kFfn = 2 * kWidth + 1, kLayers = 2;
    on_every_device([](Context& context) {
        const RandomModel model(small(kWidth, 3, kWidth / 3, kLayers), {});
        const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, DType::f32);
        const Sources sources = make_sources({3, 9, 1}, model.config.source_vocabulary, 17);
        const auto lists = [&](uint64_t operations) {
            return DeviceRun(context, transformer, sources, 1, 4, {}, operations).encoder_lists();
        };
        constexpr uint64_t kTokens = 13 + 2;  // with room for two more
        constexpr uint64_t kProducts = 2 * kTokens * kLayers * (4 + 2) * kWidth * kWidth +  // the memory's are two
                                       2 * kTokens * kLayers * 2 * kWidth * kFfn;
        constexpr uint64_t kAttention = kLayers * 4 * (3 * 3 + 9 * 9 + 1 * 1) * kWidth;
        CHECK(lists(1) == kLayers * 5 + kLayers);  // of a layer four products and attention, and the memory's
        CHECK(lists(kProducts + kAttention) == 1);
        CHECK(lists(kProducts + kAttention - 1) == 2);
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
        CHECK(relative.max_source_positions == ops::kMaxRows);
        CHECK(relative.max_target_positions == std::numeric_limits<uint32_t>::max());
    });
}

TEST_CASE("an alignment layer or head outside the decoder is refused") {
    on_every_device([](Context& context) {
        for (const auto& [layer, head] : {std::pair{1, 0u}, {-2, 0u}, {0, 2u}}) {
            spec::TransformerConfig config = small(12, 2, 6, 1);
            config.alignment_layer = layer;
            config.alignment_first_head = head;
            const RandomModel model(config, {});
            try {
                nn::Transformer(context.shared_from_this(), config, model.weights, DType::f32);
                FAIL("no error");
            } catch (const Error& error) {
                CHECK(error.status() == Status::bad_model);
                CHECK(std::string(error.what()).find(head ? "alignment_first_head" : "alignment_layer") !=
                      std::string::npos);
            }
        }
    });
}

}  // namespace transformer_test
