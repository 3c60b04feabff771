// SPDX-License-Identifier: Apache-2.0
// T5 in GGUF files of other programs. Translations: pipeline/t5_test.cpp.
#include <doctest/doctest.h>

#include "base/error.h"
#include "families/families.h"
#include "support/temp_dir.h"

namespace dragoman::families::gguf_t5_test {
namespace {

const std::string kFolder = DRAGOMAN_TEST_DATA "/t5/";

// The file with some bytes changed for others, as many.
std::string changed(const std::string& from, const std::string& to) {
    REQUIRE(from.size() == to.size());
    std::string bytes = test::read_file(kFolder + "t5.gguf");
    const auto at = bytes.find(from);
    REQUIRE(at != std::string::npos);
    return bytes.replace(at, from.size(), to);
}

void refused(Status status, std::initializer_list<const char*> parts, const std::string& bytes) {
    const test::TempDir folder;
    folder.write("model.gguf", bytes);
    try {
        families::load(folder.path() / "model.gguf");
        FAIL("a broken model was loaded");
    } catch (const Error& error) {
        const std::string message = error.what();
        CAPTURE(message);
        CHECK(error.status() == status);
        for (const char* part : parts) CHECK_MESSAGE(message.find(part) != std::string::npos, part);
    }
}

TEST_CASE("a GGUF file of another program says what its Hugging Face files say") {
    for (const std::string name : {"t5", "t5_v11"}) {
        CAPTURE(name);
        const spec::ModelSpec file = families::load(kFolder + name + ".gguf");
        const spec::ModelSpec folder = families::load(kFolder + name);
        CHECK(file.format == "gguf");
        CHECK(file.config == folder.config);
        CHECK(file.eos_token == folder.eos_token);
        CHECK(file.decoder_start_token == folder.decoder_start_token);
        CHECK(file.unk_token == folder.unk_token);
        CHECK(file.prompt("en", "de") == folder.prompt("en", "de"));
        CHECK(file.weights.tensors().size() == folder.weights.tensors().size());
        CHECK(file.weights.aliases() == folder.weights.aliases());
    }
}

TEST_CASE("what is not as the layout has it is refused by key or tensor") {
    refused(Status::bad_model, {"t5.block_count", "none"}, changed("t5.block_count", "t5.block_xxxxx"));
    refused(Status::bad_model, {"t5.embedding_length"}, changed("t5.embedding_length", "t5.embedding_xxxxxx"));
    refused(Status::bad_model, {"tokenizer.ggml.scores", "one for each token"},
            changed("tokenizer.ggml.scores", "tokenizer.ggml.xxxxxx"));
    refused(Status::bad_model, {"tokenizer.ggml.token_type"},
            changed("tokenizer.ggml.token_type", "tokenizer.ggml.token_xxxx"));
    refused(Status::bad_model, {"tokenizer.ggml.tokens"}, changed("tokenizer.ggml.tokens", "tokenizer.ggml.xxxxxx"));
    refused(Status::unsupported, {"tokenizer.ggml.model", "none"},
            changed("tokenizer.ggml.model", "tokenizer.ggml.xxxxx"));
    refused(Status::bad_model, {"enc.blk.1.ffn_up.weight", "none"},
            changed("enc.blk.1.ffn_up.weight", "enc.blk.1.ffn_xx.weight"));
    refused(Status::bad_model, {"token_embd.weight"}, changed("token_embd.weight", "token_xxxx.weight"));
    refused(Status::unsupported, {"general.architecture", "u5", "t5"},
            changed(std::string("\x02\0\0\0\0\0\0\0t5", 10), std::string("\x02\0\0\0\0\0\0\0u5", 10)));
}

}  // namespace
}  // namespace dragoman::families::gguf_t5_test
