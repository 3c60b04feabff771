// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/huggingface.h"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "base/error.h"
#include "families/families.h"
#include "families/gguf/gguf_writer.h"
#include "families/huggingface/huggingface_tensors.h"
#include "formats/safetensors_file.h"
#include "support/temp_dir.h"

namespace dragoman::families::huggingface_test {
namespace {

using nlohmann::json;
using test::SafetensorsFile;
using test::TempDir;
using Values = std::vector<float>;

constexpr uint32_t kWidth = 4, kFfn = 6, kPositions = 8;

// Encoder and decoder of one layer: width 4, 2 heads, 5 tokens; the values count up through the file.
struct TinyModel {
    SafetensorsFile weights;
    json config = {{"model_type", "marian"},
                   {"d_model", kWidth},
                   {"vocab_size", 5},
                   {"encoder_layers", 1},
                   {"decoder_layers", 1},
                   {"encoder_attention_heads", 2},
                   {"decoder_attention_heads", 2},
                   {"encoder_ffn_dim", kFfn},
                   {"decoder_ffn_dim", kFfn},
                   {"activation_function", "swish"},
                   {"scale_embedding", true},
                   {"max_position_embeddings", kPositions},
                   {"pad_token_id", 4},
                   {"eos_token_id", 0},
                   {"decoder_start_token_id", 4}};
    json vocabulary = {{"</s>", 0}, {"<unk>", 1}, {"a", 2}, {"b", 3}, {"<pad>", 4}};
    std::map<std::string, std::string> files;
    std::string type = "F32";

    TinyModel() : TinyModel(kWidth) {}
    explicit TinyModel(uint32_t width) {
        config["d_model"] = width;
        add("model.shared.weight", {5, width});
        for (const std::string stack : {"encoder", "decoder"}) {
            const std::string layer = "model." + stack + ".layers.0.";
            for (const char* part : {"q_proj", "k_proj", "v_proj", "out_proj"}) {
                linear(layer + "self_attn." + part, width, width);
                if (stack == "decoder") linear(layer + "encoder_attn." + part, width, width);
            }
            linear(layer + "fc1", kFfn, width);
            linear(layer + "fc2", width, kFfn);
            for (const char* norm : {"self_attn_layer_norm", "final_layer_norm"}) linear(layer + norm, width, 0);
        }
        linear("model.decoder.layers.0.encoder_attn_layer_norm", width, 0);
        add("final_logits_bias", {1, 5});
    }

    void add(const std::string& name, const std::vector<uint32_t>& shape) {
        uint32_t count = 1;
        for (const uint32_t size : shape) count *= size;
        Values values(count);
        for (float& value : values) value = static_cast<float>(next++) / 16;
        weights.set(name, type, shape, values);
    }

    void linear(const std::string& name, uint32_t out, uint32_t in) {
        add(name + ".weight", in ? std::vector<uint32_t>{out, in} : std::vector<uint32_t>{out});
        add(name + ".bias", {out});
    }

    void write(const TempDir& folder) const {
        folder.write("model.safetensors", weights.bytes());
        folder.write("config.json", config.dump());
        folder.write("vocab.json", vocabulary.dump());
        for (const auto& [name, content] : files) folder.write(name, content);
    }

    spec::ModelSpec load() const {
        const TempDir folder;
        write(folder);
        return families::load(folder.path());
    }

    void check_refused(Status status, std::initializer_list<const char*> parts) const {
        try {
            load();
            FAIL("a broken model was loaded");
        } catch (const Error& error) {
            INFO(std::string(error.what()));
            CHECK(error.status() == status);
            for (const char* part : parts)
                CHECK_MESSAGE(std::string(error.what()).find(part) != std::string::npos, part);
        }
    }

    int next = 1;
};

Values values(const spec::ModelSpec& spec, std::string_view name) {
    const spec::HostTensor& tensor = spec.weights.get(name);
    Values result(tensor.elements());
    spec::to_f32(tensor, 0, result);
    return result;
}

// Stored tensors one after the other, from the bytes that were written.
Values stored(const TinyModel& model, std::initializer_list<std::string> names) {
    Values result;
    for (const std::string& name : names) {
        const std::string& bytes = model.weights.tensors.at(name).bytes;
        const std::size_t begin = result.size();
        result.resize(begin + bytes.size() / sizeof(float));
        std::memcpy(result.data() + begin, bytes.data(), bytes.size());
    }
    return result;
}

TEST_CASE("a Marian checkpoint's configuration and tokens") {
    const spec::ModelSpec spec = TinyModel().load();
    CHECK(spec.format == "huggingface");
    CHECK(spec.config.d_model == kWidth);
    CHECK(spec.config.source_vocabulary == 5);
    CHECK(spec.config.target_vocabulary == 5);
    CHECK(spec.config.decoder_ffn == kFfn);
    CHECK_FALSE(spec.config.start_from_zero_embedding);
    for (const spec::StackConfig& stack : {spec.config.encoder, spec.config.decoder}) {
        CHECK(stack.layers == 1);
        CHECK(stack.heads == 2);
        CHECK(stack.head_dim == 2);
        CHECK_FALSE(stack.pre_norm);
        CHECK_FALSE(stack.final_norm);
        CHECK_FALSE(stack.embedding_norm);
        CHECK(stack.activation == Activation::swish);
        CHECK(stack.positions == spec::Positions::table);
        CHECK(stack.max_positions == kPositions);
        CHECK(stack.embedding_scale == 2.0f);
        CHECK(stack.norm_epsilon == 1e-5f);
    }
    CHECK(spec.source.tokens == std::vector<std::string>{"</s>", "<unk>", "a", "b", "<pad>"});
    CHECK(spec.target.tokens == spec.source.tokens);
    CHECK(spec.shared_vocabulary);
    CHECK(spec.eos_token == "</s>");
    CHECK(spec.add_source_eos);
    CHECK_FALSE(spec.add_source_bos);
    CHECK(spec.decoder_start_token == "<pad>");
    CHECK(spec.never_generated.empty());
    CHECK(spec.source.sentencepiece.empty());
}

TEST_CASE("one wide head is refused with both numbers") {
    TinyModel model(258);
    model.config["encoder_attention_heads"] = 1;
    model.check_refused(Status::unsupported, {"encoder", "at most 256", "has 258"});
    model.config["encoder_attention_heads"] = 2;
    CHECK_NOTHROW(model.load());
}

TEST_CASE("a forged table of positions is refused before it is made") {
    TinyModel model;
    model.config["d_model"] = 65536;
    model.config["max_position_embeddings"] = 16384;
    model.check_refused(Status::bad_model,
                        {"config.json", "max_position_embeddings", "at most 1024", "65536", "16384"});
    model.config["max_position_embeddings"] = 1025;
    model.check_refused(Status::bad_model, {"at most 1024", "1025"});
    model.config["max_position_embeddings"] = 1024;
    model.check_refused(Status::bad_model, {"model.safetensors", "65536"});
}

TEST_CASE("tensors come under their canonical names") {
    const TinyModel model;
    const spec::ModelSpec spec = model.load();
    const std::string e = "model.encoder.layers.0.", d = "model.decoder.layers.0.";
    for (const std::string kind : {"weight", "bias"}) {
        const auto at = [&](const std::string& name) { return name + "." + kind; };
        const auto norm = [&](const std::string& name) { return name + (kind == "weight" ? "/gamma" : "/beta"); };
        const auto linear = [&](const std::string& name) { return name + "/" + kind; };
        const auto self = e + "self_attn.", cross = d + "encoder_attn.";
        CHECK(values(spec, linear("encoder/layer_0/self_attention/linear_0")) ==
              stored(model, {at(self + "q_proj"), at(self + "k_proj"), at(self + "v_proj")}));
        CHECK(values(spec, linear("encoder/layer_0/self_attention/linear_1")) ==
              stored(model, {at(self + "out_proj")}));
        CHECK(values(spec, linear("decoder/layer_0/attention/linear_0")) == stored(model, {at(cross + "q_proj")}));
        CHECK(values(spec, linear("decoder/layer_0/attention/linear_1")) ==
              stored(model, {at(cross + "k_proj"), at(cross + "v_proj")}));
        CHECK(values(spec, linear("decoder/layer_0/attention/linear_2")) == stored(model, {at(cross + "out_proj")}));
        CHECK(values(spec, linear("decoder/layer_0/ffn/linear_0")) == stored(model, {at(d + "fc1")}));
        CHECK(values(spec, linear("decoder/layer_0/ffn/linear_1")) == stored(model, {at(d + "fc2")}));
        CHECK(values(spec, norm("encoder/layer_0/self_attention/layer_norm")) ==
              stored(model, {at(e + "self_attn_layer_norm")}));
        CHECK(values(spec, norm("decoder/layer_0/attention/layer_norm")) ==
              stored(model, {at(d + "encoder_attn_layer_norm")}));
        CHECK(values(spec, norm("decoder/layer_0/ffn/layer_norm")) == stored(model, {at(d + "final_layer_norm")}));
    }
    CHECK(values(spec, "encoder/embeddings_0/weight") == stored(model, {"model.shared.weight"}));
    CHECK(values(spec, "decoder/projection/bias") == stored(model, {"final_logits_bias"}));
    for (const char* tied : {"decoder/embeddings/weight", "decoder/projection/weight"})
        CHECK(spec.weights.key(tied) == "encoder/embeddings_0/weight");
}

TEST_CASE("16-bit checkpoints stay 16-bit, mixed ones are joined as float32") {
    for (const std::string type : {"F16", "BF16"}) {
        TinyModel model;
        for (auto& [name, tensor] : model.weights.tensors) {
            Values original(tensor.bytes.size() / 4);
            std::memcpy(original.data(), tensor.bytes.data(), tensor.bytes.size());
            for (float& value : original) value = std::fmod(value, 4.0f);  // both types have these
            model.weights.set(name, type, tensor.shape, original);
        }
        const spec::ModelSpec spec = model.load();
        const DType expected = type == "F16" ? DType::f16 : DType::bf16;
        CHECK(spec.weights.get("encoder/layer_0/self_attention/linear_0/weight").dtype == expected);
        CHECK(spec.weights.get("encoder/embeddings_0/weight").dtype == expected);
        CHECK(values(spec, "encoder/embeddings_0/weight")[3] == 4.0f / 16);

        model.weights.set("model.encoder.layers.0.self_attn.k_proj.bias", "F32", {kWidth}, {1, 2, 3, 4.0009765625f});
        const spec::ModelSpec mixed = model.load();
        const Values bias = values(mixed, "encoder/layer_0/self_attention/linear_0/bias");
        CHECK(Values(bias.begin() + 4, bias.begin() + 8) == Values{1, 2, 3, 4.0009765625f});
        CHECK(Values(bias.begin(), bias.begin() + 4) == [&] {
            const auto all = values(spec, "encoder/layer_0/self_attention/linear_0/bias");
            return Values(all.begin(), all.begin() + 4);
        }());
    }
}

TEST_CASE("position tables follow the formula and what transformers has") {
    for (const uint32_t d : {4u, 5u, 32u}) {
        const auto table = huggingface_sinusoids(70, d);
        const uint32_t sines = (d + 1) / 2;
        for (uint32_t p = 0; p < 70; ++p)
            for (uint32_t i = 0; i < d; ++i) {
                const double k = i < sines ? i : i - sines, angle = p * std::pow(10000.0, -2 * k / d);
                CHECK(std::abs(table[p * d + i] - (i < sines ? std::sin(angle) : std::cos(angle))) < 1e-6);
            }
    }
    for (const std::string name : {"shared", "separate"}) {
        const std::string folder = DRAGOMAN_TEST_DATA "/huggingface/" + name;
        const spec::ModelSpec spec = load(folder);
        const json recorded = json::parse(test::read_file(folder + "/expected.json")).at("positions");
        CHECK(recorded.size() == 4);
        for (const auto& [row, expected] : recorded.items())
            for (const char* table : {"encoder/position_encodings/encodings", "decoder/position_encodings/encodings"})
                for (std::size_t i = 0; i < expected.size(); ++i)
                    CHECK(std::abs(values(spec, table)[std::stoul(row) * spec.config.d_model + i] -
                                   expected[i].get<float>()) < 1e-6f);
    }
}

TEST_CASE("tied embeddings are found under any of their names") {
    for (const char* name :
         {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"}) {
        TinyModel model;
        model.weights.tensors[name] = model.weights.tensors.at("model.shared.weight");
        model.weights.tensors.erase("model.shared.weight");
        const spec::ModelSpec spec = model.load();
        CHECK(values(spec, "decoder/projection/weight") == stored(model, {name}));
        CHECK(values(spec, "encoder/embeddings_0/weight") == stored(model, {name}));
    }
    TinyModel model;
    model.weights.tensors.erase("model.shared.weight");
    model.check_refused(Status::bad_model, {"model.safetensors", "model.shared.weight", "lm_head.weight"});

    TinyModel untied;
    untied.config["tie_word_embeddings"] = false;
    untied.add("lm_head.weight", {5, kWidth});
    CHECK(values(untied.load(), "decoder/projection/weight") == stored(untied, {"lm_head.weight"}));
    CHECK(values(untied.load(), "decoder/embeddings/weight") == stored(untied, {"model.shared.weight"}));
}

TEST_CASE("several embeddings of one vocabulary keep apart") {
    TinyModel model;
    model.config["share_encoder_decoder_embeddings"] = true;
    model.config["tie_word_embeddings"] = false;
    model.check_refused(Status::bad_model, {"expected lm_head.weight"});
    for (const char* name :
         {"model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight"})
        model.add(name, {5, kWidth});
    for (const bool tied : {false, true}) {  // tied by the settings only: transformers believes the file
        model.config["tie_word_embeddings"] = tied;
        const spec::ModelSpec spec = model.load();
        CHECK(values(spec, "encoder/embeddings_0/weight") == stored(model, {"model.encoder.embed_tokens.weight"}));
        CHECK(values(spec, "decoder/embeddings/weight") == stored(model, {"model.decoder.embed_tokens.weight"}));
        CHECK(values(spec, "decoder/projection/weight") == stored(model, {"lm_head.weight"}));
    }
    // Equal ones are one.
    model.weights.tensors["model.decoder.embed_tokens.weight"] =
        model.weights.tensors.at("model.encoder.embed_tokens.weight");
    CHECK(model.load().weights.key("decoder/embeddings/weight") == "encoder/embeddings_0/weight");
    CHECK(values(model.load(), "decoder/projection/weight") == stored(model, {"lm_head.weight"}));
}

TEST_CASE("a network that was saved without its head") {
    TinyModel model;
    auto tensors = std::move(model.weights.tensors);
    model.weights.tensors.clear();
    for (auto& [name, tensor] : tensors)
        model.weights.tensors[name.starts_with("model.") ? name.substr(6) : name] = tensor;
    CHECK(values(model.load(), "encoder/embeddings_0/weight") == stored(model, {"shared.weight"}));
}

TEST_CASE("two vocabularies") {
    TinyModel model;
    model.config["share_encoder_decoder_embeddings"] = false;
    model.config["decoder_vocab_size"] = 3;
    model.config["pad_token_id"] = model.config["decoder_start_token_id"] = 2;
    model.files["target_vocab.json"] = json{{"</s>", 0}, {"<unk>", 1}, {"<pad>", 2}}.dump();
    model.weights.tensors.erase("model.shared.weight");
    model.add("model.encoder.embed_tokens.weight", {5, kWidth});
    model.add("model.decoder.embed_tokens.weight", {3, kWidth});
    model.add("final_logits_bias", {1, 3});
    const spec::ModelSpec spec = model.load();
    CHECK_FALSE(spec.shared_vocabulary);
    CHECK(spec.target.tokens == std::vector<std::string>{"</s>", "<unk>", "<pad>"});
    CHECK(values(spec, "encoder/embeddings_0/weight") == stored(model, {"model.encoder.embed_tokens.weight"}));
    CHECK(values(spec, "decoder/projection/weight") == stored(model, {"model.decoder.embed_tokens.weight"}));
    model.vocabulary = {{"end", 0}, {"<unk>", 1}, {"a", 2}, {"b", 3}, {"<pad>", 4}};
    model.check_refused(Status::bad_model, {"vocab.json", "</s>"});
}

TEST_CASE("OPUS-MT's own names for languages mean codes") {
    using Names = std::vector<std::string>;
    const auto with = [](const char* from, const char* to) {
        TinyModel model;
        model.files["tokenizer_config.json"] = json{{"source_lang", from}, {"target_lang", to}}.dump();
        return model.load();
    };
    CHECK(with("en", "jap").target_languages == Names{"ja"});
    CHECK_NOTHROW(with("en", "jap").prompt("en", "ja"));
    CHECK(with("ROMANCE", "en").source_languages == Names{"roa"});
    CHECK_NOTHROW(with("ROMANCE", "en").prompt("fr", "en"));
    CHECK(with("NORTH_EU", "SAMI").source_languages.size() == 11);
    CHECK_THROWS_AS(with("NORTH_EU", "SAMI").prompt("fr", ""), Error);
    CHECK(with("NORWAY", "en").prompt("nn", "en") == with("no", "en").prompt("no", "en"));
    CHECK(with("en_el_es_fi", "en").source_languages == Names{"en", "el", "es", "fi"});
    CHECK(with("de+en", "ZH").source_languages == Names{"de", "en"});
    CHECK_NOTHROW(with("de+en", "ZH").prompt("de", "zh"));
    // a name that is nowhere: any language may be meant
    CHECK(with("de+ALPINE_X", "en").source_languages.empty());
    CHECK_NOTHROW(with("ALPINE_X", "en").prompt("gsw", "en"));
}

TEST_CASE("generation_config.json wins") {
    TinyModel model;
    model.files["generation_config.json"] =
        json{{"eos_token_id", {3}}, {"decoder_start_token_id", 2}, {"bad_words_ids", {{4}, {2, 3}}}}.dump();
    const spec::ModelSpec spec = model.load();
    CHECK(spec.eos_token == "b");
    CHECK(spec.decoder_start_token == "a");
    CHECK(spec.never_generated == std::vector<std::vector<std::string>>{{"<pad>"}, {"a", "b"}});
    model.files["generation_config.json"] = json{{"bad_words_ids", {{5}}}}.dump();
    model.check_refused(Status::bad_model, {"generation_config.json", "bad_words_ids", "from 0 to 4", "file has 5"});
    model.files["generation_config.json"] = json{{"bad_words_ids", {4}}}.dump();
    model.check_refused(Status::bad_model, {"bad_words_ids", "lists of token ids"});
    model.files["generation_config.json"] = "[";
    model.check_refused(Status::bad_model, {"generation_config.json", "JSON"});
}

TEST_CASE("tokens that never come, and rules that are refused") {
    using Never = std::vector<std::vector<std::string>>;
    TinyModel model;
    const auto never = [&](const json& generation) {
        model.files["generation_config.json"] = generation.dump();
        return model.load().never_generated;
    };
    CHECK(never({{"suppress_tokens", {2, 4, 2}}}) == Never{{"a"}, {"<pad>"}});
    // Follows transformers: padding is a token like others, and a suppressed end never comes.
    CHECK(never({{"pad_token_id", 3}, {"eos_token_id", 3}, {"suppress_tokens", {3}}}) == Never{{"b"}});
    CHECK(never({{"eos_token_id", {3, 2}}, {"bad_words_ids", {{2}, {3}, {4}, {2, 3}}}}) ==
          Never{{"<pad>"}, {"a", "b"}});
    CHECK(never({{"forced_bos_token_id", nullptr}, {"begin_suppress_tokens", json::array()}}) == Never{});
    model.files["generation_config.json"] = json{{"suppress_tokens", {0}}, {"forced_eos_token_id", 0}}.dump();
    model.check_refused(Status::unsupported, {"generation_config.json", "forced_eos_token_id", "suppress_tokens"});
    model.files["generation_config.json"] = json{{"suppress_tokens", 2}}.dump();
    model.check_refused(Status::bad_model, {"suppress_tokens", "a list of token ids"});
    CHECK(never({{"forced_bos_token_id", nullptr}, {"begin_suppress_tokens", {2, 3}}}) ==
          Never{{"<pad>", "a"}, {"<pad>", "b"}});  // behind the start
    CHECK(never({{"forced_bos_token_id", 3}, {"begin_suppress_tokens", {2}}}) == Never{{"<pad>", "b", "a"}});
    model.files["generation_config.json"] = json{{"forced_bos_token_id", 99}}.dump();
    model.check_refused(Status::bad_model, {"generation_config.json", "forced_bos_token_id", "99"});
}

TEST_CASE("several tokens that end a translation") {
    TinyModel model;
    const auto ends = [&](const json& ids) {
        model.files["generation_config.json"] = json{{"eos_token_id", ids}}.dump();
        const spec::ModelSpec spec = model.load();
        std::vector<std::string> list{spec.eos_token};
        list.insert(list.end(), spec.search.more_ends.begin(), spec.search.more_ends.end());
        return list;
    };
    using Tokens = std::vector<std::string>;
    CHECK(ends(3) == Tokens{"b"});
    CHECK(ends({3}) == Tokens{"b"});
    CHECK(ends({3, 2, 3}) == Tokens{"b", "a"});
    CHECK(ends({3, 0, 2}) == Tokens{"</s>", "b", "a"});  // config.json's ends the source
    CHECK(ends(nullptr) == Tokens{"</s>"});
    model.files["generation_config.json"] = json{{"eos_token_id", json::array()}}.dump();
    model.check_refused(Status::bad_model, {"generation_config.json", "eos_token_id", "file has []"});
    model.files["generation_config.json"] = json{{"eos_token_id", {0, 5}}}.dump();
    model.check_refused(Status::bad_model, {"generation_config.json", "eos_token_id", "from 0 to 4", "file has 5"});
    model.files["generation_config.json"] = json{{"eos_token_id", {3, 2}}}.dump();
    const TempDir folder;
    write_gguf(model.load(), folder.path() / "model.gguf", {});
    CHECK(families::load(folder.path() / "model.gguf").search.more_ends == Tokens{"a"});
    for (const char* key : {"forced_eos_token_id", "decoder_start_token_id"}) {
        model.files["generation_config.json"] = json{{key, {0, 2}}}.dump();
        model.check_refused(Status::unsupported, {"generation_config.json", key, "one token id", "file has [0,2]"});
    }
}

TEST_CASE("generation settings of config.json count where there is no generation_config.json") {
    TinyModel model;
    model.config["num_beams"] = 3;
    model.config["bad_words_ids"] = {{4}};
    CHECK(model.load().search.beam_size == 3);
    CHECK(model.load().never_generated.size() == 1);
    model.files["generation_config.json"] = json{{"max_length", 9}}.dump();
    const spec::ModelSpec spec = model.load();
    CHECK(spec.search.beam_size == 1);
    CHECK(spec.never_generated.empty());
    CHECK(spec.eos_token == "</s>");
}

TEST_CASE("do_sample of generation_config.json") {
    TinyModel model;
    const auto search = [&](const json& generation) {
        model.files["generation_config.json"] = generation.dump();
        return model.load().search;
    };
    CHECK(search({{"do_sample", false}, {"temperature", 0}}).sampling == spec::Sampling::off);
    const spec::SearchDefaults plain = search({{"do_sample", true}, {"temperature", nullptr}});
    CHECK(plain.sampling == spec::Sampling::on);
    CHECK(plain.temperature == 1.0f);
    CHECK(plain.top_k == 50);  // as transformers has it
    CHECK(plain.top_p == 1.0f);
    CHECK(plain.min_p == 0.0f);
    const spec::SearchDefaults given =
        search({{"do_sample", true}, {"temperature", 0.5}, {"top_k", 0}, {"top_p", 0.75}, {"min_p", 0.25}});
    CHECK(given.temperature == 0.5f);
    CHECK(given.top_k == 0);
    CHECK(given.top_p == 0.75f);
    CHECK(given.min_p == 0.25f);
    const auto refused = [&](const json& generation, Status status, std::initializer_list<const char*> parts) {
        model.files["generation_config.json"] = generation.dump();
        model.check_refused(status, parts);
    };
    refused({{"do_sample", true}, {"num_beams", 4}}, Status::unsupported, {"do_sample", "num_beams 1", "file has 4"});
    refused({{"do_sample", true}, {"temperature", 0}}, Status::bad_model, {"temperature", "file has 0"});
    refused({{"do_sample", "yes"}}, Status::bad_model, {"do_sample", "false or true", "yes"});
    refused({{"top_p", 1.5}}, Status::bad_model, {"top_p", "from 0 to 1", "file has 1.5"});
    refused({{"min_p", -1}}, Status::bad_model, {"min_p", "from 0 to 1", "file has -1"});
    refused({{"top_k", -1}}, Status::bad_model, {"top_k", "file has -1"});
}

TEST_CASE("the token that translations begin with is part of the prompt") {
    TinyModel model;
    CHECK(model.load().prompt().target_begin.empty());
    model.files["generation_config.json"] = json{{"forced_bos_token_id", 2}}.dump();
    const spec::ModelSpec spec = model.load();
    const spec::Prompt prompt = spec.prompt();
    CHECK(prompt.target_begin == std::vector{spec.target.tokens.at(2)});
    CHECK(prompt.decoder_start == spec.decoder_start_token);
    CHECK(prompt.source_after == std::vector{spec.eos_token});
    CHECK(prompt.end == spec.eos_token);
}

TEST_CASE("settings that are missing or wrong are named with both values") {
    for (const char* key : {"d_model", "vocab_size", "encoder_layers", "decoder_layers", "encoder_attention_heads",
                            "decoder_attention_heads", "encoder_ffn_dim", "decoder_ffn_dim", "activation_function",
                            "max_position_embeddings", "eos_token_id", "decoder_start_token_id", "model_type"}) {
        TinyModel model;
        model.config.erase(key);
        model.check_refused(Status::bad_model, {"config.json", key, "none"});
        for (const json& wrong : {json(-1), json(json::array()), json(1e30), json(uint64_t{1} << 40), json(true)}) {
            model.config[key] = wrong;
            model.check_refused(Status::bad_model, {"config.json", key, "expected"});
        }
    }
    const auto with = [](const char* key, const json& value) {
        TinyModel model;
        model.config[key] = value;
        return model;
    };
    with("model_type", "fsmt").check_refused(Status::unsupported, {"model_type", "marian", "file has fsmt"});
    with("architectures", {"MarianForCausalLM"})
        .check_refused(Status::unsupported, {"architectures", "MarianMTModel", "file has MarianForCausalLM"});
    with("architectures", "MarianMTModel").check_refused(Status::bad_model, {"architectures", "a list of strings"});
    with("activation_function", "elu").check_refused(Status::unsupported, {"activation_function", "elu"});
    with("scale_embedding", 1).check_refused(Status::bad_model, {"scale_embedding", "true or false", "1"});
    with("encoder_attention_heads", 3)
        .check_refused(Status::bad_model, {"encoder_attention_heads", "d_model (4)", "file has 3"});
    with("d_model", 8).check_refused(Status::bad_model, {"model.shared.weight", "expected 5x8, file has 5x4"});
    with("encoder_ffn_dim", 7).check_refused(Status::bad_model, {"fc1.weight", "expected 7x4, file has 6x4"});
    with("encoder_layers", 2).check_refused(Status::bad_model, {"model.encoder.layers.1.", "no such tensor"});
    with("vocab_size", 6).check_refused(Status::bad_model, {"model.shared.weight", "expected 6x4, file has 5x4"});
    with("vocab_size", 4).check_refused(Status::bad_model, {"vocab.json", "expected 4 tokens (vocab_size)", "has 5"});
    with("vocab_size", 500)
        .check_refused(Status::bad_model, {"vocab.json", "expected 500 tokens (vocab_size)", "has 5"});
    with("eos_token_id", 5).check_refused(Status::bad_model, {"eos_token_id", "from 0 to 4", "file has 5"});
    with("d_model", 0).check_refused(Status::bad_model, {"d_model", "file has 0"});
}

TEST_CASE("vocabularies must number their pieces, each once and as far as there are rows") {
    const auto with = [](const std::string& vocabulary) {
        TinyModel model;
        model.files["vocab.json"] = vocabulary;
        return model;
    };
    with(R"({"</s>":0,"<unk>":1,"a":2,"b":3,"<pad>":5})")
        .check_refused(Status::bad_model, {"vocab.json", "expected 5 tokens (vocab_size)", "has 6"});
    with(R"({"</s>":0,"<unk>":1,"a":2,"b":3,"<pad>":500})")
        .check_refused(Status::bad_model, {"vocab.json", "<pad>", "file has 500"});
    with(R"({"</s>":0,"<unk>":1,"a":2,"b":2,"<pad>":4})").check_refused(Status::bad_model, {"id 2", "\"a\"", "\"b\""});
    with(R"({"</s>":0,"<unk>":1,"a":2,"b":-3,"<pad>":4})").check_refused(Status::bad_model, {"\"b\"", "-3"});
    with(R"({"</s>":0,"<unk>":1,"a":2,"b":"3","<pad>":4})").check_refused(Status::bad_model, {"\"b\"", "string"});
    with(R"({"</s>":0,"<oov>":1,"a":2,"b":3,"<pad>":4})").check_refused(Status::bad_model, {"vocab.json", "<unk>"});
    with(R"({"</s>":0})").check_refused(Status::bad_model, {"vocab.json", "<unk>"});
    with(R"(["</s>"])").check_refused(Status::bad_model, {"vocab.json", "object", "array"});
    with("").check_refused(Status::bad_model, {"vocab.json", "JSON"});
    TinyModel model;
    const TempDir folder;
    model.write(folder);
    std::filesystem::remove(folder.path() / "vocab.json");
    CHECK_THROWS_WITH_AS(families::load(folder.path()), doctest::Contains("vocab.json"), Error);
}

TEST_CASE("every tensor is needed, with its shape and a float type") {
    const TinyModel whole;
    for (const auto& [name, tensor] : whole.weights.tensors) {
        INFO(name);
        TinyModel model;
        if (name != "final_logits_bias") {
            model.weights.tensors.erase(name);
            model.check_refused(Status::bad_model, {"model.safetensors", name.c_str()});
        }
        model = whole;
        model.weights.tensors.at(name).type = "I32";
        model.check_refused(Status::bad_model, {name.c_str(), "expected F32, F16 or BF16, file has I32"});
        model = whole;
        auto shape = tensor.shape;
        shape.push_back(1);
        model.weights.tensors.at(name).shape = shape;
        model.check_refused(Status::bad_model, {name.c_str(), "expected ", "file has "});
    }
    TinyModel without_bias;
    without_bias.weights.tensors.erase("final_logits_bias");
    CHECK_FALSE(without_bias.load().weights.has("decoder/projection/bias"));
}

TEST_CASE("what is recognised") {
    const TempDir folder;
    TinyModel().write(folder);
    CHECK(families::load(folder.path() / "model.safetensors").path == folder.path());
    std::filesystem::rename(folder.path() / "model.safetensors", folder.path() / "pytorch_model.bin");
    CHECK_THROWS_WITH_AS(families::load(folder.path()), doctest::Contains("pytorch_model.bin: not a checkpoint"),
                         Error);
    std::filesystem::remove(folder.path() / "pytorch_model.bin");
    CHECK_THROWS_WITH_AS(families::load(folder.path()), doctest::Contains("expected model.safetensors"), Error);
}

TEST_CASE("mutated files never do harm") {
    std::mt19937 random(7);
    const auto below = [&](std::size_t bound) { return random() % bound; };
    const TempDir folder;
    TinyModel model;
    model.files["generation_config.json"] = json{{"bad_words_ids", {{4}, {2, 3}}}}.dump();
    model.write(folder);
    unsigned refused = 0;
    for (const char* name : {"model.safetensors", "config.json", "vocab.json", "generation_config.json"}) {
        const std::string whole = test::read_file(folder.path() / name);
        for (int round = 0; round < 400; ++round) {
            std::string bytes = whole;
            // Half of the safetensors file is weights, where every bit is allowed.
            for (std::size_t i = 0; i <= below(3); ++i) {
                char& byte = bytes[below(bytes.size())];
                byte = round % 2 ? static_cast<char>(byte ^ (1 << below(8))) : "0159-\"{}[],x"[below(12)];
            }
            if (round % 8 == 0) bytes.resize(below(bytes.size()));
            folder.write(name, bytes);
            try {
                const spec::ModelSpec spec = families::load(folder.path());
                for (const auto& [tensor, content] : spec.weights.tensors()) values(spec, tensor);
            } catch (const Error& error) {
                CHECK((error.status() == Status::bad_model || error.status() == Status::unsupported));
                ++refused;
            }
        }
        folder.write(name, whole);
    }
    CHECK(refused > 400);
}

}  // namespace
}  // namespace dragoman::families::huggingface_test
