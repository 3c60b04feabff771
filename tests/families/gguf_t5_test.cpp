// SPDX-License-Identifier: Apache-2.0
// T5 in GGUF files of other programs. Translations: pipeline/t5_test.cpp.
#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <functional>

#include "base/error.h"
#include "families/families.h"
#include "support/refused.h"
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

std::vector<float> floats_of(const spec::HostTensor& tensor) {
    std::vector<float> values(tensor.elements());
    spec::to_f32(tensor, 0, values);
    return values;
}

// The file as llama.cpp's gguf-split makes several of it: all keys in the first, tensors in their order.
std::vector<std::string> split(const std::string& bytes, std::size_t count) {
    const auto number = [&](std::size_t at, std::size_t size) {
        uint64_t value = 0;
        std::memcpy(&value, bytes.data() + at, size);
        return value;
    };
    const auto as_bytes = [](auto value) { return std::string(reinterpret_cast<const char*>(&value), sizeof value); };
    const auto as_text = [&](const std::string& text) { return as_bytes(uint64_t(text.size())) + text; };
    constexpr std::size_t kSizes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};  // of values, by their type
    const uint64_t tensors = number(8, 8), keys = number(16, 8);
    std::size_t at = 24;
    const std::function<void(uint64_t)> skip = [&](uint64_t type) {
        if (type == 8) at += 8 + number(at, 8);
        else if (type != 9) at += kSizes[type];
        else {
            const uint64_t element = number(at, 4), elements = number(at + 4, 8);
            at += 12;
            for (uint64_t i = 0; i < elements; ++i) skip(element);
        }
    };
    for (uint64_t i = 0; i < keys; ++i) {
        at += 8 + number(at, 8);
        at += 4;
        skip(number(at - 4, 4));
    }
    const std::string all_keys = bytes.substr(24, at - 24);
    struct Described {
        std::string head;
        uint64_t offset;
    };
    std::vector<Described> described;
    for (uint64_t i = 0; i < tensors; ++i) {
        const std::size_t begin = at;
        at += 8 + number(at, 8);
        at += 4 + 8 * number(at, 4) + 4;
        described.push_back({bytes.substr(begin, at - begin), number(at, 8)});
        at += 8;
    }
    const std::size_t data = (at + 31) / 32 * 32;
    std::vector<std::string> files;
    for (std::size_t part = 0; part < count; ++part) {
        const std::size_t first = tensors * part / count, end = tensors * (part + 1) / count;
        const std::string own = as_text("split.no") + as_bytes(uint32_t(2)) + as_bytes(uint16_t(part)) +
                                as_text("split.count") + as_bytes(uint32_t(2)) + as_bytes(uint16_t(count)) +
                                as_text("split.tensors.count") + as_bytes(uint32_t(5)) + as_bytes(int32_t(tensors));
        std::string file = bytes.substr(0, 8) + as_bytes(uint64_t(end - first)) +
                           as_bytes(uint64_t(3 + (part == 0 ? keys : 0))) + (part == 0 ? all_keys : "") + own;
        std::string content;
        for (std::size_t i = first; i < end; ++i) {
            file += described[i].head + as_bytes(uint64_t(content.size()));
            const std::size_t from = data + described[i].offset,
                              to = i + 1 < tensors ? data + described[i + 1].offset : bytes.size();
            content += bytes.substr(from, to - from);
            content.resize((content.size() + 31) / 32 * 32);
        }
        file.resize((file.size() + 31) / 32 * 32);
        files.push_back(file + content);
    }
    return files;
}

TEST_CASE("a GGUF file that was split into several is one model") {
    const std::string bytes = test::read_file(kFolder + "t5.gguf");
    const spec::ModelSpec whole = families::load(kFolder + "t5.gguf");
    const auto parts = split(bytes, 3);
    const test::TempDir folder;
    for (int i = 0; i < 3; ++i) folder.write("m-0000" + std::to_string(i + 1) + "-of-00003.gguf", parts[i]);
    for (const std::string given : {"", "m-00001-of-00003.gguf", "m-00003-of-00003.gguf"}) {
        CAPTURE(given);
        const spec::ModelSpec spec = families::load(folder.path() / given);
        CHECK(spec.config == whole.config);
        CHECK(spec.owners.size() == whole.owners.size() + 2);
        CHECK(spec.file_bytes == parts[0].size() + parts[1].size() + parts[2].size());
        REQUIRE(spec.weights.tensors().size() == whole.weights.tensors().size());
        for (const auto& [name, tensor] : whole.weights.tensors()) {
            CAPTURE(name);
            CHECK(floats_of(spec.weights.get(name)) == floats_of(tensor));
        }
    }
    const auto load_refused = [&](std::initializer_list<const char*> words) {
        test::check_refused(Status::bad_model, words, [&] { families::load(folder.path()); });
    };
    folder.write("m-00002-of-00003.gguf", parts[2]);
    load_refused({"m-00002-of-00003.gguf", "expected file 2 of 3, it is 3 of 3"});
    folder.write("m-00002-of-00003.gguf", split(bytes, 4)[1]);
    load_refused({"m-00002-of-00003.gguf", "expected file 2 of 3, it is 2 of 4"});
    std::filesystem::remove(folder.path() / "m-00002-of-00003.gguf");
    load_refused({"one of the 3 files of a model is missing: m-00002-of-00003.gguf"});
    const test::TempDir alone;
    alone.write("m.gguf", parts[0]);
    test::check_refused(Status::bad_model, {"m.gguf", "expected file 1 of 1, it is 1 of 3; all of them are needed"},
                        [&] { families::load(alone.path()); });
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
