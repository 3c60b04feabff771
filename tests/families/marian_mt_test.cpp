// SPDX-License-Identifier: Apache-2.0
// MarianMT's vocabularies beside embeddings of other sizes, and what its files add.
#include <doctest/doctest.h>

#include <algorithm>

#include "families/changed_weights.h"
#include "families/model_copy.h"
#include "families/warnings.h"
#include "formats/sentencepiece_model.h"

namespace dragoman::families::marian_mt_test {
namespace {

using nlohmann::json;
using test::warnings;
using Copy = test::ModelCopy;

constexpr uint32_t kRows = 77;  // of tests/data/huggingface/shared
const char *const kConfig = "config.json", *const kWeights = "model.safetensors";

struct Grown : Copy {
    explicit Grown(uint32_t rows) : Copy("shared") {
        set(kConfig, "vocab_size", rows).set(kConfig, "decoder_vocab_size", rows);
        folder.write(kWeights, test::grown_rows(folder.path() / kWeights, kRows, rows));
    }
};

struct Found {
    bool there, control;
};
Found find_piece(const FileBytes& file, const std::string& piece) {
    const auto pieces = formats::sentencepiece_pieces(file);
    const auto found = std::ranges::find(pieces.texts, piece);
    if (found == pieces.texts.end()) return {false, false};
    return {true, pieces.control[std::size_t(found - pieces.texts.begin())]};
}

TEST_CASE("one of the two SentencePiece files is missing, or is another model's") {
    Copy model("shared");
    CHECK(warnings([&] { model.load(); }) == "");
    const std::string other = test::read_file(DRAGOMAN_TEST_DATA "/huggingface/m2m100/sentencepiece.bpe.model");
    model.folder.write("source.spm", other);
    const std::string lines = warnings([&] { model.load(); });
    CHECK(lines.find("source.spm") != std::string::npos);
    CHECK(lines.find("of its pieces are in") != std::string::npos);
    model.remove("source.spm");
    CHECK(warnings([&] { model.load(); }).find("source.spm: no such file") != std::string::npos);
    model.remove("target.spm");  // tokens only, as it is meant
    CHECK(warnings([&] { model.load(); }) == "");
}

TEST_CASE("an id of vocab.json without a piece") {
    Copy model("shared");
    const auto tokens = model.load().source.tokens;
    json pieces = model.read("vocab.json");
    pieces.erase(tokens[30]);
    model.folder.write("vocab.json", pieces.dump());
    const auto read = model.load().source.tokens;
    REQUIRE(read.size() == tokens.size());
    CHECK(read[30] == formats::unused_token(30));
    CHECK(read[31] == tokens[31]);
    model.set("vocab.json", "far", 5000).check_refused(Status::bad_model, {"vocab.json", "\"far\"", "file has 5000"});
}

TEST_CASE("tokenizer.json in place of the vocabulary") {
    Copy model("shared");
    model.remove("vocab.json").check_refused(Status::io_error, {"vocab.json: no such file"});
    model.folder.write("tokenizer.json", "{}");
    model.check_refused(Status::bad_model,
                        {"tokenizer.json: expected vocab.json, source.spm and target.spm", "get them"});
}

TEST_CASE("an embedding with more rows than pieces") {
    const Grown model(128);
    const spec::ModelSpec spec = model.load();
    REQUIRE(spec.source.tokens.size() == 128);
    CHECK(spec.target.tokens == spec.source.tokens);
    CHECK(spec.source.tokens[76] == "<pad>");
    CHECK(spec.source.tokens[127] == formats::unused_token(127));
    CHECK(find_piece(spec.target.sentencepiece, formats::unused_token(127)).control);
    CHECK(spec.weights.get("decoder/projection/weight").shape == std::vector<uint32_t>{128, 32});
    CHECK(spec.decoder_start_token == "<pad>");
    Grown(300).check_refused(Status::bad_model, {"vocab.json", "expected 300 tokens (vocab_size)", "has 77"});
}

TEST_CASE("added tokens are words of texts, special ones show in none") {
    Grown model(80);
    model.folder.write("added_tokens.json", R"({"<name>": 77, "<num>": 78, "<hidden>": 79})");
    json decoder = model.read("tokenizer_config.json").at("added_tokens_decoder");
    for (const auto& [id, text] : {std::pair("77", "<name>"), {"78", "<num>"}, {"79", "<hidden>"}})
        decoder[id] = {{"content", text}, {"special", std::string(text) == "<hidden>"}};
    model.set("tokenizer_config.json", "added_tokens_decoder", decoder);
    spec::ModelSpec spec;
    CHECK(warnings([&] { spec = model.load(); }) == "");
    CHECK(std::vector(spec.source.tokens.begin() + 76, spec.source.tokens.end()) ==
          std::vector<std::string>{"<pad>", "<name>", "<num>", "<hidden>"});
    for (const FileBytes* file : {&spec.source.sentencepiece, &spec.target.sentencepiece}) {
        CHECK(find_piece(*file, "<name>").there);
        CHECK_FALSE(find_piece(*file, "<name>").control);
        CHECK(find_piece(*file, "<hidden>").control);
    }
}

TEST_CASE("an added token that is a piece of vocab.json, and one without a row") {
    Copy model("shared");
    json vocabulary = model.read("vocab.json");
    const std::string piece = model.load().source.tokens[40];
    vocabulary.erase(piece);
    vocabulary["<name>"] = 40;
    model.folder.write("vocab.json", vocabulary.dump());
    json decoder = model.read("tokenizer_config.json").at("added_tokens_decoder");
    decoder["40"] = {{"content", "<name>"}, {"special", false}};
    decoder["77"] = {{"content", "<far>"}, {"special", false}};
    model.set("tokenizer_config.json", "added_tokens_decoder", decoder);
    spec::ModelSpec spec;
    const std::string said = warnings([&] { spec = model.load(); });
    CHECK(said.find("\"<far>\", id 77, vocab_size is 77") != std::string::npos);
    CHECK(spec.source.tokens[40] == "<name>");
    CHECK(find_piece(spec.source.sentencepiece, "<name>").there);
    CHECK_FALSE(find_piece(spec.source.sentencepiece, "<far>").there);
}

TEST_CASE("two vocabularies of two sizes, with added tokens past both") {
    Copy model("separate");
    const auto rows = [&](const char* key) { return model.read(kConfig).at(key).get<uint32_t>(); };
    const uint32_t source = rows("vocab_size"), target = rows("decoder_vocab_size");
    const uint32_t most = std::max(source, target), more = most + 1;
    REQUIRE(source != target);
    for (const auto& [key, size] : {std::pair("vocab_size", source), {"decoder_vocab_size", target}}) {
        model.set(kConfig, key, more);
        model.folder.write(kWeights, test::grown_rows(model.folder.path() / kWeights, size, more));
    }
    model.folder.write("added_tokens.json", json{{"<name>", most}}.dump());
    spec::ModelSpec spec;
    CHECK(warnings([&] { spec = model.load(); }) == "");
    CHECK(spec.source.tokens.back() == "<name>");
    CHECK(spec.target.tokens.back() == "<name>");
    CHECK(spec.source.tokens[source - 1] == Copy("separate").load().source.tokens.back());
    CHECK(spec.target.tokens[target - 1] == Copy("separate").load().target.tokens.back());
}

}  // namespace
}  // namespace dragoman::families::marian_mt_test
