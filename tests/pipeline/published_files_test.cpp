// SPDX-License-Identifier: Apache-2.0
// Vocabularies and tokenizers that do not fit each other, as publishers have them: what texts become.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "families/ct2_model.h"
#include "families/families.h"
#include "families/model_copy.h"
#include "formats/sentencepiece_model.h"
#include "text/make_tokenizer.h"
#include "text/vocabulary.h"

namespace published_files_test {

namespace {

using namespace dragoman;
using nlohmann::json;
using Ids = std::vector<uint32_t>;
using Tokens = std::vector<std::string>;

class Texts {
public:
    explicit Texts(const spec::ModelSpec& spec)
        : tokenizer_(text::make_tokenizer({spec.source.sentencepiece, spec.target.sentencepiece, spec.byte_bpe,
                                           spec.word_piece, spec.source.tokens})),
          vocabulary_(spec.source.tokens, spec.unk_token) {
        REQUIRE(tokenizer_);
    }
    Ids ids(std::string_view text) const { return vocabulary_.ids(tokenizer_->tokenize(text).tokens); }
    bool has(std::string_view text, uint32_t id) const {
        const Ids found = ids(text);
        return std::ranges::find(found, id) != found.end();
    }
    std::string text(const Tokens& tokens) const { return tokenizer_->detokenize(tokens).text; }

private:
    std::unique_ptr<const text::Tokenizer> tokenizer_;
    text::Vocabulary vocabulary_;
};

const char *const kMan = "\U0001F468", *const kRare = "\u5FD0\u5FD1", *const kOther = "\U0001F501";

// The last pieces of vocab.json give way to what SentencePiece does not know, as in M2M-100.
json with_rare_tokens(json vocabulary) {
    const auto size = uint32_t(vocabulary.size());
    json changed = json::object();
    for (const auto& [token, id] : vocabulary.items())
        if (id < size - 4) changed[token] = id;
    changed[std::string(2, '\0')] = size - 4;
    changed[kMan] = size - 3;
    changed[kRare] = size - 2;
    changed["madeupword7"] = size - 1;
    return changed;
}

void check_rare_tokens(const spec::ModelSpec& spec, uint32_t size) {
    const Texts texts(spec);
    const uint32_t unknown = 3;
    CHECK(texts.has(std::string("brall ") + kMan + " wall", size - 3));
    CHECK(texts.has(std::string("brall ") + kRare, size - 2));
    CHECK(texts.has(kOther, unknown));
    CHECK_FALSE(texts.has(std::string(kMan) + kOther, size - 3));  // a run of unknown characters is one piece
    CHECK(texts.has(std::string(kMan) + kOther, unknown));
    CHECK(texts.text({kMan, "\u2581brall", "__de__", "<pad>", "madeupword7"}) == std::string(kMan) + " brall");
    const auto de = uint32_t(std::ranges::find(spec.source.tokens, "__de__") - spec.source.tokens.begin());
    REQUIRE(de < spec.source.tokens.size());
    CHECK_FALSE(texts.has("__de__ madeupword7", de));
    CHECK_FALSE(texts.has("__de__ madeupword7", size - 1));
}

TEST_CASE("M2M-100: characters that SentencePiece does not know are looked up in vocab.json") {
    test::ModelCopy model("m2m100");
    const json vocabulary = model.read("vocab.json");
    model.folder.write("vocab.json", with_rare_tokens(vocabulary).dump());
    check_rare_tokens(model.load(), uint32_t(vocabulary.size()));
}

TEST_CASE("the same in a conversion of CTranslate2's") {
    test::Ct2Model model = test::Ct2Model::tiny();
    model.config = json{{"add_source_eos", false}, {"decoder_start_token", "</s>"}}.dump();
    model.files["target_vocabulary.json"] = json{"<s>", "</s>", "__de__", "__en__", "<pad>"}.dump();
    for (const char* old : {"source_vocabulary.txt", "target_vocabulary.txt"}) model.files.erase(old);
    model.files["source_vocabulary.json"] = json{"__de__", "__en__", std::string(2, '\0'), kMan}.dump();
    model.files["sentencepiece.bpe.model"] = test::read_file(DRAGOMAN_TEST_DATA
                                                             "/huggingface/nllb/sentencepiece.bpe.model");
    const Texts texts(model.load());
    CHECK(texts.ids(kMan).back() == 3);
    CHECK(texts.ids(kOther).back() == 4);
    CHECK(texts.text({kMan, "__de__"}) == kMan);
}

TEST_CASE("tokens that were added are words of texts, unless they are special") {
    test::ModelCopy model("nllb");
    const auto last = model.read("config.json").at("vocab_size").get<uint32_t>() - 1;
    model.folder.write("added_tokens.json", json{{"qwzx", last - 1}, {"<mark>", last}}.dump());
    const Texts texts(model.load());
    CHECK(texts.has("brall qwzx wall", last - 1));
    CHECK(texts.text({"qwzx"}) == "qwzx");
    CHECK_FALSE(texts.has("brall <mark> wall", last));
    CHECK(texts.text({"<mark>", "qwzx"}) == "qwzx");
}

TEST_CASE("a special token of one character does not stop a text") {
    test::ModelCopy model("nllb");
    const auto last = model.read("config.json").at("vocab_size").get<uint32_t>() - 1;
    model.set("tokenizer_config.json", "added_tokens_decoder",
              json{{std::to_string(last), {{"content", kMan}, {"special", true}}}});
    const Texts texts(model.load());
    CHECK(texts.has(std::string("brall ") + kMan + " wall", last));
}

// Both have the same pieces: whichever of the files is there, ids are the same.
TEST_CASE("CTranslate2's conversions take the tokenizer that lies beside model.bin") {
    test::Ct2Model model = test::Ct2Model::tiny();
    model.config = json{{"add_source_eos", false}, {"decoder_start_token", "</s>"}}.dump();
    for (const char* old : {"source_vocabulary.txt", "target_vocabulary.txt"}) model.files.erase(old);
    model.files["source_vocabulary.json"] = json{"deu_Latn", "eng_Latn", "</s>", "\u2581brall"}.dump();
    model.files["target_vocabulary.json"] = json{"deu_Latn", "eng_Latn", "</s>", "<s>", "<pad>"}.dump();
    const std::string folder = DRAGOMAN_TEST_DATA "/huggingface/nllb/";
    const std::string pieces = test::read_file(folder + "sentencepiece.bpe.model");
    CHECK_FALSE(model.load().has_tokenizer());
    for (const char* name : {"sentencepiece.bpe.model", "tokenizer.model", "flores200_sacrebleu_tokenizer_spm.model",
                             "any.spm", "any.model", "tokenizer.json"}) {
        CAPTURE(name);
        test::Ct2Model with = model;
        const bool json_file = std::string(name) == "tokenizer.json";
        with.files[name] = json_file ? test::read_file(folder + name) : pieces;
        const spec::ModelSpec spec = with.load();
        CHECK(spec.prompt("de", "en").source_before == Tokens{"deu_Latn"});
        const Texts texts(spec);
        CHECK(texts.has("brall", 3));
        CHECK(texts.text({"eng_Latn", "\u2581brall"}) == "brall");
    }
    model.files["tokenizer.model"] = "not protobuf";
    CHECK_THROWS_AS(model.load(), Error);
    model.files.erase("tokenizer.model");
    model.files["other.model"] = "not protobuf";
    CHECK_FALSE(model.load().has_tokenizer());
}

TEST_CASE("byte-level BPE of tokenizer.json beside model.bin") {
    test::Ct2Model model = test::Ct2Model::tiny();
    model.config = json{{"add_source_eos", false}, {"decoder_start_token", "</s>"}}.dump();
    for (const char* side : {"source", "target"}) {
        model.files.erase(std::string(side) + "_vocabulary.txt");
        model.files[std::string(side) + "_vocabulary.json"] =
            (side == std::string("source") ? json{"<s>", "</s>", "a", "b"} : json{"<s>", "</s>", "a", "b", "<pad>"})
                .dump();
    }
    model.files["tokenizer.json"] = test::read_file(DRAGOMAN_TEST_DATA "/huggingface/bart/tokenizer.json");
    const spec::ModelSpec spec = model.load();
    CHECK_FALSE(spec.byte_bpe.merges.empty());
    CHECK(spec.prompt().source_before == Tokens{"<s>"});
    CHECK(Texts(spec).ids("ab").size() >= 1);
}

TEST_CASE("MarianMT: added tokens are words of texts") {
    test::ModelCopy model("shared");
    json vocabulary = model.read("vocab.json"), decoder = model.read("tokenizer_config.json")["added_tokens_decoder"];
    const json all = vocabulary;
    constexpr uint32_t kId = 40, kSpecial = 41;
    for (const auto& [id, text] : {std::pair(kId, "<name>"), {kSpecial, "<hidden>"}}) {
        for (const auto& [piece, number] : all.items())
            if (number == id) vocabulary.erase(piece);
        vocabulary[text] = id;
        decoder[std::to_string(id)] = {{"content", text}, {"special", id == kSpecial}};
    }
    model.folder.write("vocab.json", vocabulary.dump());
    CHECK_FALSE(Texts(model.load()).has("a <name> b", kId));
    const Texts texts(model.set("tokenizer_config.json", "added_tokens_decoder", decoder).load());
    CHECK(texts.has("a <name> b", kId));
    CHECK_FALSE(texts.has("a <hidden> b", kSpecial));
    CHECK(texts.text({"a", "<name>", "<hidden>"}) == "a<name>");
}

}  // namespace

}  // namespace published_files_test
