// SPDX-License-Identifier: Apache-2.0
// Broken files of the families with many languages, and what the families read from sound ones.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "families/common/language_tokens.h"
#include "families/changed_weights.h"
#include "families/ct2_model.h"
#include "families/families.h"
#include "families/model_copy.h"
#include "families/warnings.h"
#include "formats/byte_bpe_file.h"
#include "formats/sentencepiece_model.h"

namespace dragoman::families::multilingual_test {
namespace {

using nlohmann::json;
using test::warnings;
using Copy = test::ModelCopy;
using Tokens = std::vector<std::string>;

const std::string kFolder = DRAGOMAN_TEST_DATA "/huggingface/";

TEST_CASE("shards that are missing or named wrongly") {
    Copy("nllb")
        .remove("model-00002-of-00002.safetensors")
        .check_refused(Status::io_error, {"model-00002-of-00002.safetensors"});
    Copy("mbart25")
        .remove("pytorch_model-00001-of-00002.bin")
        .check_refused(Status::io_error, {"pytorch_model-00001-of-00002.bin"});
    Copy twice("nllb");
    std::string index = test::read_file(twice.folder.path() / "model.safetensors.index.json");
    const std::string name = "\"model.decoder.layer_norm.weight\"";
    REQUIRE(index.find(name) != std::string::npos);
    index.insert(index.find(name), name + ": \"model-00001-of-00002.safetensors\", ");
    twice.folder.write("model.safetensors.index.json", index);
    twice.check_refused(Status::bad_model, {"model.safetensors.index.json", name.c_str(), "once"});
}

TEST_CASE("a tokenizer of another size than the embedding") {
    for (const char* name : {"m2m100", "nllb", "mbart50", "mbart25", "bart"}) {
        CAPTURE(name);
        Copy model(name);
        const auto rows = model.read("config.json").at("vocab_size").get<uint32_t>();
        const auto tokens = std::to_string(rows);
        model.set("config.json", "vocab_size", rows + 500).check_refused(Status::bad_model, {"vocab_size"});
        // Languages that were added go first, with a warning; the weights say it then.
        const bool many = std::string(name) == "m2m100" || std::string(name) == "nllb";
        model.set("config.json", "vocab_size", rows - 70)
            .check_refused(Status::bad_model, {many ? ".weight" : "vocab_size"});
        // Within what embeddings are made larger by, the weights say it.
        model.set("config.json", "vocab_size", rows + 1).check_refused(Status::bad_model, {".weight", tokens.c_str()});
    }
}

TEST_CASE("M2M-100 has no bias of its logits, whatever lies in its file") {
    Copy model("m2m100");
    const auto rows = model.read("config.json").at("vocab_size").get<uint32_t>();
    const std::string name = "final_logits_bias";
    const auto path = model.folder.path() / "model.safetensors";
    test::SafetensorsFile file = test::read_safetensors(path);
    file.set(name, "F32", {1, rows}, std::vector<float>(rows, 1.0f));
    model.folder.write("model.safetensors", file.bytes());
    spec::ModelSpec spec;
    const std::string said = warnings([&] { spec = model.load(); });
    CHECK_FALSE(spec.weights.has("decoder/projection/bias"));
    CHECK_MESSAGE(said.find(name) != std::string::npos, said);
}

TEST_CASE("architectures and types that are not known") {
    Copy("nllb")
        .set("config.json", "model_type", "nllb-moe")
        .check_refused(Status::unsupported, {"model_type", "marian", "m2m_100", "mbart", "bart", "t5", "nllb-moe"});
    Copy("bart")
        .set("config.json", "architectures", {"BartForSequenceClassification"})
        .check_refused(Status::unsupported,
                       {"architectures", "BartForConditionalGeneration", "BartForSequenceClassification"});
    Copy("bart").set("config.json", "architectures", {"BartModel"}).load();
    Copy("m2m100").set("config.json", "d_model", 3).check_refused(Status::bad_model, {"encoder_attention_heads"});
}

TEST_CASE("tokenizers that are missing or broken") {
    Copy("m2m100").remove("sentencepiece.bpe.model").check_refused(Status::bad_model, {"sentencepiece.bpe.model"});
    Copy("nllb")
        .remove("sentencepiece.bpe.model")
        .remove("tokenizer.json")
        .check_refused(Status::bad_model, {"sentencepiece.bpe.model or tokenizer.json"});
    Copy("bart")
        .remove("merges.txt")
        .remove("tokenizer.json")
        .check_refused(Status::bad_model, {"vocab.json", "merges.txt", "tokenizer.json"});
    Copy broken("bart");
    broken.folder.write("merges.txt", "#version: 0.2\na b\nabc\n");
    broken.check_refused(Status::bad_model, {"merges.txt", "line 3", "two tokens"});
    broken.folder.write("merges.txt", "#version: 0.2\n");
    broken.check_refused(Status::bad_model, {"merges.txt", "has none"});
    Copy other("mbart50");
    other.remove("tokenizer.json")
        .folder.write("sentencepiece.bpe.model", test::read_file(DRAGOMAN_TEST_DATA "/toy-text/source.spm"));
    other.check_refused(Status::bad_model, {"sentencepiece.bpe.model"});
    Copy("nllb")
        .set("tokenizer_config.json", "legacy_behaviour", "yes")
        .check_refused(Status::bad_model, {"tokenizer_config.json", "legacy_behaviour", "true or false"});
    Copy added("nllb");
    added.folder.write("added_tokens.json", R"({"xx_Latn": 100000})");
    CHECK(warnings([&] { added.load(); }).find("xx_Latn\", id 100000, vocab_size is") != std::string::npos);
    added.folder.write("added_tokens.json", R"({"xx_Latn": "a"})");
    added.check_refused(Status::bad_model, {"added_tokens.json", "xx_Latn", "an id"});
}

TEST_CASE("a vocabulary that was made smaller has the order of tokenizer.json") {
    Copy model("mbart25");
    json tokenizer = model.read("tokenizer.json");
    json &added = tokenizer["added_tokens"], &pieces = tokenizer["model"]["vocab"];
    const std::string dropped = "ar_AR";
    const auto place = [&](const json& item) { return item[0] == dropped; };
    const auto at = std::ranges::find_if(pieces, place);
    const auto rows = model.read("config.json").at("vocab_size").get<uint32_t>();
    if (at != pieces.end()) (*at)[0] = "<kept_row>";
    for (json& token : added)
        if (token["content"] == dropped) token["content"] = "<kept_row>";
    tokenizer["model"].erase("type");
    model.folder.write("tokenizer.json", tokenizer.dump());
    std::vector<formats::SentencePieceModel::Piece> more;  // of the vocabulary as it was
    for (int i = 0; i < 300; ++i) more.push_back({.text = "more" + std::to_string(i)});
    const std::string pieces_file = test::read_file(model.folder.path() / "sentencepiece.bpe.model");
    const FileBytes file{.name = "x", .bytes = std::as_bytes(std::span(pieces_file)), .owner = {}};
    model.folder.write("sentencepiece.bpe.model", formats::with_pieces(file, more).text());
    const spec::ModelSpec spec = model.load();
    CHECK(spec.target.tokens.size() == rows);
    CHECK(std::ranges::find(spec.target_languages, dropped) == spec.target_languages.end());
    CHECK(spec.has_tokenizer());
}

TEST_CASE("a network of mBART's without languages, whose pieces have the order of its ids") {
    Copy model("mbart25");
    const auto rows = model.read("config.json").at("vocab_size").get<uint32_t>();
    formats::SentencePieceModel own{.type = formats::SentencePieceModel::Type::unigram, .pieces = {}};
    using Kind = formats::SentencePieceModel::Kind;
    for (const char* control : {"<s>", "<pad>", "</s>"}) own.pieces.push_back({.text = control, .kind = Kind::control});
    own.pieces.push_back({.text = "<unk>", .kind = Kind::unknown});
    for (uint32_t i = 4; i + 1 < rows; ++i) own.pieces.push_back({.text = "\u2581w" + std::to_string(i), .score = -1});
    model.folder.write("sentencepiece.bpe.model", formats::sentencepiece_file(own, "x").text());
    model.remove("tokenizer.json");
    for (const char* key : {"forced_bos_token_id", "decoder_start_token_id"}) {
        model.set("config.json", key, nullptr).set("generation_config.json", key, nullptr);
    }
    model.set("generation_config.json", "decoder_start_token_id", 2);
    const spec::ModelSpec spec = model.load();
    CHECK(spec.source.tokens[4] == "\u2581w4");
    CHECK(spec.source.tokens.back() == "<mask>");
    CHECK(spec.prompt().source_before == Tokens{"<s>"});
    CHECK(spec.prompt().source_after == Tokens{"</s>"});
    CHECK(spec.prompt().decoder_start == "</s>");
    CHECK(spec.prompt().target_begin.empty());
}

TEST_CASE("a language of tokenizer.json that the list lacks is one of the model's") {
    Copy model("nllb");
    const auto last = model.read("config.json").at("vocab_size").get<uint32_t>() - 1;
    json tokenizer = model.read("tokenizer.json");
    tokenizer["added_tokens"].push_back({{"id", last}, {"content", "myv_Cyrl"}, {"special", true}});
    model.folder.write("tokenizer.json", tokenizer.dump());
    const spec::ModelSpec spec = model.load();
    CHECK(spec.target.tokens[last] == "myv_Cyrl");
    CHECK(spec.prompt("en", "myv").target_begin == Tokens{"myv_Cyrl"});
}

TEST_CASE("SMaLL-100: only the target's language, before the text") {
    const auto check = [](const spec::ModelSpec& spec) {
        CHECK(spec.family == "SMaLL-100");
        const spec::Prompt prompt = spec.prompt("en", "de");
        CHECK(prompt.source_before == Tokens{"__de__"});
        CHECK(prompt.source_after == Tokens{"</s>"});
        CHECK(prompt.target_begin.empty());
        CHECK(prompt.decoder_start == "</s>");
        CHECK(spec.prompt("", "de") == prompt);
    };
    CHECK(Copy("m2m100").load().family == "M2M-100");
    check(Copy("m2m100").set("config.json", "_name_or_path", "./small100").load());
    check(Copy("m2m100").set("config.json", "_name_or_path", "somebody/SMaLL100-ft").load());
    check(Copy("m2m100").set("tokenizer_config.json", "tokenizer_class", "SMALL100Tokenizer").load());
    Copy with_script("m2m100");
    with_script.folder.write("tokenization_small100.py", "");
    check(with_script.load());
    spec::TransformerConfig config;
    config.encoder.layers = 12;
    config.decoder.layers = 3;
    config.source_vocabulary = 128112;
    CHECK(has_small100_shape(config));
    config.decoder.layers = 12;
    CHECK_FALSE(has_small100_shape(config));
}

TEST_CASE("without decoder_start_token_id translations begin as transformers' class has it") {
    for (const char* name : {"m2m100", "nllb", "bart"}) {
        CAPTURE(name);
        Copy model(name);
        const std::optional<std::string> start = model.load().prompts.decoder_start;
        REQUIRE(start == "</s>");
        for (const char* file : {"config.json", "generation_config.json"})
            model.set(file, "decoder_start_token_id", nullptr);
        CHECK(model.load().prompts.decoder_start == start);
    }
    Copy small("bart");
    small.set("config.json", "decoder_start_token_id", nullptr)
        .set("generation_config.json", "decoder_start_token_id", 3);
    CHECK(small.load().decoder_start_token == small.load().target.tokens.at(3));
}

// Its embedding is padded to a multiple of 128, where mBART-50 would have room.
TEST_CASE("mBART-25 with rows for fifty languages stays mBART-25") {
    Copy model("mbart25");
    const auto rows = model.read("config.json").at("vocab_size").get<uint32_t>();
    formats::SentencePieceModel small{.type = formats::SentencePieceModel::Type::unigram, .pieces = {}};
    using Kind = formats::SentencePieceModel::Kind;
    small.pieces.push_back({.text = "<unk>", .kind = Kind::unknown});
    for (const char* control : {"<s>", "</s>"}) small.pieces.push_back({.text = control, .kind = Kind::control});
    for (uint32_t i = 3; i < rows - 27 - 40; ++i)
        small.pieces.push_back({.text = "\u2581w" + std::to_string(i), .score = -1});
    model.folder.write("sentencepiece.bpe.model", formats::sentencepiece_file(small, "x").text());
    const auto check = [&](const char* what) {
        CAPTURE(what);
        const spec::ModelSpec spec = model.load();
        CHECK(spec.family == "mBART");
        CHECK(spec.target_languages.size() == 25);
        CHECK(spec.prompt("en", "de").source_after == Tokens{"</s>", "en_XX"});
    };
    check("the class");
    model.remove("tokenizer_config.json");
    check("tokenizer.json");
    model.remove("tokenizer.json");
    check("no start token");
    model.set("generation_config.json", "decoder_start_token_id", 2);
    CHECK(model.load().family == "mBART-50");  // mBART-50's start, and room for its languages
    CHECK(Copy("mbart50").remove("tokenizer_config.json").remove("tokenizer.json").load().family == "mBART-50");
    CHECK(Copy("mbart25").remove("tokenizer_config.json").remove("tokenizer.json").load().family == "mBART");
}

TEST_CASE("a forced language is meant where none is named") {
    Copy model("nllb");
    const spec::ModelSpec plain = model.load();
    const auto at = std::ranges::find(plain.target.tokens, "deu_Latn") - plain.target.tokens.begin();
    const spec::ModelSpec spec = model.set("generation_config.json", "forced_bos_token_id", at).load();
    CHECK(spec.prompt("en", "").target_begin == Tokens{"deu_Latn"});
    CHECK(spec.prompt("en", "fr").target_begin == Tokens{"fra_Latn"});
    CHECK_THROWS_AS(plain.prompt("en", ""), Error);
    model.set("generation_config.json", "forced_bos_token_id", 5);
    CHECK(warnings([&] { model.load(); }).find("forced_bos_token_id: expected a language") != std::string::npos);
}

TEST_CASE("tokens that no translation begins with are not known behind a language") {
    Copy("nllb")
        .set("generation_config.json", "begin_suppress_tokens", {5})
        .check_refused(Status::unsupported, {"begin_suppress_tokens", "language", "file has [5]"});
    Copy("nllb").set("generation_config.json", "begin_suppress_tokens", json::array()).load();
}

TEST_CASE("an added language is one of the model's") {
    Copy model("nllb");
    const auto last = model.read("config.json").at("vocab_size").get<uint32_t>() - 1;
    model.folder.write("added_tokens.json", json{{"swg_Latn", last}}.dump());
    const spec::ModelSpec spec = model.load();
    CHECK(spec.target.tokens[last] == "swg_Latn");
    CHECK(spec.languages().target.size() == 203);
    CHECK(spec.prompt("en", "swg").target_begin == Tokens{"swg_Latn"});
}

TEST_CASE("byte-level BPE in tokenizer.json that is not GPT-2's takes steps, or is refused by what is different") {
    const json whole = json::parse(test::read_file(kFolder + "bart/tokenizer.json"));
    const auto read = [](const json& changed) {
        const std::string bytes = changed.dump();
        return formats::read_byte_bpe_json({.name = "t.json", .bytes = std::as_bytes(std::span(bytes)), .owner = {}});
    };
    CHECK(read(whole).tokens.size() == whole.at("model").at("vocab").size());
    CHECK_FALSE(read(whole).steps.used());
    for (const auto& [path, value] :
         {std::pair<const char*, json>{"/pre_tokenizer/use_regex", false}, {"/normalizer", json{{"type", "NFC"}}}}) {
        json changed = whole;
        changed[json::json_pointer(path)] = value;
        CHECK(read(changed).steps.used());
    }
    const auto refused = [&](const char* path, const json& value, const char* expected) {
        json changed = whole;
        changed[json::json_pointer(path)] = value;
        CHECK_THROWS_WITH_AS(read(changed), doctest::Contains(expected), Error);
    };
    refused("/model/type", "Unigram", "model: type");
    refused("/model/dropout", 0.1, "dropout");
    refused("/model/ignore_merges", true, "ignore_merges");
    refused("/pre_tokenizer/type", "Whitespace", "pre_tokenizer");
    refused("/decoder/type", "Metaspace", "decoder");
    refused("/normalizer", json{{"type", "Odd"}}, "normalizer");
    refused("/model/merges", json::array({"abc"}), "merges");
    refused("/model/merges", json::array(), "merges");
    refused("/model/vocab", json{{"a", 4097}}, "an id from 0 to 4096");
    refused("/added_tokens", json::array({json{{"id", 0}}}), "added_tokens");
    refused("/added_tokens", json::array({json{{"id", 1}, {"content", "x"}}}), "one token");
}

TEST_CASE("languages of a vocabulary") {
    CHECK(find_language_tokens(Tokens{"<s>", "a", "__de__", "__en__"}) == LanguageTokens::m2m);
    CHECK(find_language_tokens(Tokens{"deu_Latn", "eng_Latn"}) == LanguageTokens::nllb);
    CHECK(find_language_tokens(Tokens{"de_DE", "en_XX"}) == LanguageTokens::mbart);
    CHECK_FALSE(find_language_tokens(Tokens{"de_DE", "__en__", "de_De", "_de_", "DEU_Latn", "deu_latn", "__d__"}));
    CHECK(languages_of(LanguageTokens::m2m, Tokens{"__ast__", "__de__", "__de__"}) == Tokens{"ast", "de"});
}

// Conversions leave special tokens to the caller of tokens; texts get them.
TEST_CASE("CTranslate2's conversions of the families take texts") {
    const auto convert = [](const Tokens& more, const char* start) {
        test::Ct2Model model = test::Ct2Model::tiny();
        json config = {{"add_source_eos", false}, {"decoder_start_token", start ? json(start) : json(nullptr)}};
        model.config = config.dump();
        Tokens source{"<s>", "</s>", more[0], more[1]}, target{"<s>", "</s>", more[0], more[1], "<pad>"};
        model.files["source_vocabulary.json"] = json(source).dump();
        model.files["target_vocabulary.json"] = json(target).dump();
        for (const char* old : {"source_vocabulary.txt", "target_vocabulary.txt"}) model.files.erase(old);
        model.files["sentencepiece.bpe.model"] = test::read_file(kFolder + "nllb/sentencepiece.bpe.model");
        return model;
    };
    const spec::Prompt m2m = convert({"__de__", "__en__"}, "</s>").load().prompt("de", "en");
    CHECK(m2m.source_before == Tokens{"__de__"});
    CHECK(m2m.source_after == Tokens{"</s>"});
    CHECK(m2m.target_begin == Tokens{"__en__"});
    CHECK(m2m.decoder_start == "</s>");
    const spec::ModelSpec nllb = convert({"deu_Latn", "eng_Latn"}, "</s>").load();
    CHECK(nllb.has_tokenizer());
    CHECK(nllb.languages().source.size() == 2);
    CHECK(nllb.prompt("de", "en").source_before == Tokens{"deu_Latn"});
    test::Ct2Model legacy = convert({"deu_Latn", "eng_Latn"}, "</s>");
    legacy.files["tokenizer_config.json"] = R"({"legacy_behaviour": true})";
    CHECK(legacy.load().prompt("de", "en").source_after == Tokens{"</s>", "deu_Latn"});
    const spec::Prompt fifty = convert({"de_DE", "en_XX"}, "</s>").load().prompt("de", "en");
    CHECK(fifty.source_before == Tokens{"de_DE"});
    CHECK(fifty.target_begin == Tokens{"en_XX"});
    const spec::Prompt old = convert({"de_DE", "en_XX"}, nullptr).load().prompt("de", "en");
    CHECK(old.source_after == Tokens{"</s>", "de_DE"});
    CHECK_FALSE(old.decoder_start.has_value());
    CHECK(old.target_begin == Tokens{"en_XX"});
    test::Ct2Model bart = convert({"a", "b"}, "</s>");
    CHECK_FALSE(bart.load().has_tokenizer());
    bart.files["merges.txt"] = "a b\n";
    CHECK(bart.load().has_tokenizer());
    CHECK(bart.load().prompt().source_before == Tokens{"<s>"});
    CHECK(bart.load().prompt().source_after == Tokens{"</s>"});
}

}  // namespace
}  // namespace dragoman::families::multilingual_test
