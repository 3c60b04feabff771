// SPDX-License-Identifier: Apache-2.0
// The small models in data/random, written by tests/tools/make_random_models.py: each line repeats what it says there.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <optional>
#include <string>

#include "base/os/path_text.h"
#include "families/families.h"

namespace dragoman::families::toy_models_test {
namespace {

using spec::Positions;

struct Toy {
    std::string name;
    uint32_t d_model, heads, head_dim, ffn, encoder_layers, decoder_layers;
    bool pre_norm, final_norm;
    Activation activation;
    Positions positions;
    bool shared, tied;
    float embedding_scale;
    std::optional<std::string> start;
    int32_t alignment_layer;
    uint32_t alignment_heads;
    DType stored;
    uint32_t source, target;
};

const float kSqrt32 = std::sqrt(32.0f);

const Toy kToys[] = {
    {"opennmt",           32,    4,     8,       64,    2, 2, true,       true, Activation::relu,
     Positions::sinusoid, false, false, kSqrt32, "<s>", 0, 0, DType::f16, 60,   58},
    {"marian",         32,   4,    8,       64,    2,  2, false,      false, Activation::swish,
     Positions::table, true, true, kSqrt32, "<s>", -2, 3, DType::f16, 60,    60},
    {"m2m100",         32,   4,    8,       64,     3, 2, true,       true, Activation::relu,
     Positions::table, true, true, kSqrt32, "</s>", 1, 2, DType::f16, 60,   60},
    {"bart",           32,   4,    8,    64,     2,  2, false,      false, Activation::gelu,
     Positions::table, true, true, 1.0f, "</s>", -1, 1, DType::f16, 60,    60},
    {"mbart",          32,   4,    8,       64,           2,  2, true,       true, Activation::gelu,
     Positions::table, true, true, kSqrt32, std::nullopt, -1, 1, DType::f16, 60,   60},
    {"t5", 32,   4,    8,       64, 2, 2,          true, true, Activation::relu, Positions::none,
     true, true, 1.0f, "<pad>", -1, 1, DType::f16, 60,   60},
    {"t5_gated",      24,   3,     12,   40,      2,  3, true,       true, Activation::gelu_tanh,
     Positions::none, true, false, 1.0f, "<pad>", -1, 1, DType::f16, 60,   60},
    {"narrow_gelu_sigmoid", 16,    2,     8,    33,    1,  1, true,       true, Activation::gelu_sigmoid,
     Positions::sinusoid,   false, false, 4.0f, "<s>", -1, 1, DType::f32, 41,   37},
    {"wide_tanh",
     48,
     3,
     16,
     20,
     1,
     2,
     false,
     false,
     Activation::tanh,
     Positions::sinusoid,
     false,
     false,
     std::sqrt(48.0f),
     "<s>",
     -1,
     1,
     DType::f16,
     33,
     67},
    {"old_sigmoid_v5",    32,    4,     8,     64,     2,  2, true,        true, Activation::sigmoid,
     Positions::sinusoid, false, false, 3.25f, "</s>", -1, 1, DType::bf16, 60,   58},
    {"old_shared_v3",     20,   5,    4,    24,    1, 2, true,       true, Activation::gelu_tanh,
     Positions::sinusoid, true, true, 1.0f, "<s>", 0, 2, DType::f32, 60,   60},
    {"gated_swish_v4",    32,    4,     8,       47,     2,  2, false,      false, Activation::swish,
     Positions::sinusoid, false, false, kSqrt32, "</s>", -1, 1, DType::f16, 60,    58},
};

void check_stack(const Toy& toy, const spec::StackConfig& stack, uint32_t layers) {
    CHECK(stack.layers == layers);
    CHECK(stack.heads == toy.heads);
    CHECK(stack.head_dim == toy.head_dim);
    CHECK(stack.pre_norm == toy.pre_norm);
    CHECK(stack.final_norm == toy.final_norm);
    CHECK(stack.activation == toy.activation);
    CHECK(stack.positions == toy.positions);
    CHECK(stack.embedding_scale == toy.embedding_scale);
    const bool t5 = toy.positions == Positions::none;
    CHECK(stack.rms_norm == t5);
    CHECK((stack.relative_buckets != 0) == t5);
    CHECK(stack.attention_scale == (t5 ? 1.0f : 0.0f));
    CHECK(stack.gated_ffn == (toy.name == "t5_gated" || toy.name == "gated_swish_v4"));
    CHECK(stack.embedding_norm == (toy.name == "bart" || toy.name == "mbart"));
    CHECK(stack.norm_epsilon == (toy.name == "wide_tanh" ? 1e-3f : t5 ? 1e-6f : 1e-5f));
}

TEST_CASE("the toy models load with the switches they were made with") {
    for (const Toy& toy : kToys) {
        INFO(toy.name);
        const spec::ModelSpec spec = load(DRAGOMAN_TEST_DATA "/random/" + toy.name);
        const spec::TransformerConfig& config = spec.config;
        CHECK(config.d_model == toy.d_model);
        CHECK(config.encoder_ffn == toy.ffn);
        CHECK(config.decoder_ffn == toy.ffn);
        CHECK(config.source_vocabulary == toy.source);
        CHECK(config.target_vocabulary == toy.target);
        check_stack(toy, config.encoder, toy.encoder_layers);
        check_stack(toy, config.decoder, toy.decoder_layers);
        CHECK(config.alignment_layer == toy.alignment_layer);
        CHECK(config.alignment_heads == toy.alignment_heads);
        CHECK(config.start_from_zero_embedding == (toy.name == "marian"));
        CHECK(config.output_scale == (toy.name == "t5" ? static_cast<float>(1 / std::sqrt(32.0)) : 1.0f));
        CHECK(config.decoder.cross_attention_scale == config.decoder.attention_scale);
        CHECK(spec.decoder_start_token == toy.start);
        CHECK(spec.shared_vocabulary == toy.shared);
        CHECK(spec.unk_token == (toy.name == "old_sigmoid_v5" ? "<oov>" : "<unk>"));
        const spec::WeightMap& weights = spec.weights;
        CHECK((weights.key("encoder/embeddings_0/weight") == weights.key("decoder/embeddings/weight")) == toy.shared);
        CHECK((weights.key("decoder/projection/weight") == weights.key("decoder/embeddings/weight")) == toy.tied);
        CHECK(weights.get("decoder/projection/weight", {toy.target, toy.d_model}).dtype == toy.stored);
    }
    const spec::StackConfig t5 = load(DRAGOMAN_TEST_DATA "/random/t5_gated").config.decoder;
    CHECK(t5.relative_buckets == 16);
    CHECK(t5.relative_max_distance == 20);
}

TEST_CASE("a model directory with SentencePiece files names them") {
    const spec::ModelSpec spec = load(DRAGOMAN_TEST_DATA "/toy-text");
    const std::filesystem::path folder = DRAGOMAN_TEST_DATA "/toy-text";
    CHECK(path_of(spec.source.sentencepiece.name) == folder / "source.spm");
    CHECK(path_of(spec.target.sentencepiece.name) == folder / "target.spm");
    CHECK(spec.add_source_eos);
}

}  // namespace
}  // namespace dragoman::families::toy_models_test
