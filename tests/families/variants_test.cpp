// SPDX-License-Identifier: Apache-2.0
// The same trained model in every binary version, spelling and weight type.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <string>

#include "families/families.h"

namespace dragoman::families::variants_test {
namespace {

struct Variant {
    std::string name;       // after "aren-transliteration"
    DType matrices, others;
    double units;           // how far a stored integer may be from the exact value, in units (float products aside)
    double relative;        // how far a stored float may be, relative to its size
};

const Variant kVariants[] = {
    {"-v1", DType::f32, DType::f32, 0, 0},
    {"-v1-int16", DType::i16, DType::f32, 1.0001, 0},  // truncated, like every file before version 5
    {"-v2-int16", DType::i16, DType::f32, 1.0001, 0},
    {"-v2-int8", DType::i8, DType::f32, 1.0001, 0},
    {"-v4-float16", DType::f16, DType::f16, 0, 0x1p-11},
    {"-v5-bfloat16", DType::bf16, DType::bf16, 0, 0x1p-8},
    {"-v6-int8-float16", DType::i8, DType::f16, 0.5001, 0x1p-11},
    {"-v6-int16", DType::i16, DType::f32, 0.5001, 0},
};

spec::ModelSpec load_variant(const std::string& name) {
    return load(DRAGOMAN_TEST_DATA "/aren-transliteration" + name);
}

std::vector<float> values(const spec::HostTensor& tensor) {
    std::vector<float> out(tensor.elements());
    spec::to_f32(tensor, 0, out);
    return out;
}

void check_tensor(const std::string& name, const spec::HostTensor& exact, const spec::HostTensor& stored,
                  const Variant& variant) {
    INFO(name);
    REQUIRE(stored.shape == exact.shape);
    const bool matrix = stored.shape.size() == 2;
    CHECK(stored.dtype == (matrix ? variant.matrices : variant.others));
    const bool quantised = stored.dtype == DType::i8 || stored.dtype == DType::i16;
    REQUIRE(stored.scales.size() == (!quantised ? 0 : stored.dtype == DType::i8 ? stored.shape[0] : 1));
    const auto expected = values(exact), got = values(stored);
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double scale = quantised ? stored.scales[stored.scales.size() == 1 ? 0 : i / stored.shape[1]] : 1;
        // Half precision keeps no relative accuracy below its smallest normal number.
        const double allowed = quantised ? variant.units / scale
                                         : std::max(std::abs(expected[i]) * variant.relative,
                                                    stored.dtype == DType::f16 ? 0x1p-25 : 0.0);
        worst = std::max(worst, std::abs(double{got[i]} - double{expected[i]}) - allowed);
    }
    CHECK(worst <= 0);
}

TEST_CASE("every variant of the trained model has its configuration and its weights") {
    const spec::ModelSpec original = load_variant("");
    REQUIRE(original.weights.tensors().size() == 200);
    for (const Variant& variant : kVariants) {
        INFO(variant.name);
        const spec::ModelSpec spec = load_variant(variant.name);
        CHECK(spec.format == "ctranslate2");
        CHECK(spec.config.d_model == 32);
        CHECK(spec.config.encoder.layers == 6);
        CHECK(spec.config.decoder.layers == 6);
        CHECK(spec.config.encoder.heads == 8);
        CHECK(spec.config.decoder.heads == 8);
        CHECK(spec.config.encoder.head_dim == 4);
        CHECK(spec.config.encoder_ffn == 128);
        CHECK(spec.config.decoder_ffn == 128);
        CHECK(spec.config.encoder.pre_norm);
        CHECK(spec.config.encoder.final_norm);
        CHECK(spec.config.decoder.final_norm);
        CHECK(spec.config.encoder.positions == spec::Positions::sinusoid);
        CHECK(spec.config.encoder.embedding_scale == std::sqrt(32.0f));
        CHECK(spec.config.decoder.embedding_scale == std::sqrt(32.0f));
        CHECK(spec.config.encoder.norm_epsilon == 1e-5f);
        CHECK(spec.config.source_vocabulary == 51);
        CHECK(spec.config.target_vocabulary == 43);
        CHECK(spec.source.tokens == original.source.tokens);
        CHECK(spec.target.tokens == original.target.tokens);
        CHECK(spec.decoder_start_token == "<s>");
        CHECK_FALSE(spec.add_source_bos);
        CHECK_FALSE(spec.add_source_eos);
        CHECK(spec.weights.aliases().empty());
        REQUIRE(spec.weights.tensors().size() == original.weights.tensors().size());
        for (const auto& [name, tensor] : original.weights.tensors()) {
            check_tensor(name, tensor, spec.weights.get(name), variant);
        }
    }
}

TEST_CASE("the trained model's vocabularies end with the appended unknown token") {
    const spec::ModelSpec spec = load_variant("");
    REQUIRE(spec.source.tokens.size() == 51);
    REQUIRE(spec.target.tokens.size() == 43);
    CHECK(spec.source.tokens[0] == "<blank>");
    CHECK(spec.source.tokens[50] == "<unk>");
    CHECK(spec.target.tokens[42] == "<unk>");
    CHECK_FALSE(spec.shared_vocabulary);
    CHECK(spec.source.sentencepiece.empty());
}

TEST_CASE("aliases share one tensor, quantised ones their scales too") {
    const spec::ModelSpec spec = load_variant("-v3-int8-aliases");
    CHECK(spec.weights.aliases().size() == 6);
    for (const std::string stack : {"encoder", "decoder"}) {
        const std::string lender = stack + "/layer_0/ffn/linear_1/weight";
        const std::string borrower = stack + "/layer_1/ffn/linear_1/weight";
        CHECK(spec.weights.key(borrower) == lender);
        CHECK(&spec.weights.get(borrower) == &spec.weights.get(lender));
        CHECK(spec.weights.get(borrower, {32, 128}).scales.size() == 32);
        CHECK(spec.weights.get(borrower).dtype == DType::i8);
    }
    CHECK_FALSE(spec.weights.has("decoder/never_read"));
}

TEST_CASE("the model file itself may be named instead of its directory") {
    const spec::ModelSpec spec = load(DRAGOMAN_TEST_DATA "/aren-transliteration/model.bin");
    CHECK(spec.path == DRAGOMAN_TEST_DATA "/aren-transliteration");
    CHECK(spec.family == "TransformerBase");
}

}  // namespace
}  // namespace dragoman::families::variants_test
