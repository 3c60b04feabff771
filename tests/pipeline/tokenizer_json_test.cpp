// SPDX-License-Identifier: Apache-2.0
// tokenizer.json files give, through SentencePiece, the tokens that Hugging Face's tokenizers give.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "files/file_set.h"
#include "formats/tokenizer_json.h"
#include "text/sentencepiece.h"
#include "text/vocabulary.h"

namespace tokenizer_json_test {

using namespace dragoman;
using nlohmann::json;

namespace {

const std::filesystem::path kFolder = DRAGOMAN_TEST_DATA "/tokenizers";

json read_json(const std::string& name) {
    std::ifstream file(kFolder / name);
    return json::parse(file);
}

FileBytes bytes(const std::string& content) {
    const auto owner = std::make_shared<const std::string>(content);
    return {.name = "tokenizer.json", .bytes = std::as_bytes(std::span(*owner)), .owner = owner};
}

void refused(Status status, std::initializer_list<const char*> parts, const json& file) {
    try {
        formats::read_tokenizer_json(bytes(file.dump()));
        FAIL("a tokenizer was read");
    } catch (const Error& error) {
        const std::string message = error.what();
        CAPTURE(message);
        CHECK(error.status() == status);
        for (const char* part : parts) CHECK_MESSAGE(message.find(part) != std::string::npos, part);
    }
}

TEST_CASE("Unigram and BPE with Metaspace give the same ids as the tokenizers library") {
    for (const std::string name : {"unigram", "words", "bytes", "bpe", "llama"}) {
        CAPTURE(name);
        const auto file = formats::read_tokenizer_json(bytes(read_json(name + ".json").dump()));
        const text::SentencePiece pieces(file.sentencepiece);
        const text::Vocabulary vocabulary(file.tokens, file.unk_token);
        CHECK(file.tokens.back() == "deu_Latn");
        CHECK(file.unk_token == "<unk>");
        const json recorded = read_json(name + ".recorded.json");
        CHECK(recorded.size() >= 200);
        for (const json& item : recorded) {
            const std::string text = item.at(0);
            CAPTURE(text);
            CHECK(vocabulary.ids(pieces.encode(text).tokens) == item.at(1).get<std::vector<uint32_t>>());
        }
    }
}

TEST_CASE("special tokens vanish from texts, other added tokens are found in them") {
    json file = read_json("unigram.json");
    const std::size_t size = file["model"]["vocab"].size();
    file["added_tokens"].push_back({{"id", size + 3}, {"content", "<2de>"}, {"special", false}});
    const auto tokenizer = formats::read_tokenizer_json(bytes(file.dump()));
    REQUIRE(tokenizer.tokens.size() == size + 4);
    const text::SentencePiece pieces(tokenizer.sentencepiece);
    const auto found = pieces.encode("dog<2de>").tokens;
    CHECK(std::ranges::find(found, "<2de>") != found.end());
    CHECK(pieces.decode(std::vector<std::string>{"deu_Latn", "\u2581dog", tokenizer.tokens[size + 1], "</s>"}).text ==
          "dog");
}

TEST_CASE("what no SentencePiece model does is refused by name") {
    const json unigram = read_json("unigram.json"), bpe = read_json("bpe.json");
    const auto with = [](json file, const char* pointer, const json& value) {
        file[json::json_pointer(pointer)] = value;
        return file;
    };
    refused(Status::unsupported, {"pre_tokenizer", "ByteLevel"}, with(bpe, "/pre_tokenizer", {{"type", "ByteLevel"}}));
    refused(Status::unsupported, {"pre_tokenizer", "Metaspace"}, with(unigram, "/pre_tokenizer", nullptr));
    refused(Status::unsupported, {"normalizer", "Lowercase"}, with(unigram, "/normalizer", {{"type", "Lowercase"}}));
    refused(Status::unsupported, {"Replace"},
            with(unigram, "/normalizer", {{"type", "Replace"}, {"pattern", {{"String", "x"}}}, {"content", "y"}}));
    refused(Status::unsupported, {"decoder", "WordPiece"}, with(unigram, "/decoder", {{"type", "WordPiece"}}));
    refused(Status::unsupported, {"model", "WordLevel"}, with(unigram, "/model/type", "WordLevel"));
    refused(Status::unsupported, {"fuse_unk"}, with(bpe, "/model/fuse_unk", false));
    refused(Status::unsupported, {"dropout", "0.1"}, with(bpe, "/model/dropout", 0.1));
    json merges = bpe;
    merges["model"]["merges"].erase(5);
    refused(Status::unsupported, {"merges", "SentencePiece merges otherwise"}, merges);
    merges = bpe;
    std::swap(merges["model"]["merges"][0], merges["model"]["merges"].back());
    merges["model"]["merges"].push_back(merges["model"]["merges"][0]);
    merges["model"]["merges"].push_back(merges["model"]["merges"][3]);
    refused(Status::unsupported, {"merges"}, merges);
}

TEST_CASE("old files leave out the type") {
    for (const char* name : {"unigram.json", "bpe.json"}) {
        CAPTURE(name);
        json old = read_json(name);
        old["model"].erase("type");
        const std::string bytes = old.dump(), whole = read_json(name).dump();
        const auto read = [](const std::string& text) {
            return formats::read_tokenizer_json({.name = "t", .bytes = std::as_bytes(std::span(text)), .owner = {}});
        };
        CHECK(read(bytes).tokens == read(whole).tokens);
        CHECK(read(bytes).sentencepiece.text() == read(whole).sentencepiece.text());
    }
}

TEST_CASE("BPE without added tokens: what no merge makes is special") {
    json old = read_json("bpe.json");
    old["added_tokens"] = json::array();
    old["model"].erase("type");
    auto& pieces = old["model"]["vocab"];
    const auto next = uint32_t(pieces.size());
    pieces["<extra_id_0>"] = next;
    const auto tokenizer = formats::read_tokenizer_json(bytes(old.dump()));
    CHECK(tokenizer.tokens[next] == "<extra_id_0>");
    const text::SentencePiece model(tokenizer.sentencepiece);
    const auto whole = formats::read_tokenizer_json(bytes(read_json("bpe.json").dump()));
    const text::SentencePiece other(whole.sentencepiece);
    for (const char* text : {"the river loves", "<extra_id_0> x"})
        CHECK(model.encode(text).tokens == other.encode(text).tokens);
    CHECK(model.decode(std::vector<std::string>{"<extra_id_0>"}).text.empty());
    pieces["nomerge"] = next + 1;
    refused(Status::unsupported, {"no merge makes", "nomerge"}, old);
}

TEST_CASE("added tokens are read without the vocabulary where they come first") {
    const auto read = [](const std::string& text) {
        return formats::added_tokens({.name = "t", .bytes = std::as_bytes(std::span(text)), .owner = {}});
    };
    const std::string list = R"([{"id": 3, "content": "a,]}\"b", "special": true}])";
    const std::string first = R"({"version": "1.0", "x": {"added_tokens": 7}, "added_tokens": )" + list;
    CHECK(read(first + R"(, "model": this is not read)").size() == 1);
    CHECK(read(first + "}").front().text == "a,]}\"b");
    CHECK(read(R"({"model": {"added_tokens": []}, "added_tokens": )" + list + "}").size() == 1);
    CHECK(read("{}").empty());
}

TEST_CASE("broken files are refused by the place") {
    const json unigram = read_json("unigram.json"), bpe = read_json("bpe.json");
    const auto with = [](json file, const char* pointer, const json& value) {
        file[json::json_pointer(pointer)] = value;
        return file;
    };
    refused(Status::bad_model, {"model", "an object"}, json::object());
    refused(Status::bad_model, {"unk_id", "none"}, with(unigram, "/model/unk_id", nullptr));
    refused(Status::bad_model, {"unk_id", "100000"}, with(unigram, "/model/unk_id", 100000));
    refused(Status::bad_model, {"vocab", "entry 3"}, with(unigram, "/model/vocab/3", {"a", "b"}));
    refused(Status::bad_model, {"vocab", "entry 3"}, with(unigram, "/model/vocab/3", {"", 1}));
    refused(Status::bad_model, {"precompiled_charsmap", "base64"},
            with(unigram, "/normalizer", {{"type", "Precompiled"}, {"precompiled_charsmap", "%%%%"}}));
    refused(Status::bad_model, {"added_tokens", "id"}, with(unigram, "/added_tokens/0/id", "x"));
    refused(Status::bad_model, {"added_tokens", "<unk>", "4000000"}, with(unigram, "/added_tokens/0/id", 4000000));
    refused(Status::bad_model, {"added_tokens: id 4"}, with(unigram, "/added_tokens/0/id", 4));
    refused(Status::bad_model, {"unk_token"}, with(bpe, "/model/unk_token", nullptr));
    refused(Status::bad_model, {"<nothing>"}, with(bpe, "/model/unk_token", "<nothing>"));
    refused(Status::bad_model, {"merges"}, with(bpe, "/model/merges", {"abc"}));
    refused(Status::bad_model, {"vocab"}, with(bpe, "/model/vocab", {{"a", 0}, {"b", 0}}));
    refused(Status::bad_model, {"pre_tokenizer", "type"}, with(unigram, "/pre_tokenizer", {{"kind", 1}}));
}

}  // namespace

}  // namespace tokenizer_json_test
