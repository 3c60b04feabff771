// SPDX-License-Identifier: Apache-2.0
// Encoders alone from files that are wrong, or that say what is not supported.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "families/families.h"
#include "families/gguf/gguf_writer.h"
#include "formats/sentencepiece_model.h"
#include "formats/word_piece_file.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace encoders_test {

using namespace dragoman;
using nlohmann::json;
using test::check_refused;

namespace {

const std::filesystem::path kEncoders = DRAGOMAN_TEST_DATA "/encoders";

// A copy of a model whose files can be changed.
class Copy {
public:
    explicit Copy(const char* name) {
        std::filesystem::copy(kEncoders / name, folder_.path(),
                              std::filesystem::copy_options::recursive |
                                  std::filesystem::copy_options::overwrite_existing);
    }
    Copy& change(const std::string& file, const std::string& key, const json& value) {
        json values = json::parse(test::read_file(folder_.path() / file));
        if (value.is_discarded()) values.erase(key);
        else values[key] = value;
        folder_.write(file, values.dump());
        return *this;
    }
    Copy& remove(const char* file) {
        std::filesystem::remove(folder_.path() / file);
        return *this;
    }
    std::string text(const char* file) const { return test::read_file(folder_.path() / file); }
    Copy& write(const char* file, const std::string& content) {
        std::filesystem::create_directories((folder_.path() / file).parent_path());
        folder_.write(file, content);
        return *this;
    }
    spec::ModelSpec load() const { return families::load(folder_.path()); }
    const std::filesystem::path& path() const { return folder_.path(); }

private:
    test::TempDir folder_;
};

void refuse(Status status, std::initializer_list<const char*> words, const Copy& model) {
    check_refused(status, words, [&] { model.load(); });
}

}  // namespace

TEST_CASE("what an encoder alone is") {
    const spec::ModelSpec bert = families::load(kEncoders / "bert");
    CHECK(bert.family == "BERT");
    CHECK(bert.config.decoder.layers == 0);
    CHECK(bert.config.encoder.layers == 2);
    CHECK(bert.config.encoder.max_positions == 160);
    CHECK(bert.word_piece.used);
    CHECK(bert.word_piece.lower_case);
    CHECK(bert.embedding == spec::EmbeddingSpec{.pooler = true});
    CHECK(bert.prompt().source_before == std::vector<std::string>{"[CLS]"});
    CHECK(bert.prompt().source_after == std::vector<std::string>{"[SEP]"});
    const spec::ModelSpec labse = families::load(kEncoders / "labse");
    CHECK_FALSE(labse.word_piece.lower_case);
    CHECK(labse.embedding == spec::EmbeddingSpec{.pooling = spec::Pooling::first,
                                                 .dense = {{.outputs = 20, .activation = Activation::tanh}},
                                                 .normalize = true,
                                                 .pooler = true,
                                                 .max_tokens = 128});
    const spec::ModelSpec xlmr = families::load(kEncoders / "xlmr");
    CHECK(xlmr.family == "XLM-RoBERTa");
    CHECK(xlmr.config.encoder.max_positions == 160);  // behind that of padding
    CHECK(xlmr.embedding == spec::EmbeddingSpec{.normalize = true, .max_tokens = 128});
}

TEST_CASE("a network of BERT's with pieces of SentencePiece") {
    const auto as_bert = [](Copy& copy) -> Copy& {
        return copy.change("config.json", "model_type", "bert").change("config.json", "architectures", {"BertModel"});
    };
    const auto check = [](const spec::ModelSpec& spec) {
        CHECK(spec.family == "BERT");
        CHECK_FALSE(spec.word_piece.used);
        CHECK(spec.has_tokenizer());
        CHECK(spec.config.encoder.max_positions == 162);  // the first one is not that of padding
        CHECK(spec.prompt().source_before == std::vector<std::string>{"<s>"});
        CHECK(spec.prompt().source_after == std::vector<std::string>{"</s>"});
    };
    Copy whole("xlmr");
    const spec::ModelSpec both = as_bert(whole).load();
    check(both);
    for (const char* name : {"tokenizer.json", "sentencepiece.bpe.model"}) {
        CAPTURE(name);
        const spec::ModelSpec one = as_bert(Copy("xlmr").remove(name)).load();
        check(one);
        CHECK(one.source.tokens == both.source.tokens);
    }
    // a SentencePiece model of any other tokenizer has its own ids
    Copy other("xlmr");
    as_bert(other).remove("tokenizer.json").change("tokenizer_config.json", "tokenizer_class", "X");
    const std::string pieces = other.text("sentencepiece.bpe.model");
    other.remove("sentencepiece.bpe.model").write("spiece.model", pieces);
    const spec::ModelSpec direct = other.load();
    CHECK(direct.source.tokens[0] == "<unk>");
    CHECK(direct.source.tokens[1] == "<s>");
    CHECK(direct.source.tokens[4] == both.source.tokens[5]);
    other.change("tokenizer_config.json", "tokenizer_class", "AlbertTokenizer");
    refuse(Status::unsupported, {"do_lower_case: expected false"}, other);
    other.change("tokenizer_config.json", "do_lower_case", false);
    refuse(Status::unsupported, {"keep_accents: expected true"}, other);
    CHECK(other.change("tokenizer_config.json", "keep_accents", true).load().has_tokenizer());
    refuse(Status::unsupported, {"do_lower_case", "SentencePiece"},
           other.change("tokenizer_config.json", "do_lower_case", true));
}

TEST_CASE("several Pooling modules: the vector is the one named sentence_embedding") {
    Copy model("labse");
    const json first = json::parse(model.text("1_Pooling/config.json"));
    json modules = json::parse(model.text("modules.json"));
    const json second = {{"idx", 9}, {"name", "9"}, {"path", "9_Pooling"}, {"type", modules[1]["type"]}};
    modules.insert(modules.begin() + 2, second);
    json query = {{"pooling_mode_mean_tokens", true}, {"output_key", "query_embedding"}};
    model.write("modules.json", modules.dump()).write("9_Pooling/config.json", query.dump());
    CHECK(model.load().embedding == families::load(kEncoders / "labse").embedding);
    query["output_key"] = "sentence_embedding";
    refuse(Status::unsupported, {"one Pooling for sentence_embedding", "1_Pooling", "9_Pooling"},
           model.write("9_Pooling/config.json", query.dump()));
    json named = first;
    named["output_key"] = "query_embedding";
    model.write("1_Pooling/config.json", named.dump());
    CHECK(model.load().embedding.pooling == spec::Pooling::mean);
}

TEST_CASE("configurations of encoders that are wrong") {
    refuse(Status::unsupported, {"architectures", "BertForQuestionAnswering"},
           Copy("bert").change("config.json", "architectures", {"BertForQuestionAnswering"}));
    refuse(Status::unsupported, {"position_embedding_type", "relative_key"},
           Copy("bert").change("config.json", "position_embedding_type", "relative_key"));
    refuse(Status::unsupported, {"is_decoder", "true"}, Copy("bert").change("config.json", "is_decoder", true));
    refuse(Status::bad_model, {"num_attention_heads", "divisor", "5"},
           Copy("bert").change("config.json", "num_attention_heads", 5));
    refuse(Status::unsupported, {"hidden_act", "sine"}, Copy("bert").change("config.json", "hidden_act", "sine"));
    refuse(Status::bad_model, {"position_embeddings", "161x32", "160x32"},
           Copy("bert").change("config.json", "max_position_embeddings", 161));
    refuse(Status::bad_model, {"expected 400 tokens", "420"}, Copy("bert").change("config.json", "vocab_size", 400));
    refuse(Status::bad_model, {"max_position_embeddings"},
           Copy("xlmr").change("config.json", "max_position_embeddings", 2));
}

TEST_CASE("tokenizers of encoders that are wrong") {
    refuse(Status::bad_model, {"vocab.txt", "tokenizer.json"}, Copy("bert").remove("vocab.txt"));
    refuse(Status::unsupported, {"do_basic_tokenize"},
           Copy("bert").change("tokenizer_config.json", "do_basic_tokenize", false));
    refuse(Status::bad_model, {"cls_token", "[BEGIN]"},
           Copy("bert").change("tokenizer_config.json", "cls_token", "[BEGIN]"));
    refuse(Status::bad_model, {"do_lower_case"}, Copy("bert").change("tokenizer_config.json", "do_lower_case", 3));
    CHECK(Copy("bert").change("tokenizer_config.json", "do_lower_case", false).load().word_piece.strip_accents ==
          false);
    const json object = {{"content", "[SEP]"}, {"lstrip", false}};
    CHECK(Copy("bert").change("tokenizer_config.json", "sep_token", object).load().eos_token == "[SEP]");
    refuse(Status::unsupported, {"normalizer", "Odd"},
           Copy("labse").change("tokenizer.json", "normalizer", {{"type", "Odd"}}));
    CHECK_FALSE(Copy("labse").load().tokenizer_steps.used());
    CHECK(Copy("labse").change("tokenizer.json", "normalizer", {{"type", "Lowercase"}}).load().tokenizer_steps.used());
    CHECK(Copy("labse").change("tokenizer.json", "pre_tokenizer", nullptr).load().tokenizer_steps.used());
    refuse(Status::unsupported, {"model: type", "WordPiece", "BPE"},
           Copy("labse").change("tokenizer.json", "model", {{"type", "BPE"}}));
    refuse(Status::bad_model, {"model: vocab"},
           Copy("labse").change("tokenizer.json", "model", {{"type", "WordPiece"}}));
    refuse(Status::bad_model, {"model", "an object"}, Copy("labse").write("tokenizer.json", "{}"));
    refuse(Status::bad_model, {"\"a\"", "an id from 0 to 4096", "file has 4097"},
           Copy("labse").change("tokenizer.json", "model", {{"vocab", {{"a", 4097}}}}));
    refuse(Status::bad_model, {"max_input_chars_per_word", "0 to"},
           Copy("labse").change("tokenizer.json", "model", {{"vocab", {{"a", 0}}}, {"max_input_chars_per_word", -1}}));
}

TEST_CASE("an empty token, and ids without a token, are ones that no text has") {
    Copy model("labse");
    json tokenizer = json::parse(model.text("tokenizer.json"));
    json& vocabulary = tokenizer["model"]["vocab"];
    const auto tokens = Copy("labse").load().source.tokens;
    const auto last = uint32_t(tokens.size()) - 1, before = last - 1;
    vocabulary.erase(tokens[last - 1]);
    vocabulary.erase(tokens[last - 2]);
    vocabulary[""] = before;
    const auto read = model.write("tokenizer.json", tokenizer.dump()).load().source.tokens;
    REQUIRE(read.size() == tokens.size());
    CHECK(read[last] == tokens[last]);
    CHECK(read[last - 1] == formats::unused_token(last - 1));
    CHECK(read[last - 2] == formats::unused_token(last - 2));
    CHECK(read[last - 3] == tokens[last - 3]);
}

TEST_CASE("of equal lines of vocab.txt the last one has the token, as in transformers") {
    Copy model("bert");
    const auto tokens = model.load().source.tokens;
    std::string lines;
    for (std::size_t id = 0; id < tokens.size(); ++id) lines += tokens[id == 10 ? 20 : id] + "\n";
    const auto read = model.write("vocab.txt", lines).load().source.tokens;
    CHECK(read[10] == formats::unused_token(10));
    CHECK(read[20] == tokens[20]);
    CHECK(Copy("bert").write("vocab.txt", "\xef\xbb\xbf" + model.text("vocab.txt")).load().source.tokens == read);
}

TEST_CASE("tokenizer_config.json of BERT's classes overrules the cleaning of tokenizer.json") {
    const auto with = [](const char* key, const json& value) {
        return Copy("labse").change("tokenizer_config.json", key, value).load().word_piece;
    };
    const spec::WordPieceSpec plain = Copy("labse").load().word_piece;
    REQUIRE_FALSE(plain.lower_case);
    REQUIRE_FALSE(plain.strip_accents);
    REQUIRE(plain.chinese_characters);
    CHECK(with("do_lower_case", true).lower_case);
    CHECK(with("do_lower_case", true).strip_accents);  // null: as lower_case
    CHECK(with("strip_accents", true).strip_accents);
    CHECK_FALSE(with("strip_accents", true).lower_case);
    CHECK_FALSE(with("tokenize_chinese_chars", false).chinese_characters);
    CHECK(with("do_lower_case", json(json::value_t::discarded)).lower_case);  // the class has true
    CHECK(Copy("labse").remove("tokenizer_config.json").load().word_piece.lower_case);
    // Where the class is that of any tokenizer.json, the file is as it says.
    for (const char* name : {"PreTrainedTokenizerFast", "TokenizersBackend"}) {
        Copy model("labse");
        model.change("tokenizer_config.json", "tokenizer_class", name)
            .change("tokenizer_config.json", "do_lower_case", true);
        CHECK_FALSE(model.load().word_piece.lower_case);
    }
    // The same where the rest of the tokenizer is not BERT's.
    Copy steps("labse");
    steps.change("tokenizer.json", "pre_tokenizer", {{"type", "Whitespace"}})
        .change("tokenizer_config.json", "do_lower_case", true);
    const spec::ModelSpec spec = steps.load();
    REQUIRE(spec.tokenizer_steps.normalizers.size() == 1);
    CHECK(std::get<spec::BertCleaning>(spec.tokenizer_steps.normalizers[0]).lower_case);
    CHECK(spec.word_piece.lower_case);
    refuse(Status::bad_model, {"strip_accents", "true or false"},
           Copy("labse").change("tokenizer_config.json", "strip_accents", "no"));
}

TEST_CASE("an encoder alone is not written as a GGUF file") {
    const test::TempDir folder;
    check_refused(Status::unsupported, {"GGUF", "encoder-only model"},
                  [&] { families::write_gguf(families::load(kEncoders / "bert"), folder.path() / "m.gguf", {}); });
}

}  // namespace encoders_test
