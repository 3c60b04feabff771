// SPDX-License-Identifier: Apache-2.0
// Decoders alone: what is read of them, and broken files.
#include <cmath>
#include <functional>

#include "families/gguf/gguf_writer.h"
#include "families/model_copy.h"
#include "formats/gguf_file.h"
#include "formats/tokenizer_steps.h"

namespace dragoman::families::causal_test {
namespace {

using nlohmann::json;
using Copy = test::ModelCopy;
using Tokens = std::vector<std::string>;

const std::string kWeights = "model.safetensors", kConfig = "config.json", kGeneration = "generation_config.json";

// Gives the tensors other names, and what lies behind the names stays where it is.
void rename(const Copy& model, const std::function<std::string(const std::string&)>& other) {
    const std::string file = test::read_file(model.folder.path() / kWeights);
    uint64_t size = 0;
    for (int i = 7; i >= 0; --i) size = size << 8 | static_cast<unsigned char>(file[std::size_t(i)]);
    json renamed = json::object();
    const json header = json::parse(file.substr(8, size));
    for (const auto& [name, value] : header.items()) renamed[name == "__metadata__" ? name : other(name)] = value;
    std::string text = renamed.dump();
    text.resize((text.size() + 7) / 8 * 8, ' ');
    std::string begin;
    for (int i = 0; i < 8; ++i) begin += static_cast<char>(text.size() >> (8 * i));
    model.folder.write(kWeights, begin + text + file.substr(8 + size));
}

TEST_CASE("what the configurations of decoders alone say") {
    const spec::ModelSpec gpt2 = Copy("gpt2").load(), xglm = Copy("xglm").load(), opt = Copy("opt").load();
    for (const spec::ModelSpec* spec : {&gpt2, &xglm, &opt}) {
        CAPTURE(spec->family);
        const spec::TransformerConfig& config = spec->config;
        CHECK_FALSE(config.has_encoder());
        CHECK(config.d_model == 32);
        CHECK(config.source_vocabulary == 0);
        CHECK(config.target_vocabulary == spec->target.tokens.size());
        CHECK(config.decoder_ffn == 40);
        CHECK(config.decoder.layers == 2);
        CHECK(config.decoder.heads == 4);
        CHECK(config.decoder.head_dim == 8);
        CHECK(config.decoder.pre_norm);
        CHECK(config.decoder.final_norm);
        CHECK(spec->search.style == spec::SearchStyle::huggingface);
        CHECK(spec->search.beam_size == 3);
        CHECK(spec->search.max_total == 40);
        CHECK(spec->has_tokenizer());
        CHECK(spec->languages().target.empty());
        CHECK(spec->source_languages.empty());
        CHECK(spec->weights.key("decoder/projection/weight") == spec->weights.key("decoder/embeddings/weight"));
    }
    CHECK(gpt2.family == "GPT-2");
    CHECK(gpt2.config.decoder.activation == Activation::gelu_tanh);
    CHECK(gpt2.config.decoder.positions == spec::Positions::table);
    CHECK(gpt2.config.decoder.max_positions == 64);
    CHECK_FALSE(gpt2.decoder_start_token);
    CHECK(gpt2.bos_token == "<|endoftext|>");
    CHECK(gpt2.eos_token == "<|endoftext|>");
    CHECK(xglm.family == "XGLM");
    CHECK(xglm.config.decoder.activation == Activation::gelu);
    CHECK(xglm.config.decoder.positions == spec::Positions::sinusoid);
    CHECK(xglm.config.decoder.first_position == 2);
    CHECK(xglm.config.decoder.embedding_scale == std::sqrt(32.0f));
    CHECK(xglm.decoder_start_token == "</s>");
    CHECK(xglm.target.tokens.at(3) == "<unk>");
    CHECK(xglm.target.tokens.back() == "<madeupword6>");
    CHECK(opt.family == "OPT");
    CHECK(opt.config.decoder.activation == Activation::relu);
    CHECK(opt.config.decoder.max_positions == 64);
    CHECK(opt.decoder_start_token == "</s>");
}

TEST_CASE("settings that the three families have of their own") {
    CHECK(Copy("gpt2").set(kConfig, "scale_attn_weights", false).load().config.decoder.attention_scale == 1.0f);
    CHECK(Copy("gpt2").set(kConfig, "layer_norm_epsilon", 1e-3).load().config.decoder.norm_epsilon == 1e-3f);
    CHECK(Copy("gpt2").set("tokenizer_config.json", "add_bos_token", true).load().decoder_start_token ==
          "<|endoftext|>");
    CHECK(Copy("xglm").set(kConfig, "scale_embedding", false).load().config.decoder.embedding_scale == 1.0f);
    CHECK_FALSE(Copy("opt").set("tokenizer_config.json", "add_bos_token", false).load().decoder_start_token);
    const spec::StackConfig after = Copy("opt").set(kConfig, "do_layer_norm_before", false).load().config.decoder;
    CHECK_FALSE(after.pre_norm);
    CHECK_FALSE(after.final_norm);
    const spec::ModelSpec bare = Copy("opt").set(kConfig, "enable_bias", false).load();
    CHECK_FALSE(bare.weights.has("decoder/layer_0/ffn/linear_0/bias"));
    CHECK(bare.weights.has("decoder/layer_0/ffn/layer_norm/beta"));
    // A width of its own for the feed-forward block is four times the other one's where the file has none.
    Copy("gpt2").set(kConfig, "n_inner", nullptr).check_refused(Status::bad_model, {"h.0.mlp.c_fc.weight", "32x128"});
}

TEST_CASE("lengths count the beginning of a text, except under the newer names") {
    const auto search = [](const json& values) {
        Copy model("gpt2");
        for (const auto& [key, value] : values.items()) model.set(kGeneration, key, value);
        return model.load().search;
    };
    CHECK(search({{"max_length", 30}, {"min_length", 7}}).max_total == 30);
    CHECK(search({{"max_length", 30}, {"min_length", 7}}).min_total == 7);
    CHECK(search({{"max_length", 30}, {"min_length", 7}}).min_length == 0);
    CHECK(search({{"max_new_tokens", 9}, {"min_new_tokens", 3}}).max_total == 0);
    CHECK(search({{"max_new_tokens", 9}, {"min_new_tokens", 3}}).max_length == 9);
    CHECK(search({{"max_new_tokens", 9}, {"min_new_tokens", 3}}).min_length == 3);
    CHECK(search({{"max_length", nullptr}}).max_total == 0);
    CHECK(search({{"max_length", nullptr}}).max_length == 256);
}

TEST_CASE("names with and without what stands before them") {
    const spec::ModelSpec published = Copy("gpt2").load();
    Copy whole("gpt2");
    rename(whole, [](const std::string& name) { return "transformer." + name; });
    const spec::ModelSpec other = whole.load();
    REQUIRE(other.weights.tensors().size() == published.weights.tensors().size());
    for (const auto& [name, tensor] : published.weights.tensors())
        CHECK(spec::equal_bytes(tensor, other.weights.get(name)));
    for (const char* name : {"xglm", "opt"}) {
        Copy bare(name);
        rename(bare, [](const std::string& n) { return n.substr(std::string("model.").size()); });
        CHECK(bare.load().weights.tensors().size() > 10);
    }
    // A projection of its own, where the file has one and where it must.
    Copy("gpt2").set(kConfig, "tie_word_embeddings", false).check_refused(Status::bad_model, {"lm_head.weight"});
}

TEST_CASE("broken decoders alone") {
    Copy lost("gpt2");
    rename(lost, [](const std::string& name) { return name == "h.1.mlp.c_fc.bias" ? "x" : name; });
    lost.check_refused(Status::bad_model, {"h.1.mlp.c_fc.bias"});
    Copy nameless("xglm");
    rename(nameless, [](const std::string& name) { return name == "model.embed_tokens.weight" ? "x" : name; });
    nameless.check_refused(Status::bad_model, {"embed_tokens.weight"});
    for (const char* name : {"gpt2", "opt"}) {
        Copy("opt")
            .remove("merges.txt")
            .remove("tokenizer.json")
            .check_refused(Status::bad_model, {"vocab.json and merges.txt, or tokenizer.json"});
        const auto rows = Copy(name).read(kConfig).at("vocab_size").get<uint32_t>();
        Copy(name).set(kConfig, "vocab_size", rows + 500).check_refused(Status::bad_model, {"vocab_size"});
        Copy(name).set(kConfig, "vocab_size", rows - 9).check_refused(Status::bad_model, {"vocab_size"});
        Copy(name).set(kConfig, "vocab_size", rows + 1).check_refused(Status::bad_model, {".weight"});
        Copy(name).set(kGeneration, "eos_token_id", rows).check_refused(Status::bad_model, {"eos_token_id"});
    }
    Copy("xglm")
        .remove("sentencepiece.bpe.model")
        .remove("tokenizer.json")
        .check_refused(Status::bad_model, {"sentencepiece.bpe.model or tokenizer.json"});
    Copy("gpt2").set(kConfig, "n_head", 5).check_refused(Status::bad_model, {"n_head", "32", "5"});
    Copy("gpt2").set(kConfig, "n_positions", 65).check_refused(Status::bad_model, {"wpe.weight", "65x32", "64x32"});
    Copy("opt")
        .set(kConfig, "max_position_embeddings", 63)
        .check_refused(Status::bad_model, {"embed_positions.weight", "65x32", "66x32"});
    Copy("opt")
        .set(kConfig, "word_embed_proj_dim", 16)
        .check_refused(Status::unsupported, {"word_embed_proj_dim", "32", "16"});
    Copy("gpt2").set(kConfig, "activation_function", "elu").check_refused(Status::unsupported, {"elu"});
    Copy("gpt2")
        .set(kConfig, "architectures", {"GPT2ForSequenceClassification"})
        .check_refused(Status::unsupported, {"GPT2LMHeadModel", "GPT2ForSequenceClassification"});
    Copy("xglm").set(kConfig, "d_model", 31).check_refused(Status::unsupported, {"d_model", "31"});
    Copy("xglm").set(kConfig, "model_type", "gptj").check_refused(Status::unsupported, {"gpt2 or xglm or opt", "gptj"});
}

TEST_CASE("a GGUF file of a decoder alone is the same model") {
    for (const char* name : {"gpt2", "xglm", "opt"}) {
        CAPTURE(name);
        const Copy model(name);
        spec::ModelSpec wanted = model.load();
        const json steps = {{"normalizer", {{"type", "NFC"}}},
                            {"pre_tokenizer", {{"type", "ByteLevel"}}},
                            {"added_tokens", {{{"id", 7}, {"content", "<w>"}, {"lstrip", true}}}}};
        if (name == std::string("gpt2")) wanted.tokenizer_steps = formats::read_tokenizer_steps("x", steps);
        const auto file = model.folder.path() / "model.gguf";
        write_gguf(wanted, file, {});
        const spec::ModelSpec found = families::load(file);
        CHECK(found.config == wanted.config);
        CHECK(found.search == wanted.search);
        CHECK(found.target.tokens == wanted.target.tokens);
        CHECK(found.decoder_start_token == wanted.decoder_start_token);
        CHECK(found.bos_token == wanted.bos_token);
        CHECK(found.byte_bpe.merges == wanted.byte_bpe.merges);
        CHECK(found.tokenizer_steps.json == wanted.tokenizer_steps.json);
        CHECK(found.tokenizer_steps.normalizers.size() == wanted.tokenizer_steps.normalizers.size());
        CHECK(found.tokenizer_steps.words.size() == wanted.tokenizer_steps.words.size());
        CHECK(found.tokenizer_steps.used() == (name == std::string("gpt2")));
        CHECK(found.prompts.describe() == wanted.prompts.describe());
        for (const auto& [tensor, host] : wanted.weights.tensors()) {
            std::vector<float> a(host.elements()), b(host.elements());
            spec::to_f32(host, 0, a);
            spec::to_f32(found.weights.get(tensor), 0, b);
            CHECK(a == b);
        }
    }
}

TEST_CASE("a GGUF file that has an encoder's sizes and no encoder, or the reverse") {
    const Copy model("gpt2");
    spec::ModelSpec spec = model.load();
    const auto file = model.folder.path() / "model.gguf";
    const auto refused = [&](const char* key, const char* expected) {
        write_gguf(spec, file, {.replace = true});
        try {
            families::load(file);
            FAIL("accepted");
        } catch (const Error& error) {
            CHECK(error.status() == Status::bad_model);
            CHECK_MESSAGE(std::string(error.what()).find(key) != std::string::npos, error.what());
            CHECK_MESSAGE(std::string(error.what()).find(expected) != std::string::npos, error.what());
        }
    };
    spec.config.source_vocabulary = 7;
    refused("dragoman.encoder.vocab_size", "0, as there is no encoder");
    spec.config.source_vocabulary = 0;
    spec.config.encoder_ffn = 9;
    refused("dragoman.encoder.feed_forward_length", "0, as there is no encoder");
}

}  // namespace
}  // namespace dragoman::families::causal_test
