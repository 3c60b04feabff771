// SPDX-License-Identifier: Apache-2.0
// GGUF files as the reader sees them: what they say, and what is refused.
#include "families/gguf/gguf.h"

#include <doctest/doctest.h>

#include "families/families.h"
#include "families/gguf_bytes.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace gguf_test {

using namespace dragoman;
using namespace dragoman::test;

namespace {

using B = GgufBytes;

spec::ModelSpec read(const std::string& bytes) { return families::load_gguf(in_memory(bytes, "m.gguf")); }
spec::ModelSpec read(const B& file) { return read(file.write()); }

template <class Change>
void refused(Status status, std::initializer_list<const char*> parts, Change&& change) {
    B file = smallest_gguf();
    change(file);
    const std::string bytes = file.write();
    check_refused(status, parts, [&] { read(bytes); });
}

}  // namespace

TEST_CASE("the smallest file is a model, with the defaults for what it does not say") {
    const std::string bytes = smallest_gguf().write();
    const spec::ModelSpec spec = read(bytes);
    CHECK(spec.format == "gguf");
    CHECK(spec.file_bytes == bytes.size());
    CHECK(spec.config.d_model == 4);
    CHECK(spec.config.encoder.layers == 1);
    CHECK(spec.config.decoder.heads == 2);
    CHECK(spec.config.decoder_ffn == 8);
    CHECK(spec.shared_vocabulary);
    CHECK(spec.target.tokens == std::vector<std::string>{"</s>", "<unk>", "a", "b", "c"});
    CHECK(spec.eos_token == "</s>");
    CHECK(spec.search == spec::SearchDefaults{});
    CHECK(spec.weights.key("decoder/projection/weight") == "encoder/embeddings_0/weight");
    const spec::HostTensor& ffn = spec.weights.get("encoder/layer_0/ffn/linear_1/weight", {4, 8});
    std::vector<float> values(32);
    spec::to_f32(ffn, 0, values);
    for (uint32_t i = 0; i < 32; ++i) CHECK(values[i] == float(i % 7) * 0.125f - 0.25f);
}

TEST_CASE("keys of any integer type, vocabularies of their own, suppressed sequences, SentencePiece models") {
    B file = smallest_gguf();
    file.set("dragoman.embedding_length", B::u64(4));
    file.set("dragoman.decoder.alignment_layer", B::i32(-1));
    file.set("tokenizer.ggml.target_tokens", B::texts({"<unk>", "x", "", "</s>", "z"}));
    file.set("dragoman.suppressed.tokens", B::texts({"x", "x", "z"}));
    file.set("dragoman.suppressed.lengths", B::numbers({1, 2}));
    file.set("dragoman.tokenizer.source_sentencepiece", B::bytes("pieces"));
    file.set("dragoman.tokenizer.shared_sentencepiece", B::flag(1));
    file.set("dragoman.search.style", B::text("marian"));
    file.set("dragoman.search.beam_size", B::u32(7));
    file.set("dragoman.search.sampling", B::text("on"));
    file.set("dragoman.search.temperature", B::f32(0.5f));
    file.set("dragoman.search.top_k", B::u32(40));
    file.set("dragoman.search.min_p", B::f32(0.25f));
    file.set("dragoman.encoder.activation", B::text("swish"));
    file.set("dragoman.encoder.attention.layer_norm_epsilon", B::f32(1e-6f));
    file.set("unknown.key", B::texts({"is", "not", "read"}));
    file.set("nested", gguf_number(9, 4) + gguf_number(9, 4) + gguf_number(2, 8) + gguf_number(0, 4) +
                           gguf_number(1, 8) + "x" + gguf_number(8, 4) + gguf_number(1, 8) + gguf_text("y"));
    file.tensors.push_back({"another", {2}, 26, std::string(8, 'x')});
    const std::string bytes = file.write();
    const spec::ModelSpec spec = read(bytes);
    CHECK_FALSE(spec.shared_vocabulary);
    CHECK(spec.target.tokens.at(2) == "");
    CHECK(spec.never_generated == std::vector<std::vector<std::string>>{{"x"}, {"x", "z"}});
    CHECK(spec.target.sentencepiece.text() == "pieces");
    CHECK(spec.search.style == spec::SearchStyle::marian);
    CHECK(spec.search.beam_size == 7);
    CHECK(spec.search.max_length == 4096);
    CHECK(spec.search.sampling == spec::Sampling::on);
    CHECK(spec.search.temperature == 0.5f);
    CHECK(spec.search.top_k == 40);
    CHECK(spec.search.top_p == 1.0f);
    CHECK(spec.search.min_p == 0.25f);
    CHECK(spec.config.encoder.activation == Activation::swish);
    CHECK(spec.config.encoder.norm_epsilon == 1e-6f);
    CHECK_FALSE(spec.weights.has("another"));
}

TEST_CASE("other alignments, and blocks of 32") {
    B file = smallest_gguf();
    file.alignment = 64;
    file.set("general.alignment", B::u32(64));
    CHECK(read(file).weights.has("decoder/layer_0/ffn/linear_0/weight"));
    refused(Status::bad_model, {"m.gguf", "general.alignment", "24"},
            [](B& f) { f.set("general.alignment", B::u32(24)); });
    refused(Status::bad_model, {"general.alignment", "0"}, [](B& f) { f.set("general.alignment", B::u32(0)); });
    refused(Status::bad_model, {"encoder/layer_0/ffn/linear_0/weight", "32", "Q8_0", "4"},
            [](B& f) { f.tensor("encoder/layer_0/ffn/linear_0/weight").type = 8; });
}

TEST_CASE("files that are something else are named") {
    check_refused(Status::bad_model, {"m.gguf", "not a GGUF file"}, [] { read(std::string(64, 'x')); });
    check_refused(Status::bad_model, {"magic number"}, [] { read(std::string("GG")); });
    refused(Status::unsupported, {"version 2 or 3", "1"}, [](B& f) { f.version = 1; });
    refused(Status::unsupported, {"big-endian"}, [](B& f) { f.version = 3u << 24; });
    refused(Status::unsupported, {"general.architecture", "llama", "dragoman"}, [](B& f) {
        f.set("general.architecture", B::text("llama"));
        f.tensors[0].type = 12;  // not the fault that matters
    });
    refused(Status::bad_model, {"general.architecture", "none"}, [](B& f) { f.drop("general.architecture"); });
    refused(Status::unsupported, {"encoder/embeddings_0/weight", "Q4_K", "Q8_0"}, [](B& f) { f.tensors[0].type = 12; });
    refused(Status::unsupported, {"encoder/embeddings_0/weight", "4711"}, [](B& f) { f.tensors[0].type = 4711; });
}

TEST_CASE("settings of sampling that cannot be") {
    refused(Status::unsupported, {"dragoman.search.sampling", "maybe"},
            [](B& f) { f.set("dragoman.search.sampling", B::text("maybe")); });
    refused(Status::bad_model, {"dragoman.search.temperature", "more than 0", "0"},
            [](B& f) { f.set("dragoman.search.temperature", B::f32(0.0f)); });
    refused(Status::bad_model, {"dragoman.search.top_p", "0 to 1", "1.5"},
            [](B& f) { f.set("dragoman.search.top_p", B::f32(1.5f)); });
    refused(Status::bad_model, {"dragoman.search.min_p", "0 to 1", "-1"},
            [](B& f) { f.set("dragoman.search.min_p", B::f32(-1.0f)); });
}

TEST_CASE("numbers that lead outside the file") {
    refused(Status::bad_model, {"m.gguf"}, [](B& f) { f.more_keys = 1; });
    refused(Status::bad_model, {"m.gguf"}, [](B& f) { f.more_keys = int64_t(1) << 60; });
    refused(Status::bad_model, {"m.gguf"}, [](B& f) { f.more_tensors = int64_t(1) << 60; });
    refused(Status::bad_model, {"tokenizer.ggml.tokens"}, [](B& f) {
        f.set("tokenizer.ggml.tokens", gguf_number(9, 4) + gguf_number(8, 4) + gguf_number(1ull << 62, 8));
    });
    refused(Status::bad_model, {"x", "4611686018427387904"},
            [](B& f) { f.set("x", gguf_number(9, 4) + gguf_number(10, 4) + gguf_number(1ull << 62, 8)); });
    refused(Status::bad_model, {"x"}, [](B& f) { f.set("x", gguf_number(8, 4) + gguf_number(~0ull, 8)); });
    refused(Status::bad_model, {"x", "0 to 12", "13"}, [](B& f) { f.set("x", gguf_number(13, 4)); });
    refused(Status::bad_model, {"encoder/embeddings_0/weight", "offset", "1048576"},
            [](B& f) { f.tensors[0].offset = 1 << 20; });
    refused(Status::bad_model, {"encoder/embeddings_0/weight", "multiple of 32", "33"},
            [](B& f) { f.tensors[0].offset = 33; });
    refused(Status::bad_model, {"encoder/embeddings_0/weight", "2^40"},
            [](B& f) { f.tensors[0].dims = {1ull << 20, 1ull << 20, 1ull << 24}; });
    refused(Status::bad_model, {"encoder/embeddings_0/weight", "4294967296"},
            [](B& f) { f.tensors[0].dims = {1ull << 32, 0}; });
    refused(Status::bad_model, {"encoder/embeddings_0/weight", "dimensions", "5"},
            [](B& f) { f.tensors[0].dims = {1, 1, 1, 1, 20}; });
    refused(Status::bad_model, {"tensor name", "64", "65"}, [](B& f) { f.tensors[0].name.resize(65, 'x'); });
    refused(Status::unsupported, {"deep", "arrays in arrays"}, [](B& f) {
        std::string value = gguf_number(9, 4);
        for (int i = 0; i < 1000; ++i) value += gguf_number(9, 4) + gguf_number(1, 8);
        f.set("deep", value);
    });
}

TEST_CASE("a file cut off anywhere is refused") {
    const std::string bytes = smallest_gguf().write();
    REQUIRE(read(bytes).weights.tensors().size() > 10);
    // Only what fills the last tensor's place up may be missing.
    for (std::size_t size = 0; size + 32 < bytes.size(); size += 7)
        check_refused(Status::bad_model, {"m.gguf"}, [&] { read(bytes.substr(0, size)); });
}

TEST_CASE("values that contradict each other") {
    refused(Status::bad_model, {"dragoman.embedding_length", "none"},
            [](B& f) { f.drop("dragoman.embedding_length"); });
    refused(Status::bad_model, {"dragoman.embedding_length", "0"},
            [](B& f) { f.set("dragoman.embedding_length", B::u32(0)); });
    refused(Status::bad_model, {"dragoman.embedding_length", "a whole number", "float32"},
            [](B& f) { f.set("dragoman.embedding_length", B::f32(4)); });
    refused(Status::bad_model, {"encoder/embeddings_0/weight: expected 5x6, file has 5x4"},
            [](B& f) { f.set("dragoman.embedding_length", B::u32(6)); });
    refused(Status::bad_model, {"tokenizer.ggml.tokens", "6 tokens", "5"},
            [](B& f) { f.set("dragoman.encoder.vocab_size", B::u32(6)); });
    refused(Status::bad_model, {"tokenizer.ggml.tokens", "<unk>"},
            [](B& f) { f.set("tokenizer.ggml.tokens", B::texts({"1", "2", "3", "4", "5"})); });
    refused(Status::bad_model, {"tokenizer.ggml.tokens", "UTF-8", "0xff"},
            [](B& f) { f.set("tokenizer.ggml.tokens", B::texts({"<unk>", "\xff", "3", "4", "5"})); });
    refused(Status::unsupported, {"dragoman.encoder.activation", "relu", "maxout"},
            [](B& f) { f.set("dragoman.encoder.activation", B::text("maxout")); });
    refused(Status::bad_model, {"dragoman.encoder.embedding_scale", "finite"},
            [](B& f) { f.set("dragoman.encoder.embedding_scale", B::f32(INFINITY)); });
    refused(Status::bad_model, {"dragoman.decoder.context_length"},
            [](B& f) { f.set("dragoman.decoder.positions", B::text("table")); });
    refused(Status::bad_model, {"dragoman.encoder.attention.relative_buckets_count", "3"},
            [](B& f) { f.set("dragoman.encoder.attention.relative_buckets_count", B::u32(3)); });
    refused(Status::bad_model, {"dragoman.decoder.average.feed_forward_length", "0"},
            [](B& f) { f.set("dragoman.decoder.autoregression", B::text("average_attention")); });
    refused(Status::bad_model, {"dragoman.encoder.attention.head_count", "1 to 1024", "1025"},
            [](B& f) { f.set("dragoman.encoder.attention.head_count", B::u32(1025)); });
    refused(Status::bad_model, {"dragoman.suppressed.lengths"}, [](B& f) {
        f.set("dragoman.suppressed.tokens", B::texts({"a", "b"}));
        f.set("dragoman.suppressed.lengths", B::numbers({1, 2}));
    });
    refused(Status::bad_model, {"dragoman.aliases.targets", "nothing"},
            [](B& f) { f.set("dragoman.aliases.targets", B::texts({"encoder/embeddings_0/weight", "nothing"})); });
    refused(Status::bad_model, {"decoder/embeddings/weight", "5x4", "12x4"}, [](B& f) {
        f.set("dragoman.aliases.targets",
              B::texts({"encoder/layer_0/self_attention/linear_0/weight", "encoder/embeddings_0/weight"}));
    });
    refused(Status::bad_model, {"decoder/layer_0/ffn/linear_1/weight", "no such tensor"},
            [](B& f) { f.tensors.pop_back(); });
    refused(Status::bad_model, {"general.architecture", "twice"},
            [](B& f) { f.keys.push_back({"general.architecture", B::text("dragoman")}); });
    refused(Status::bad_model, {"encoder/embeddings_0/weight", "twice"},
            [](B& f) { f.tensors.push_back(f.tensors[0]); });
    refused(Status::bad_model, {"encoder/embeddings_0/weight.scales", "3"}, [](B& f) {
        f.tensors[0].type = 24;
        f.tensors.push_back({"encoder/embeddings_0/weight.scales", {3}, 0, std::string(12, '\1')});
    });
}

TEST_CASE("a file is known by its first bytes or its name, alone in a folder too") {
    const TempDir folder;
    folder.write("README.md", "license: not this one's");
    const auto path = folder.write("renamed.bin", smallest_gguf().write());
    CHECK(families::load(path).format == "gguf");
    CHECK(families::load(path).license.empty());
    CHECK_THROWS(families::load(folder.path()));
    folder.write("m.gguf", smallest_gguf().write());
    CHECK(families::load(folder.path()).format == "gguf");
    check_refused(Status::bad_model, {"text.gguf", "not a GGUF file"},
                  [&] { families::load(folder.write("text.gguf", "this is no model")); });
}

}  // namespace gguf_test
