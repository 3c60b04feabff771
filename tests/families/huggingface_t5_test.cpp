// SPDX-License-Identifier: Apache-2.0
// What T5's families take from their files, and which files they refuse. Translations: pipeline/t5_test.cpp.
#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/log.h"
#include "families/families.h"
#include "families/gguf/gguf_writer.h"
#include "formats/sentencepiece_model.h"
#include "support/temp_dir.h"

namespace dragoman::families::huggingface_t5_test {
namespace {

using nlohmann::json;
using test::TempDir;
namespace fs = std::filesystem;

const fs::path kFolder = DRAGOMAN_TEST_DATA "/t5";

// A copy of a model with other values in a JSON file; null takes one away.
class Changed {
public:
    explicit Changed(const std::string& name, const json& config = json::object(),
                     const std::string& file = "config.json") {
        for (const auto& entry : fs::directory_iterator(kFolder / name))
            if (entry.path().filename() != "recorded.json")
                fs::copy_file(entry.path(), folder.path() / entry.path().filename());
        json values = json::parse(test::read_file((folder.path() / file).string()));
        for (const auto& [key, value] : config.items())
            if (value.is_null()) values.erase(key);
            else values[key] = value;
        folder.write(file, values.dump());
    }

    spec::ModelSpec load() const { return families::load(folder.path()); }

    void refused(Status status, std::initializer_list<const char*> parts) const {
        try {
            load();
            FAIL("a broken model was loaded");
        } catch (const Error& error) {
            const std::string message = error.what();
            CAPTURE(message);
            CHECK(error.status() == status);
            for (const char* part : parts) CHECK_MESSAGE(message.find(part) != std::string::npos, part);
        }
    }

    TempDir folder;
};

spec::ModelSpec load(const std::string& name) { return families::load(kFolder / name); }

std::vector<std::string> codes(const std::vector<spec::Language>& languages) {
    std::vector<std::string> result;
    for (const spec::Language& language : languages) result.push_back(language.code);
    std::ranges::sort(result);
    return result;
}

TEST_CASE("steps of tokenizer.json go with the model, and other tokens around a text are told") {
    const auto told = [](const json& changes) {
        std::string lines;
        const Changed model("umt5", changes, "tokenizer.json");
        const uint64_t sink = add_log_sink([&](LogLevel, std::string_view line) { lines += line; }, LogLevel::warning);
        model.load();
        remove_log_sink(sink);
        return lines;
    };
    CHECK_FALSE(load("umt5").tokenizer_steps.used());
    const Changed lower("umt5", {{"normalizer", {{"type", "Lowercase"}}}}, "tokenizer.json");
    CHECK(lower.load().tokenizer_steps.used());
    CHECK(lower.load().has_tokenizer());
    CHECK(told(json::object()).empty());
    const json text = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}}, start = {{"SpecialToken", {{"id", "<s>"}}}};
    const std::string other = told({{"post_processor", {{"type", "TemplateProcessing"}, {"single", {start, text}}}}});
    CHECK(other.find("post_processor: not heeded: puts [<s>] before a text and [] after it; [] and [</s>] are put") !=
          std::string::npos);
    Changed("umt5", {{"post_processor", {{"type", "Odd"}}}}, "tokenizer.json")
        .refused(Status::unsupported, {"tokenizer.json", "post_processor", "Odd"});
}

TEST_CASE("the configuration of each family") {
    for (const std::string name : {"t5", "t5_v11", "mt5", "umt5", "madlad", "byt5"}) {
        CAPTURE(name);
        const spec::ModelSpec spec = load(name);
        CHECK(spec.config.d_model == 32);
        CHECK(spec.config.wide_activations);
        for (const spec::StackConfig& stack : {spec.config.encoder, spec.config.decoder}) {
            CHECK(stack.head_dim == 8);
            CHECK(stack.rms_norm);
            CHECK(stack.pre_norm);
            CHECK(stack.final_norm);
            CHECK(stack.norm_epsilon == 1e-6f);
            CHECK(stack.attention_scale == 1.0f);
            CHECK(stack.relative_buckets == 8);
            CHECK(stack.relative_max_distance == (name.starts_with("t5") ? 128 : 12));
            CHECK(stack.relative_bias_everywhere == (name == "umt5"));
            CHECK(stack.gated_ffn == (name != "t5"));
            CHECK(stack.activation == (name == "t5" ? Activation::relu : Activation::gelu_tanh));
        }
        const bool scaled = name == "t5" || name == "umt5";
        CHECK(spec.config.output_scale == (scaled ? 1.0f / std::sqrt(32.0f) : 1.0f));
        const bool own = spec.weights.key("decoder/projection/weight") != spec.weights.key("decoder/embeddings/weight");
        CHECK(own == (!scaled && name != "byt5"));
        CHECK(spec.weights.key("decoder/embeddings/weight") == "encoder/embeddings_0/weight");
        CHECK(spec.never_generated.empty());
        CHECK(spec.search.max_length == (name == "byt5" ? 119 : 39));
    }
    CHECK(load("t5").config.decoder.layers == 1);
    CHECK(load("madlad").config.encoder.layers == 3);
    CHECK(load("t5").family == "T5");
    CHECK(load("mt5").family == "mT5");
    CHECK(load("umt5").family == "UMT5");
    CHECK(load("madlad").family == "MADLAD-400");
    CHECK(load("madlad").weights.get("encoder/embeddings_0/weight").dtype == DType::bf16);
}

TEST_CASE("what a file says of the scale of the output") {
    const auto scale = [](const char* name, const json& config) {
        return Changed(name, config).load().config.output_scale;
    };
    const float scaled = 1.0f / std::sqrt(32.0f);
    CHECK(scale("t5", {{"scale_decoder_outputs", nullptr}, {"tie_word_embeddings", nullptr}}) == scaled);
    CHECK(scale("t5_v11", {{"scale_decoder_outputs", nullptr}, {"tie_word_embeddings", nullptr}}) == scaled);
    CHECK(scale("t5_v11", {{"scale_decoder_outputs", nullptr}, {"tie_word_embeddings", false}}) == 1.0f);
    CHECK(scale("t5", {{"scale_decoder_outputs", false}}) == 1.0f);
    CHECK(scale("umt5", {{"tie_word_embeddings", true}, {"scale_decoder_outputs", nullptr}}) == scaled);
    CHECK(scale("umt5", {{"tie_word_embeddings", true}, {"scale_decoder_outputs", false}}) == 1.0f);
    CHECK(scale("mt5", {{"tie_word_embeddings", true}}) == 1.0f);
}

TEST_CASE("sentinels and rows without a token stand behind the pieces and show in no text") {
    for (const std::string name : {"t5", "t5_v11"}) {
        CAPTURE(name);
        const spec::ModelSpec spec = load(name);
        const auto& tokens = spec.target.tokens;
        REQUIRE(tokens.size() == spec.config.target_vocabulary);
        const auto first = std::size_t(std::ranges::find(tokens, "<extra_id_99>") - tokens.begin());
        REQUIRE(first + 128 == tokens.size());
        CHECK(tokens[first + 99] == "<extra_id_0>");
        CHECK(tokens.back() == "<unused_" + std::to_string(tokens.size() - 1) + ">");
        const auto pieces = formats::sentencepiece_pieces(spec.target.sentencepiece);
        CHECK(pieces.texts == tokens);
        for (std::size_t id = first; id < tokens.size(); ++id) CHECK(pieces.control[id]);
        CHECK(spec.decoder_start_token == "<pad>");
        CHECK(spec.eos_token == "</s>");
        CHECK(spec.unk_token == "<unk>");
    }
    // A count of the tokenizer's, and tokens that somebody added.
    const Changed fewer("t5", {{"extra_ids", 3}}, "tokenizer_config.json");
    const auto tokens = fewer.load().target.tokens;
    CHECK(std::ranges::find(tokens, "<extra_id_3>") == tokens.end());
    const std::string next = std::to_string(tokens.size() - 128);
    const Changed more("t5", {{"added_tokens_decoder", {{next, {{"content", "<new>"}, {"special", false}}}}}},
                       "tokenizer_config.json");
    CHECK(more.load().target.tokens[tokens.size() - 128] == "<new>");
    const Changed past("t5", {{"added_tokens_decoder", {{"900000", {{"content", "<far>"}, {"special", false}}}}}},
                       "tokenizer_config.json");
    CHECK(past.load().target.tokens.size() == tokens.size());  // it has no row, and is left out
}

// The token's place, and whether a text may have it.
std::pair<std::size_t, bool> place_of(const spec::ModelSpec& spec, const std::string& token) {
    const auto pieces = formats::sentencepiece_pieces(spec.source.sentencepiece);
    const auto at = std::size_t(std::ranges::find(pieces.texts, token) - pieces.texts.begin());
    return {at, at < pieces.texts.size() && !pieces.control[at]};
}

TEST_CASE("tokens of added_tokens.json, beside sentinels that no file names") {
    const Changed model("t5", {{"extra_ids", 97}}, "tokenizer_config.json");
    const std::size_t rows = model.load().target.tokens.size(), first = rows - 128 + 97;
    const json added = {{"<2de>", first}, {"\u00e7\u00e3o", first + 1}, {"<hidden>", first + 2}};
    model.folder.write("added_tokens.json", added.dump());
    model.folder.write("special_tokens_map.json", R"({"additional_special_tokens": ["<hidden>"]})");
    const spec::ModelSpec spec = model.load();
    CHECK(spec.target.tokens.at(first - 1) == "<extra_id_0>");
    CHECK(place_of(spec, "<2de>") == std::pair(first, true));
    CHECK(place_of(spec, "\u00e7\u00e3o") == std::pair(first + 1, true));
    CHECK(place_of(spec, "<hidden>") == std::pair(first + 2, false));
    CHECK(codes(spec.languages().target) == std::vector<std::string>{"de"});
    // without that list, forms tell
    fs::remove(model.folder.path() / "special_tokens_map.json");
    CHECK_FALSE(place_of(model.load(), "<2de>").second);
}

TEST_CASE("an added token that is a piece already") {
    const Changed model("t5");
    const auto tokens = model.load().target.tokens;
    const std::size_t id = tokens.size() - 5;
    model.folder.write("added_tokens.json", json{{tokens[40], id}}.dump());
    CHECK(model.load().target.tokens == tokens);
}

TEST_CASE("tokens that are added to ByT5's bytes") {
    const Changed model("byt5");
    model.folder.write("added_tokens.json", R"({"<2de>": 380, "<hidden>": 382})");
    model.folder.write("special_tokens_map.json", R"({"additional_special_tokens": ["<hidden>"]})");
    const spec::ModelSpec spec = model.load();
    CHECK(spec.target.tokens.at(379) == "<extra_id_120>");
    CHECK(place_of(spec, "<2de>") == std::pair(std::size_t(380), true));
    CHECK(place_of(spec, "<hidden>") == std::pair(std::size_t(382), false));
    CHECK(codes(spec.languages().target) == std::vector<std::string>{"de"});
}

TEST_CASE("languages and prompts of each family") {
    const spec::ModelSpec t5 = load("t5");
    CHECK(codes(t5.languages().source) == std::vector<std::string>{"de", "en", "fr"});
    CHECK(codes(t5.languages().target) == std::vector<std::string>{"de", "en", "fr", "ro"});
    CHECK(t5.prompt("en", "de").text_before == "translate English to German: ");
    CHECK(t5.prompt("en-GB", "ron").text_before == "translate English to Romanian: ");
    CHECK(t5.prompt().text_before.empty());  // the text says it itself
    CHECK(t5.prompt().source_after == std::vector<std::string>{"</s>"});
    CHECK_THROWS_WITH(t5.prompt("", "de"), doctest::Contains("source_language"));
    CHECK_THROWS_WITH(t5.prompt("en", ""), doctest::Contains("target_language"));
    CHECK_THROWS_WITH(t5.prompt("en", "sw"), doctest::Contains("sw"));
    CHECK(load("t5_v11").prompt("ro", "fr").text_before == "translate Romanian to French: ");  // the usual tasks

    const spec::ModelSpec madlad = load("madlad");
    CHECK(codes(madlad.languages().target) == std::vector<std::string>{"de", "fr", "ro", "ru", "zh", "zh_Hant"});
    CHECK(madlad.languages().source.empty());
    CHECK(madlad.prompt("", "zh-Hant").source_before == std::vector<std::string>{"<2zh_Hant>"});
    CHECK(madlad.eos_token == "</s>");
    CHECK(madlad.unk_token == "<unk>");
    for (const char* name : {"mt5", "umt5"}) {
        CHECK(load(name).languages().target.empty());
        CHECK(load(name).prompt().text_before.empty());
    }
    // Without a tokenizer.json that adds them, languages are words of the text.
    const Changed words("madlad");
    fs::remove(words.folder.path() / "tokenizer.json");
    CHECK(words.load().prompt("", "de").text_before == "<2de> ");
    CHECK(Changed("mt5", {{"prefix", "translate: "}}).load().prompt().text_before == "translate: ");
    // T5's own tasks are those of its own vocabulary, unless the file has a prefix.
    const spec::ModelSpec prefixed = Changed("t5_v11", {{"prefix", "translate English to Vietnamese: "}}).load();
    CHECK(prefixed.prompt().text_before == "translate English to Vietnamese: ");
    CHECK(prefixed.languages().target.empty());
    json other = json::parse(test::read_file((kFolder / "t5_v11/tokenizer.json").string()));
    for (json& piece : other["model"]["vocab"])
        if (piece[0] == "\u2581German") piece[0] = "\u2581Vi\u1ec7t";
    const spec::ModelSpec foreign = Changed("t5_v11", {{"model", other["model"]}}, "tokenizer.json").load();
    CHECK(foreign.languages().source.empty());
    CHECK(foreign.languages().target.empty());
    CHECK(foreign.prompt().text_before.empty());
    const json one = {{"translation_en_to_sw", {{"prefix", "Swahili: "}}}};
    const spec::ModelSpec single = Changed("t5", {{"task_specific_params", one}}).load();
    CHECK(single.prompt().text_before == "Swahili: ");
    CHECK(codes(single.languages().target) == std::vector<std::string>{"sw"});
}

TEST_CASE("the start where decoder_start_token_id is absent") {
    const auto start = [](const char* name, const json& pad) {
        const Changed model(name, {{"decoder_start_token_id", nullptr}, {"pad_token_id", pad}});
        json generation = json::parse(test::read_file((model.folder.path() / "generation_config.json").string()));
        for (const char* key : {"decoder_start_token_id", "pad_token_id"}) generation.erase(key);
        model.folder.write("generation_config.json", generation.dump());
        return model.load().decoder_start_token;
    };
    const auto token = [](const char* name, std::size_t id) { return load(name).target.tokens.at(id); };
    CHECK(start("t5", 5) == token("t5", 5));
    CHECK(start("t5", nullptr) == token("t5", 0));
    for (const char* name : {"mt5", "umt5"}) CHECK(start(name, 5) == token(name, 0));
}

TEST_CASE("dragoman convert keeps all of it") {
    for (const std::string name : {"t5", "umt5", "madlad", "byt5"}) {
        CAPTURE(name);
        const TempDir folder;
        const spec::ModelSpec spec = load(name);
        write_gguf(spec, folder.path() / "model.gguf", {});
        const spec::ModelSpec again = families::load(folder.path() / "model.gguf");
        CHECK(again.config == spec.config);
        CHECK(again.search == spec.search);
        CHECK(again.prompts.pattern == spec.prompts.pattern);
        CHECK(codes(again.languages().target) == codes(spec.languages().target));
        CHECK(again.target.tokens == spec.target.tokens);
        CHECK(again.target.sentencepiece.text() == spec.target.sentencepiece.text());
    }
}

TEST_CASE("ByT5's tokens are bytes") {
    const spec::ModelSpec spec = load("byt5");
    CHECK(spec.family == "ByT5");
    CHECK(spec.target.tokens.at(3 + 'a') == "<0x61>");
    CHECK(spec.target.tokens.at(259) == "<extra_id_0>");
    CHECK(spec.target.tokens.at(383) == "<extra_id_124>");
    CHECK(spec.languages().target.empty());
}

TEST_CASE("what does not fit is refused by file and key") {
    Changed("t5", {{"d_kv", nullptr}}).refused(Status::bad_model, {"config.json", "d_kv"});
    Changed("t5", {{"d_kv", 16}}).refused(Status::bad_model, {"model.safetensors", "SelfAttention.q.weight"});
    Changed("t5", {{"vocab_size", 100}}).refused(Status::bad_model, {"spiece.model", "100"});
    Changed("t5_v11", {{"vocab_size", 100}}).refused(Status::bad_model, {"tokenizer.json", "100"});
    Changed("t5", {{"vocab_size", 257}}).refused(Status::bad_model, {"shared.weight", "257"});
    Changed("t5", {{"relative_attention_num_buckets", 2}}).refused(Status::bad_model, {"config.json", "buckets"});
    Changed("t5", {{"relative_attention_max_distance", 2}}).refused(Status::bad_model, {"distance", "2"});
    for (const char* name : {"t5", "umt5"})  // nothing else is its projection
        Changed(name, {{"tie_word_embeddings", false}})
            .refused(Status::bad_model, {"model.safetensors", "lm_head.weight", "tie_word_embeddings", "none"});
    Changed("t5", {{"feed_forward_proj", "gated-max"}}).refused(Status::unsupported, {"feed_forward_proj", "max"});
    Changed("t5", {{"feed_forward_proj", "gated-gelu"}}).refused(Status::bad_model, {"DenseReluDense.wi_0"});
    Changed("t5", {{"num_layers", 3}}).refused(Status::bad_model, {"encoder.block.2.layer.0"});
    Changed("t5", {{"task_specific_params", {{"a", 1}}}}).refused(Status::bad_model, {"task_specific_params"});
    Changed("t5", {{"eos_token_id", 256}}, "generation_config.json")
        .refused(Status::bad_model, {"generation_config.json", "eos_token_id", "256"});
    Changed("t5", {{"architectures", {"T5EncoderModel"}}}).refused(Status::unsupported, {"T5EncoderModel"});
    Changed("umt5", {{"model_type", "t6"}}).refused(Status::unsupported, {"model_type", "t6", "umt5"});
    const Changed bare("t5");
    fs::remove(bare.folder.path() / "spiece.model");
    bare.refused(Status::bad_model, {"spiece.model", "tokenizer.json"});
    bare.folder.write("spiece.model", "no such thing");
    bare.refused(Status::bad_model, {"spiece.model"});
    const Changed shard("t5_v11");
    fs::remove(shard.folder.path() / "model-00003-of-00007.safetensors");
    shard.refused(Status::io_error, {"model-00003-of-00007.safetensors"});
}

}  // namespace
}  // namespace dragoman::families::huggingface_t5_test
