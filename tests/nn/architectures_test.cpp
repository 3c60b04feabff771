// SPDX-License-Identifier: Apache-2.0
// What Marian's transformers add to the configurations of transformer_test.cpp: orders of operations in letters, deep
// feed-forward blocks, attention without projection, and decoders without self-attention.
#include "base/error.h"
#include "nn/model_case.h"
#include "support/sweep.h"

namespace architectures_test {

using namespace dragoman;
using namespace dragoman::test;
using spec::Autoregression;
using spec::Positions;

namespace {

struct Letters {
    const char* before;
    const char* after;
    const char* after_embedding = "";
    const char* after_stack = "";
};

spec::TransformerConfig with_letters(spec::TransformerConfig config, const Letters& letters) {
    return both(std::move(config), [&](spec::StackConfig& s) {
        s.custom_order = true;
        s.before = letters.before;
        s.after = letters.after;
        s.after_embedding = letters.after_embedding;
        s.after_stack = letters.after_stack;
        s.norm_epsilon = 1e-6f;
        s.first_position = 0;
        s.embedding_scale = 4.3f;
    });
}

Case marian(std::string name, spec::TransformerConfig config, const Letters& letters, uint32_t seed) {
    Case one{std::move(name), with_letters(std::move(config), letters)};
    one.config.start_from_zero_embedding = true;
    one.options.seed = seed;
    return one;
}

Case decoder(std::string name, spec::Autoregression kind, const Letters& letters, uint32_t seed) {
    Case one = marian(std::move(name), small(20, 2, 10, 2), letters, seed);
    one.config.autoregression = kind;
    one.config.average_ffn = 27;
    return one;
}

std::vector<Case> order_cases() {
    std::vector<Case> cases;
    cases.push_back(marian("post-norm", small(24, 3, 8, 2), {"", "an"}, 21));
    cases.push_back(marian("pre-norm", small(24, 3, 8, 2), {"n", "a", "", "n"}, 22));
    cases.push_back(marian("norms on both sides", small(24, 3, 8, 2), {"n", "an", "n", "n"}, 23));
    cases.push_back(marian("RMS before, layer norm after", small(20, 2, 7, 2), {"r", "na", "r", "ra"}, 24));
    cases.push_back(marian("highway", small(20, 2, 7, 2), {"n", "hn", "", "nh"}, 25));
    cases.push_back(marian("everything after", small(20, 2, 7, 1), {"", "nahr", "r", "hanr"}, 26));
    cases.back().config.encoder.after = cases.back().config.decoder.after = "rahr";
    cases.back().config.encoder.after_stack = cases.back().config.decoder.after_stack = "hara";
    cases.push_back(marian("no residual", small(20, 2, 7, 1), {"", "", "", ""}, 27));
    cases.push_back(marian("no norm", small(20, 2, 7, 1), {"", "a", "", "a"}, 28));

    Case deep = marian("feed-forward 1 and 3, no projection", small(24, 3, 8, 2), {"", "an"}, 29);
    deep.config.encoder.ffn_depth = 3;
    deep.config.decoder.ffn_depth = 1;
    deep.config.encoder.attention_output = deep.config.decoder.attention_output = false;
    cases.push_back(deep);
    Case deeper = marian("feed-forward 4 and 1, gated, one projection", small(24, 3, 8, 2), {"n", "a", "", "n"}, 30);
    deeper.config.decoder.ffn_depth = 4;
    deeper.config.decoder.gated_ffn = true;
    deeper.config.encoder.ffn_depth = 1;
    deeper.config.decoder.attention_output = false;
    deeper.config.decoder.activation = Activation::swish;
    cases.push_back(deeper);
    Case bare = marian("single layers without residual or projection", small(24, 3, 8, 1), {"", ""}, 31);
    bare.config.encoder.ffn_depth = bare.config.decoder.ffn_depth = 1;
    bare.config.encoder.attention_output = bare.config.decoder.attention_output = false;
    cases.push_back(bare);
    Case norms = marian("no projection, highway", small(24, 3, 8, 1), {"n", "nh"}, 32);
    norms.config.encoder.attention_output = norms.config.decoder.attention_output = false;
    cases.push_back(norms);

    Case learned = marian("learned positions", small(20, 2, 10, 1), {"", "an"}, 33);
    learned.config = both(learned.config, [](spec::StackConfig& s) {
        s.positions = Positions::table;
        s.repeat_last_position = true;
        s.max_positions = 4;
        s.embedding_scale = 1.0f;
    });
    cases.push_back(learned);
    Case m2m = {"sinusoids from 2", small(20, 2, 10, 1)};
    m2m.config.encoder.first_position = m2m.config.decoder.first_position = 2;
    m2m.options.seed = 34;
    cases.push_back(m2m);
    for (const uint32_t width : {12u, 33u}) {
        Case two = marian(fmt::format("an encoder {} wide", width), small(20, 2, 10, 2), {"", "an", "n", "n"}, width);
        two.config.encoder_width = width;
        cases.push_back(two);
    }
    return cases;
}

std::vector<Case> recurrent_cases() {
    std::vector<Case> cases;
    constexpr Letters kPost{"", "an"}, kPre{"n", "a", "", "n"};
    cases.push_back(decoder("ssru, post-norm", spec::Autoregression::ssru, kPost, 41));
    cases.back().options.tied = true;
    cases.back().config.target_vocabulary = cases.back().config.source_vocabulary = 44;
    cases.push_back(decoder("ssru, pre-norm, norm and output", spec::Autoregression::ssru, kPre, 42));
    cases.back().config.recurrence_norm = cases.back().config.recurrence_output = true;
    cases.push_back(decoder("ssru, norm, no biases", spec::Autoregression::ssru, {"n", "an"}, 43));
    cases.back().config.recurrence_norm = true;
    cases.back().options.biases = false;
    cases.push_back(decoder("ssru, output, highway", spec::Autoregression::ssru, {"r", "hn"}, 44));
    cases.back().config.recurrence_output = true;
    cases.push_back(decoder("gru, post-norm", spec::Autoregression::gru, kPost, 45));
    cases.push_back(decoder("gru, pre-norm, output", spec::Autoregression::gru, kPre, 46));
    cases.back().config.recurrence_output = true;
    cases.push_back(decoder("gru, highway", spec::Autoregression::gru, {"", "hn"}, 47));
    for (const uint32_t depth : {0u, 1u, 2u, 3u, 4u}) {
        const std::string name = "average, depth " + std::to_string(depth);
        cases.push_back(decoder(name, spec::Autoregression::average_attention, depth % 2 ? kPre : kPost, 50 + depth));
        cases.back().config.average_ffn_depth = depth;
        cases.back().config.average_gate = depth != 1 && depth != 3;
    }
    cases.push_back(decoder("average, as wide as the model", spec::Autoregression::average_attention, {"n", "an"}, 55));
    cases.back().config.average_ffn = 20;
    cases.back().config.average_activation = Activation::relu;
    cases.push_back(decoder("average, as wide as the model, deep", spec::Autoregression::average_attention, kPost, 56));
    cases.back().config.average_ffn = 20;
    cases.back().config.average_ffn_depth = 3;
    cases.push_back(decoder("average, highway", spec::Autoregression::average_attention, {"r", "hn"}, 57));
    // A standard order, and a decoder whose heads are narrower than the model.
    Case plain{"ssru, standard order", small(22, 3, 5, 1)};
    plain.config.autoregression = spec::Autoregression::ssru;
    plain.options.seed = 58;
    cases.push_back(plain);
    return cases;
}

std::vector<Case> all_cases() {
    std::vector<Case> cases = order_cases();
    for (Case& one : recurrent_cases()) cases.push_back(std::move(one));
    return cases;
}

}  // namespace

TEST_CASE("every architecture predicts what the equations say, beam 1") {
    on_every_device([](Context& context) {
        for (const Case& one : every(all_cases(), 3)) check_case(context, one, DType::f32, 1, 5);
    });
}

TEST_CASE("every architecture predicts what the equations say, reordered beams") {
    on_every_device([](Context& context) {
        size_t slots = 0;
        for (const Case& one : all_cases()) check_case(context, one, DType::f32, 3, slots++ % 5 + 1);
    });
}

TEST_CASE("every architecture predicts what the equations say, float16") {
    on_every_device([](Context& context) {
        if (!has_type(context, DType::f16)) return;
        for (const Case& one : every(all_cases(), 3, 1)) check_case(context, one, DType::f16, 3, 4);
    });
}

TEST_CASE("a sentence's logits do not depend on its batch, recurrent decoders") {
    on_every_device([](Context& context) {
        const auto cases = recurrent_cases();
        for (const char* part : {"ssru, pre-norm", "gru, pre-norm", "average, depth 2"})
            for (const DType type : {DType::f32, DType::f16})
                if (has_type(context, type)) check_together_and_alone(context, find_case(cases, part), type);
    });
}

TEST_CASE("growing keeps recurrent states") {
    on_every_device([](Context& context) {
        const auto cases = recurrent_cases();
        for (const char* part : {"ssru, pre-norm", "gru, pre-norm", "average, depth 2"}) {
            const Case& one = find_case(cases, part);
            CAPTURE(one.name);
            const RandomModel model(one.config, one.options);
            const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, DType::f32);
            const Sources sources = make_sources(kSourceLengths, model.config.source_vocabulary, 11);
            const auto script = make_script({9, 8, 9, 9, 7}, {0, 0, 0, 0, 0}, 3, model.config.target_vocabulary, 12);
            DeviceRun large(context, transformer, sources, 3, 10), grown(context, transformer, sources, 3, 2);
            for (size_t t = 0; t < script.size(); ++t) {
                CAPTURE(t);
                if (t == 2) grown.grow(6);
                if (t == 6) grown.grow(10);
                CHECK(grown.step(script[t]).logits == large.step(script[t]).logits);
            }
        }
    });
}

TEST_CASE("the common orders in letters are the standard configurations to the bit") {
    on_every_device([](Context& context) {
        for (const bool pre_norm : {false, true}) {
            CAPTURE(pre_norm);
            spec::TransformerConfig standard =
                both(small(24, 3, 8, 2), [&](spec::StackConfig& s) { s.pre_norm = s.final_norm = pre_norm; });
            spec::TransformerConfig letters = both(standard, [&](spec::StackConfig& s) {
                s.custom_order = true;
                s.pre_norm = s.final_norm = !pre_norm;  // not read
                s.before = pre_norm ? "n" : "";
                s.after = pre_norm ? "a" : "an";
                s.after_stack = pre_norm ? "n" : "";
            });
            const RandomModel model(standard, {});
            const nn::Transformer one(context.shared_from_this(), standard, model.weights, DType::f32),
                other(context.shared_from_this(), letters, model.weights, DType::f32);
            const Sources sources = make_sources({4, 2}, model.config.source_vocabulary, 13);
            DeviceRun first_run(context, one, sources, 2, 6), second_run(context, other, sources, 2, 6);
            for (const ScriptStep& step : make_script({3, 3}, {0, 0}, 2, model.config.target_vocabulary, 14))
                CHECK(first_run.step(step).logits == second_run.step(step).logits);
        }
    });
}

TEST_CASE("a recurrent decoder has no caches that grow, and repeated positions no end") {
    on_every_device([](Context& context) {
        const auto info = [&](const Case& one) {
            const RandomModel model(one.config, one.options);
            return nn::Transformer(context.shared_from_this(), model.config, model.weights, DType::f16).info();
        };
        if (!has_type(context, DType::f16)) return;
        const auto cases = all_cases();
        const nn::Seq2SeqInfo ssru = info(find_case(cases, "ssru, post-norm")),
                              learned = info(find_case(cases, "learned"));
        CHECK(ssru.cache_bytes_per_step == 0);
        CHECK(ssru.largest_bytes_per_step == 0);
        // f32 states, twice, of two layers; the scratch: x, normed, wide (both inputs of the unit), context.
        CHECK(ssru.state_bytes_per_row == 2 * 2 * 20 * 4 + 2 * (20 + 20 + 40 + 20));
        CHECK(learned.max_source_positions == ops::kMaxRows);
        CHECK(learned.max_target_positions == std::numeric_limits<uint32_t>::max());
    });
}

TEST_CASE("a model says how many operations its steps and its encoder's largest product are") {
    on_every_device([](Context& context) {
        for (const Case& one : all_cases()) {
            CAPTURE(one.name);
            const RandomModel model(one.config, one.options);
            uint64_t step = uint64_t(one.config.d_model) * one.config.target_vocabulary, largest = 0;
            for (const auto& [name, tensor] : model.weights.tensors()) {
                if (!name.ends_with("/weight") || name.find("/layer_") == std::string::npos) continue;
                const bool memory = name.ends_with("/attention/linear_1/weight");
                if (name.starts_with("encoder/") || memory) largest = std::max<uint64_t>(largest, tensor.elements());
                else step += tensor.elements();
            }
            const nn::Transformer transformer(context.shared_from_this(), model.config, model.weights, DType::f32);
            CHECK(transformer.info().operations_per_row == 2 * step);
            CHECK(transformer.info().operations_per_token == 2 * largest);
        }
    });
}

TEST_CASE("configurations that mean nothing are refused") {
    on_every_device([](Context& context) {
        const auto refused = [&](const spec::TransformerConfig& config, const RandomModel& model, const char* what,
                                 Status status = Status::bad_model) {
            try {
                nn::Transformer(context.shared_from_this(), config, model.weights, DType::f32);
                FAIL("no error");
            } catch (const Error& error) {
                CHECK(error.status() == status);
                CHECK(std::string(error.what()).find(what) != std::string::npos);
            }
        };
        const spec::TransformerConfig sound = with_letters(small(24, 3, 8, 1), {"n", "a"});
        const RandomModel model(sound, {});
        refused(with_letters(sound, {"na", "a"}), model, "before sub-layers \"na\"");
        refused(with_letters(sound, {"n", "ax"}), model, "'x'");
        refused(with_letters(sound, {"nr", "a"}), model, "two kinds of norm");
        refused(with_letters(sound, {"n", "a", "h"}), model, "after the embedding");
        refused(with_letters(sound, {"n", "a", "", "d"}), model, "after the stack");
        spec::TransformerConfig config = sound;
        config.decoder.ffn_depth = 0;
        refused(config, model, "decoder/layer_0/ffn");
        config.decoder.ffn_depth = 1;
        config.decoder.gated_ffn = true;
        refused(config, model, "gated feed-forward");
        config = sound;
        config.autoregression = spec::Autoregression::gru;
        config.recurrence_norm = true;
        refused(config, model, "decoder/layer_0/rnn", Status::unsupported);
        spec::TransformerConfig narrow = with_letters(small(24, 3, 7, 1), {"n", "a"});
        const RandomModel narrow_model(narrow, {});
        narrow.encoder.attention_output = false;
        refused(narrow, narrow_model, "3 heads of 7");
    });
}

}  // namespace architectures_test
