// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <string>

#include "families/ct2_model.h"
#include "families/families.h"
#include "spec/model_spec.h"

namespace dragoman::families::config_test {
namespace {

using test::Ct2Model;

void check_error(const Ct2Model& model, Status status, std::initializer_list<const char*> parts) {
    const Error error = model.error();
    INFO(error.what());
    CHECK(error.status() == status);
    for (const char* part : parts) CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, part);
}

TEST_CASE("a tiny model with nothing said has the format's defaults") {
    const spec::ModelSpec spec = Ct2Model::tiny().load();
    const spec::TransformerConfig& config = spec.config;
    CHECK(config.d_model == 4);
    CHECK(config.encoder.heads == 2);
    CHECK(config.encoder.head_dim == 2);
    CHECK(config.encoder_ffn == 6);
    CHECK(config.source_vocabulary == 5);
    CHECK(config.target_vocabulary == 6);
    CHECK(config.encoder.pre_norm);
    CHECK(config.encoder.final_norm);
    CHECK_FALSE(config.encoder.embedding_norm);
    CHECK_FALSE(config.encoder.rms_norm);
    CHECK_FALSE(config.encoder.gated_ffn);
    CHECK(config.encoder.activation == Activation::relu);
    CHECK(config.encoder.positions == spec::Positions::sinusoid);
    CHECK(config.encoder.embedding_scale == 2.0f);
    CHECK(config.encoder.norm_epsilon == 1e-5f);
    CHECK(config.encoder.attention_scale == 0.0f);
    CHECK(config.decoder.cross_attention_scale == 0.0f);
    CHECK_FALSE(config.start_from_zero_embedding);
    CHECK(config.output_scale == 1.0f);
    CHECK(config.alignment_layer == -1);
    CHECK(config.alignment_heads == 1);
    CHECK(spec.decoder_start_token == "<s>");
    CHECK(spec.weights.tensors().size() == 2 + 2 + 12 + 20 + 4);
    float row[4];
    spec::to_f32(spec.weights.get("encoder/embeddings_0/weight", {5, 4}), 4, row);
    CHECK(row[1] == 0.001f * 5);
}

TEST_CASE("switches are read whatever their integer or float type is") {
    Ct2Model model = Ct2Model::tiny();
    model.set_integers<int32_t>("encoder/num_heads", DType::i32, {}, {4});
    model.set_floats("decoder/num_heads", {}, {1.0f});
    model.set_flag("encoder/pre_norm", false);
    model.set_integers<int16_t>("decoder/activation", DType::i16, {}, {3});
    model.set_flag("decoder/start_from_zero_embedding", true);
    model.set_floats("decoder/scale_outputs", {}, {0.5f});
    model.set_integers<int16_t>("decoder/alignment_layer", DType::i16, {}, {0});
    model.set_integers<int16_t>("decoder/alignment_heads", DType::i16, {}, {0});
    model.set_floats("encoder/position_encodings/encodings", {9, 4});
    model.set_floats("decoder/layernorm_embedding/gamma", {4});
    model.set_floats("decoder/layernorm_embedding/beta", {4});
    model.set_floats("decoder/layer_0/ffn/linear_0_noact/weight", {6, 4});
    const spec::TransformerConfig config = model.load().config;
    CHECK(config.encoder.heads == 4);
    CHECK(config.decoder.heads == 1);
    CHECK_FALSE(config.encoder.pre_norm);
    CHECK(config.decoder.pre_norm);
    CHECK(config.decoder.activation == Activation::gelu);
    CHECK(config.start_from_zero_embedding);
    CHECK(config.output_scale == 0.5f);
    CHECK(config.alignment_layer == 0);
    CHECK(config.alignment_heads == 0);
    CHECK(config.encoder.positions == spec::Positions::table);
    CHECK(config.encoder.max_positions == 9);
    CHECK(config.decoder.positions == spec::Positions::sinusoid);
    CHECK(config.decoder.embedding_norm);
    CHECK(config.decoder.gated_ffn);
    CHECK_FALSE(config.encoder.gated_ffn);
}

TEST_CASE("embedding scales: absent or true is sqrt(width), false is 1, a number is itself") {
    Ct2Model model = Ct2Model::tiny();
    model.set_flag("encoder/scale_embeddings", false);
    model.set_flag("decoder/scale_embeddings", true);
    CHECK(model.load().config.encoder.embedding_scale == 1.0f);
    CHECK(model.load().config.decoder.embedding_scale == 2.0f);
    model.set_floats("encoder/scale_embeddings", {}, {3.5f});
    CHECK(model.load().config.encoder.embedding_scale == 3.5f);
    model.variables.erase("encoder/scale_embeddings");
    model.set_flag("encoder/embeddings_0/multiply_by_sqrt_depth", false);
    CHECK(model.load().config.encoder.embedding_scale == 1.0f);
    model.set_floats("encoder/scale_embeddings", {}, {0.0f});
    check_error(model, Status::bad_model, {"encoder/scale_embeddings", "file has 0"});
}

TEST_CASE("a T5-like model: RMS norms, relative bias, its own query scale and head size") {
    Ct2Model model = Ct2Model::tiny();
    for (auto it = model.variables.begin(); it != model.variables.end();) {
        const bool drop = it->first.ends_with("/beta") || it->first.ends_with("/bias");
        it = drop ? model.variables.erase(it) : std::next(it);
    }
    const auto resize = [&](const std::string& name, uint32_t out, uint32_t in) { model.set_floats(name, {out, in}); };
    for (const std::string stack : {"encoder", "decoder"}) {
        const std::string attention = stack + "/layer_0/self_attention";
        resize(attention + "/linear_0/weight", 18, 4);
        resize(attention + "/linear_1/weight", 4, 6);
        model.set_integers<int16_t>(attention + "/head_dim", DType::i16, {}, {3});
        model.set_floats(attention + "/queries_scale", {}, {1.0f});
        model.set_floats(attention + "/relative_attention_bias", {8, 2});
        model.set_integers<int32_t>(attention + "/relative_attention_max_distance", DType::i32, {}, {20});
    }
    resize("decoder/layer_0/attention/linear_0/weight", 6, 4);
    resize("decoder/layer_0/attention/linear_1/weight", 12, 4);
    resize("decoder/layer_0/attention/linear_2/weight", 4, 6);
    model.set_floats("decoder/layer_0/attention/queries_scale", {}, {0.25f});
    const spec::ModelSpec spec = model.load();
    const spec::TransformerConfig& config = spec.config;
    CHECK(config.encoder.rms_norm);
    CHECK(config.encoder.norm_epsilon == 1e-6f);
    CHECK(config.encoder.head_dim == 3);
    CHECK(config.encoder.attention_scale == 1.0f);
    CHECK(config.decoder.cross_attention_scale == 0.25f);
    CHECK(config.encoder.positions == spec::Positions::none);
    CHECK(config.encoder.relative_buckets == 8);
    CHECK(config.decoder.relative_max_distance == 20);
    spec.weights.get("decoder/layer_0/self_attention/relative_attention_bias", {8, 2});
    CHECK_FALSE(spec.weights.has("decoder/projection/bias"));

    model.set_integers<int32_t>("encoder/layer_0/self_attention/relative_attention_max_distance", DType::i32, {}, {2});
    check_error(model, Status::bad_model, {"relative_attention_bias", "file has 8 and 2"});
}

TEST_CASE("more than 1024 layers are refused with both numbers") {
    Ct2Model model = Ct2Model::tiny();
    for (int i = 1; i < 1025; ++i) model.set_floats("decoder/layer_" + std::to_string(i) + "/x", {1});
    check_error(model, Status::bad_model, {"decoder", "at most 1024 layers", "has 1025"});
}

TEST_CASE("heads wider than 256 are refused with both numbers, on either side") {
    for (const std::string stack : {"encoder", "decoder"}) {
        Ct2Model model = Ct2Model::tiny();
        const auto widen = [&](int16_t head_dim) {
            const auto width = static_cast<uint32_t>(2 * head_dim);
            const auto linear = [&](const std::string& name, uint32_t out, uint32_t in) {
                model.set_floats(stack + "/layer_0/" + name + "/weight", {out, in});
                model.set_floats(stack + "/layer_0/" + name + "/bias", {out});
            };
            model.set_integers<int16_t>(stack + "/layer_0/self_attention/head_dim", DType::i16, {}, {head_dim});
            linear("self_attention/linear_0", 3 * width, 4);
            linear("self_attention/linear_1", 4, width);
            if (stack == "encoder") return;
            linear("attention/linear_0", width, 4);
            linear("attention/linear_1", 2 * width, 4);
            linear("attention/linear_2", 4, width);
        };
        widen(256);
        CHECK_NOTHROW(model.load());
        widen(257);
        check_error(model, Status::unsupported, {stack.c_str(), "at most 256", "has 257"});
    }
}

TEST_CASE("shared matrices: one tensor under three names") {
    Ct2Model model = Ct2Model::tiny();
    model.variables.erase("encoder/embeddings_0/weight");
    model.variables.erase("decoder/projection/weight");
    model.aliases = {{"decoder/projection/weight", "decoder/embeddings/weight"},
                     {"encoder/embeddings_0/weight", "decoder/projection/weight"},
                     {"decoder/nothing", "decoder/missing"}};
    model.files = {{"shared_vocabulary.txt", "<s>\n</s>\nx\ny\nz\n"}};
    const spec::ModelSpec spec = model.load();
    CHECK(spec.shared_vocabulary);
    CHECK(spec.source.tokens == spec.target.tokens);
    CHECK(spec.weights.aliases().size() == 2);
    CHECK(spec.weights.key("encoder/embeddings_0/weight") == spec.weights.key("decoder/projection/weight"));
    CHECK(&spec.weights.get("encoder/embeddings_0/weight") == &spec.weights.get("decoder/embeddings/weight"));
}

TEST_CASE("revisions before 5 have the switches at the top, before 3 the spec name says the heads") {
    Ct2Model model = Ct2Model::tiny();
    model.version = 4;
    model.spec = "TransformerBase";
    model.revision = 4;
    model.variables.erase("encoder/num_heads");
    model.variables.erase("decoder/num_heads");
    model.set_integers<int16_t>("num_heads", DType::i16, {}, {4});
    model.set_integers<int16_t>("alignment_heads", DType::i16, {}, {2});
    model.set_flag("pre_norm", false);
    model.set_flag("activation", true);
    spec::TransformerConfig config = model.load().config;
    CHECK(config.encoder.heads == 4);
    CHECK(config.decoder.heads == 4);
    CHECK(config.alignment_heads == 2);
    CHECK_FALSE(config.decoder.pre_norm);
    CHECK(config.encoder.activation == Activation::gelu_tanh);

    model.revision = 5;  // the same variables mean nothing there: 8 heads, which 4 columns cannot have
    check_error(model, Status::bad_model, {"encoder/num_heads", "width 4", "file has 8"});
    model.revision = 2;
    check_error(model, Status::bad_model, {"encoder/num_heads", "file has 8"});
    model.spec = "TransformerBig";
    check_error(model, Status::bad_model, {"encoder/num_heads", "file has 16"});
}

TEST_CASE("before version 6 the special tokens are variables") {
    Ct2Model model = Ct2Model::tiny();
    model.version = 5;
    model.config = "broken on purpose: nobody reads it";
    model.files["target_vocabulary.txt"] = "<pad>\n[EOS]\nx\ny\nz\n";
    spec::ModelSpec spec = model.load();
    CHECK(spec.unk_token == "<unk>");
    CHECK(spec.decoder_start_token == "<s>");
    model.set_text("unk_token", "[UNK]");
    model.set_text("bos_token", "<pad>");
    model.set_text("eos_token", "[EOS]");
    model.set_flag("with_source_bos", true);
    model.set_flag("with_source_eos", true);
    spec = model.load();
    CHECK(spec.target.tokens[5] == "[UNK]");
    CHECK(spec.eos_token == "[EOS]");
    CHECK(spec.decoder_start_token == "<pad>");
    CHECK(spec.add_source_bos);
    CHECK(spec.add_source_eos);
    model.set_flag("with_target_bos", false);
    CHECK(model.load().decoder_start_token == "[EOS]");
    model.set_flag("user_decoder_start_tokens", true);
    CHECK_FALSE(model.load().decoder_start_token.has_value());
    model.set_text("eos_token", "\xff");
    check_error(model, Status::bad_model, {"eos_token", "UTF-8"});
}

TEST_CASE("texts for conversions that leave the source's special tokens to the caller") {
    Ct2Model model = Ct2Model::tiny();
    model.files["source.spm"] = model.files["target.spm"] = test::read_file(DRAGOMAN_TEST_DATA "/toy-text/source.spm");
    const auto load = [&](const char* config, bool zero) {
        model.config = config;
        model.set_flag("decoder/start_from_zero_embedding", zero);
        return model.load();
    };
    const spec::ModelSpec opus = load(R"({"add_source_eos": false, "decoder_start_token": "</s>"})", true);
    CHECK(opus.add_text_eos);
    CHECK_FALSE(opus.source.sentencepiece.empty());
    for (const char* config : {R"({"add_source_eos": false, "decoder_start_token": "</s>"})",
                               R"({"add_source_eos": false, "decoder_start_token": null})"}) {
        const spec::ModelSpec m2m = load(config, false);
        CHECK_FALSE(m2m.add_text_eos);
        CHECK(m2m.source.sentencepiece.empty());
        CHECK(m2m.target.sentencepiece.empty());
    }
    for (const char* config : {R"({"add_source_eos": true, "decoder_start_token": "</s>"})",
                               R"({"add_source_eos": false, "decoder_start_token": "<s>"})"}) {
        const spec::ModelSpec plain = load(config, false);
        CHECK_FALSE(plain.add_text_eos);
        CHECK_FALSE(plain.source.sentencepiece.empty());
    }
}

TEST_CASE("config.json says the special tokens from version 6 on") {
    Ct2Model model = Ct2Model::tiny();
    model.config = R"({"unk_token": "?", "bos_token": "B", "eos_token": "E", "decoder_start_token": null,
                       "add_source_bos": true, "add_source_eos": true, "layer_norm_epsilon": 0.001, "new": [1]})";
    const spec::ModelSpec spec = model.load();
    CHECK(spec.unk_token == "?");
    CHECK(spec.source.tokens.back() == "?");
    CHECK(spec.bos_token == "B");
    CHECK(spec.eos_token == "E");
    CHECK_FALSE(spec.decoder_start_token.has_value());
    CHECK(spec.add_source_bos);
    CHECK(spec.add_source_eos);
    CHECK(spec.config.encoder.norm_epsilon == 0.001f);
    CHECK(spec.config.decoder.norm_epsilon == 0.001f);

    const std::pair<const char*, const char*> broken[] = {
        {R"({"unk_token": 3})", "unk_token: expected a string, file has number"},
        {R"({"add_source_eos": "yes"})", "add_source_eos: expected a boolean"},
        {R"({"layer_norm_epsilon": -1})", "layer_norm_epsilon"},
        {R"([1, 2])", "expected an object, file has array"},
        {R"({"unk_token": "a)", "not valid JSON"},
    };
    for (const auto& [config, part] : broken) {
        model.config = config;
        check_error(model, Status::bad_model, {"config.json", part});
    }
    model.config = R"({"quantization_type": 1, "quantization_bits": 4})";
    check_error(model, Status::unsupported, {"AWQ"});
}

TEST_CASE("a wrong shape is named with both shapes, a missing tensor with the expected one") {
    Ct2Model model = Ct2Model::tiny();
    model.set_floats("decoder/layer_0/attention/linear_1/weight", {8, 3});
    check_error(model, Status::bad_model, {"decoder/layer_0/attention/linear_1/weight: expected 8x4, file has 8x3"});
    model = Ct2Model::tiny();
    model.set_floats("encoder/layer_0/ffn/linear_1/bias", {5});
    check_error(model, Status::bad_model, {"encoder/layer_0/ffn/linear_1/bias: expected 4, file has 5"});
    model = Ct2Model::tiny();
    model.set_floats("encoder/layer_norm/gamma", {}, {1.0f});
    check_error(model, Status::bad_model, {"encoder/layer_norm/gamma: expected 4, file has a scalar"});
    model = Ct2Model::tiny();
    model.set_floats("decoder/projection/weight", {5, 4});
    check_error(model, Status::bad_model, {"decoder/projection/weight: expected 6x4, file has 5x4"});
    model = Ct2Model::tiny();
    model.set_floats("encoder/embeddings_0/weight", {5, 8});
    check_error(model, Status::bad_model, {"encoder/embeddings_0/weight: expected 5x4", "file has 5x8"});
    model = Ct2Model::tiny();
    model.set_floats("decoder/embeddings/weight", {24});
    check_error(model, Status::bad_model, {"decoder/embeddings/weight: expected 2 dimensions, file has 1"});

    for (const char* name : {"decoder/layer_0/ffn/linear_0/weight", "encoder/layer_0/self_attention/linear_1/weight",
                             "decoder/projection/weight", "encoder/embeddings_0/weight", "decoder/layer_norm/beta"}) {
        model = Ct2Model::tiny();
        model.variables.erase(name);
        check_error(model, Status::bad_model, {name, "the model has no such tensor"});
    }
}

TEST_CASE("layers are counted without gaps") {
    Ct2Model model = Ct2Model::tiny();
    model.set_floats("encoder/layer_2/ffn/linear_0/weight", {6, 4});
    check_error(model, Status::bad_model, {"encoder/layer_2/ffn/linear_0/weight", "encoder/layer_1"});
    model = Ct2Model::tiny();
    model.set_floats("decoder/layer_1/ffn/linear_0/weight", {6, 4});
    check_error(model, Status::bad_model, {"decoder/layer_1/self_attention/layer_norm/gamma"});
}

TEST_CASE("variables that nothing reads are ignored") {
    Ct2Model model = Ct2Model::tiny();
    model.set_floats("decoder/some_future_table", {3, 3, 3});
    model.set_flag("decoder/alibi", false);
    CHECK_FALSE(model.load().weights.has("decoder/some_future_table"));
}

TEST_CASE("models that are sound but not translation Transformers we know are unsupported, with the reason") {
    Ct2Model model = Ct2Model::tiny();
    for (const char* spec : {"TransformerDecoderSpec", "TransformerEncoderSpec", "WhisperSpec"}) {
        model.spec = spec;
        check_error(model, Status::unsupported, {spec, "encoder-decoder"});
    }
    model = Ct2Model::tiny();
    model.revision = 8;
    check_error(model, Status::unsupported, {"1 to 7", "file has 8"});

    const std::pair<const char*, const char*> features[] = {
        {"encoder/layer_0/self_attention/relative_position_keys", "relative position vectors"},
        {"decoder/layer_0/self_attention/rotary_dim", "rotary positions"},
        {"decoder/alibi", "ALiBi"},
        {"encoder/embeddings_1/weight", "several source features"},
        {"decoder/project_in/weight", "projected embeddings"},
        {"decoder/sliding_window", "sliding window"},
        {"decoder/layer_0/ffn/linear_0/weight_zero", "AWQ"},
    };
    for (const auto& [name, reason] : features) {
        model = Ct2Model::tiny();
        model.set_floats(name, {}, {1.0f});
        check_error(model, Status::unsupported, {name, reason});
    }
    model = Ct2Model::tiny();
    model.set_integers<int32_t>("decoder/layer_0/ffn/linear_0/weight", DType::i32, {6, 4}, std::vector<int32_t>(24));
    check_error(model, Status::unsupported, {"decoder/layer_0/ffn/linear_0/weight", "int32"});
}

TEST_CASE("quantised weights need sound scales") {
    Ct2Model model = Ct2Model::tiny();
    const std::string name = "encoder/layer_0/ffn/linear_0/weight";
    model.set_integers<int8_t>(name, DType::i8, {6, 4}, std::vector<int8_t>(24, 10));
    check_error(model, Status::bad_model, {"linear_0/weight_scale", "none"});
    model.set_floats(name + "_scale", {5});
    check_error(model, Status::bad_model, {"linear_0/weight_scale", "1 or 6", "file has 5"});
    model.set_floats(name + "_scale", {6}, {1, 2, 4, 5, 8, 0});
    check_error(model, Status::bad_model, {"linear_0/weight_scale", "file has 0"});
    model.set_floats(name + "_scale", {6}, {1, 2, 4, 5, 8, 10});
    const auto spec = model.load();
    float values[6];
    spec::to_f32(spec.weights.get(name), 6, values);  // rows 1, 1, 2, 2, 2, 2
    CHECK(values[0] == 5.0f);
    CHECK(values[1] == 5.0f);
    CHECK(values[2] == 2.5f);
    CHECK(values[5] == 2.5f);

    model = Ct2Model::tiny();
    model.set_integers<int16_t>(name, DType::i16, {6, 4}, std::vector<int16_t>(24, -250));
    const auto old = model.load();
    spec::to_f32(old.weights.get(name), 0, values);
    CHECK(values[3] == -0.25f);
}

TEST_CASE("numbers out of range are named") {
    const auto check = [](const char* name, int16_t value, std::initializer_list<const char*> parts) {
        Ct2Model model = Ct2Model::tiny();
        model.set_integers<int16_t>(name, DType::i16, {}, {value});
        check_error(model, Status::bad_model, parts);
    };
    check("encoder/num_heads", 0, {"encoder/num_heads", "1 to 1024", "file has 0"});
    check("encoder/num_heads", 3, {"encoder/num_heads", "width 4", "file has 3"});
    check("decoder/activation", 7, {"decoder/activation", "0 to 6", "file has 7"});
    check("decoder/alignment_layer", 1, {"decoder/alignment_layer", "-1 to 0", "file has 1"});
    check("decoder/alignment_heads", 3, {"decoder/alignment_heads", "0 to 2", "file has 3"});
    Ct2Model model = Ct2Model::tiny();
    model.set_floats("encoder/num_heads", {2});
    check_error(model, Status::bad_model, {"encoder/num_heads", "one number", "file has 2"});
    model.set_floats("encoder/num_heads", {}, {std::nanf("")});
    check_error(model, Status::bad_model, {"encoder/num_heads", "nan"});
}

TEST_CASE("every published form says what it looks like") {
    REQUIRE_FALSE(forms().empty());
    for (const Form& form : forms()) {
        CHECK_FALSE(form.format.empty());
        CHECK_FALSE(form.looks_like.empty());
    }
}

}  // namespace
}  // namespace dragoman::families::config_test
