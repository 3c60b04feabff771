// SPDX-License-Identifier: Apache-2.0
#include "families/marian/marian.h"

#include "families/families.h"
#include "formats/marian_files.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace dragoman::families::marian_test {
namespace {

using test::BinItem;
using test::check_refused;
using test::kTinyVocabulary;
using test::TempDir;
using test::TinyMarian;
using test::ZipFile;
using Names = std::vector<std::string>;
using Values = std::vector<float>;

Values values(const spec::ModelSpec& spec, std::string_view name) {
    const spec::HostTensor& tensor = spec.weights.get(name);
    Values result(tensor.elements());
    spec::to_f32(tensor, 0, result);
    return result;
}

Values turned(const TinyMarian::Parameter& matrix) {
    Values result;
    for (uint32_t out = 0; out < matrix.shape[1]; ++out)
        for (uint32_t in = 0; in < matrix.shape[0]; ++in) result.push_back(matrix.values[in * matrix.shape[1] + out]);
    return result;
}

Values joined(std::initializer_list<Values> parts) {
    Values result;
    for (const Values& part : parts) result.insert(result.end(), part.begin(), part.end());
    return result;
}

spec::ModelSpec load(const TinyMarian& model) {
    const TempDir folder;
    folder.write("vocab.yml", kTinyVocabulary);
    return families::load(folder.write("model.npz", model.npz()));
}

TEST_CASE("parameters come under canonical names, rows of outputs") {
    const TinyMarian model;
    const spec::ModelSpec spec = load(model);
    const auto stored = [&](const char* name) { return model.parameters.at(name); };
    CHECK(spec.format == "marian");
    CHECK(values(spec, "encoder/embeddings_0/weight") == stored("Wemb").values);
    CHECK(spec.weights.key("decoder/embeddings/weight") == "encoder/embeddings_0/weight");
    CHECK(spec.weights.key("decoder/projection/weight") == "encoder/embeddings_0/weight");
    CHECK(values(spec, "decoder/projection/bias") == stored("decoder_ff_logit_out_b").values);
    CHECK(values(spec, "encoder/layer_0/self_attention/linear_0/weight") ==
          joined({turned(stored("encoder_l1_self_Wq")), turned(stored("encoder_l1_self_Wk")),
                  turned(stored("encoder_l1_self_Wv"))}));
    CHECK(values(spec, "encoder/layer_0/self_attention/linear_0/bias") ==
          joined({stored("encoder_l1_self_bq").values, stored("encoder_l1_self_bk").values,
                  stored("encoder_l1_self_bv").values}));
    CHECK(values(spec, "decoder/layer_0/attention/linear_1/weight") ==
          joined({turned(stored("decoder_l1_context_Wk")), turned(stored("decoder_l1_context_Wv"))}));
    CHECK(values(spec, "decoder/layer_0/attention/linear_2/weight") == turned(stored("decoder_l1_context_Wo")));
    CHECK(values(spec, "decoder/layer_0/ffn/linear_0/weight") == turned(stored("decoder_l1_ffn_W1")));
    CHECK(spec.weights.get("decoder/layer_0/ffn/linear_0/weight").shape == std::vector<uint32_t>{6, 4});
    CHECK(values(spec, "decoder/layer_0/ffn/linear_1/bias") == stored("decoder_l1_ffn_b2").values);
    CHECK(values(spec, "decoder/layer_0/self_attention/layer_norm/gamma") ==
          stored("decoder_l1_self_Wo_ln_scale").values);
    CHECK(values(spec, "encoder/layer_0/ffn/layer_norm/beta") == stored("encoder_l1_ffn_ffn_ln_bias").values);
    // Parts of a matrix that lies in columns.
    const spec::HostTensor& tensor = spec.weights.get("encoder/layer_0/ffn/linear_1/weight");
    CHECK(tensor.transposed);
    const Values whole = turned(stored("encoder_l1_ffn_W2"));
    for (std::size_t begin = 0; begin <= whole.size(); ++begin) {
        for (std::size_t end = begin; end <= whole.size(); ++end) {
            Values part(end - begin);
            spec::to_f32(tensor, begin, part);
            CHECK(std::equal(part.begin(), part.end(), whole.begin() + std::ptrdiff_t(begin)));
        }
    }
}

TEST_CASE("missing parameters and wrong shapes are refused") {
    TinyMarian model;
    model.parameters.erase("decoder_l1_context_bk");
    check_refused(Status::bad_model, {"model.npz", "decoder_l1_context_bk", "no such"}, [&] { load(model); });
    model = {};
    model.parameters["decoder_l1_ffn_W1"].shape = {6, 4};
    check_refused(Status::bad_model, {"decoder_l1_ffn_W1", "expected 4x6", "file has 6x4"}, [&] { load(model); });
    model = {};
    model.parameters["encoder_l1_ffn_b1"].shape = {6, 1};
    check_refused(Status::bad_model, {"encoder_l1_ffn_b1", "vector", "6x1"}, [&] { load(model); });
    model = {};
    model.parameters["encoder_l1_ffn_b1"].shape = {6};  // as older files have it
    CHECK_NOTHROW(load(model));
    model.parameters.erase("decoder_ff_logit_out_b");
    check_refused(Status::bad_model, {"decoder_ff_logit_out_b"}, [&] { load(model); });
    model.options["output-omit-bias"] = "true";
    CHECK_FALSE(load(model).weights.has("decoder/projection/bias"));
}

TEST_CASE("tied layers share their tensors") {
    TinyMarian model;
    model.options["dec-depth"] = "3";
    model.options["transformer-tied-layers"] = "[1, 1, 1]";
    const spec::ModelSpec spec = load(model);
    for (const char* end : {"self_attention/linear_0/weight", "ffn/linear_1/bias", "attention/layer_norm/beta"})
        CHECK(spec.weights.key(std::string("decoder/layer_2/") + end) == std::string("decoder/layer_0/") + end);
}

TEST_CASE("integers keep their multipliers and those of their inputs") {
    const auto quantised = [](TinyMarian::Parameter parameter, bool turn, float scale) {
        if (turn) parameter.values = turned(parameter);
        std::vector<int8_t> numbers;
        for (const float value : parameter.values) numbers.push_back(static_cast<int8_t>(value * 16) % 100);
        return test::bytes_of(numbers) + test::bytes_of(Values{scale});
    };
    const TinyMarian model;
    for (const bool fork : {false, true}) {
        std::vector<BinItem> items;
        for (const auto& [name, parameter] : model.parameters) {
            const bool matrix = name.find("_W") != std::string::npos && name.find("_ln_") == std::string::npos;
            if (matrix || (fork && name == "Wemb")) {
                const float scale = name.ends_with("Wk") ? 8.0f : 4.0f;
                items.push_back({name, fork ? 0x4101u : 0x10001u, parameter.shape,
                                 quantised(parameter, matrix, scale)});
                if (!fork) continue;
                const float alpha = name.ends_with("Wq") ? 3.0f : 5.0f;
                if (name != "Wemb") items.push_back({name + "_QuantMultA", 0x404, {1}, test::bytes_of(Values{alpha})});
            } else {
                items.push_back({name, 0x404, parameter.shape, test::bytes_of(parameter.values)});
            }
        }
        if (fork) items.push_back({"none_QuantMultA", 0x404, {1}, test::bytes_of(Values{7})});
        items.push_back(test::bin_options(model.yaml()));
        const TempDir folder;
        folder.write("vocab.yml", kTinyVocabulary);
        const auto file = folder.write("model.bin", test::marian_bin(items));
        const spec::ModelSpec spec = families::load(file);
        const auto& fused = spec.weights.get("encoder/layer_0/self_attention/linear_0/weight");
        CHECK(fused.dtype == DType::i8);
        CHECK(fused.scales == Values{4, 4, 4, 4, 8, 8, 8, 8, 4, 4, 4, 4});
        CHECK(fused.input_scales == (fork ? Values{3, 3, 3, 3, 5, 5, 5, 5, 5, 5, 5, 5} : Values(12, 0.0f)));
        const auto& single = spec.weights.get("decoder/layer_0/ffn/linear_1/weight");
        CHECK(single.shape == std::vector<uint32_t>{4, 6});
        CHECK(single.scales == Values{4});
        CHECK(single.input_scales == Values{fork ? 5.0f : 0.0f});
        const auto& embedding = spec.weights.get("decoder/projection/weight");
        CHECK(embedding.dtype == (fork ? DType::i8 : DType::f32));
        CHECK(embedding.input_scales == (fork ? Values{7} : Values{}));
        // The folder alone will do: CTranslate2's model.bin begins otherwise.
        CHECK(families::load(folder.path()).format == "marian");
    }
}

TEST_CASE("biases of integers count as numbers") {
    TinyMarian model;
    std::vector<BinItem> items;
    for (const auto& [name, parameter] : model.parameters) {
        const bool whole = name.starts_with("encoder_l1_self_b");
        const std::vector<int8_t> numbers{4, 8, -12, 16};
        if (whole) items.push_back({name, 0x4101, {4}, test::bytes_of(numbers) + test::bytes_of(Values{4})});
        else items.push_back({name, 0x404, parameter.shape, test::bytes_of(parameter.values)});
    }
    items.push_back(test::bin_options(model.yaml()));
    const TempDir folder;
    folder.write("vocab.yml", kTinyVocabulary);
    const spec::ModelSpec spec = families::load(folder.write("model.bin", test::marian_bin(items)));
    const Values part{1, 2, -3, 4};
    CHECK(values(spec, "encoder/layer_0/self_attention/linear_0/bias") == joined({part, part, part}));
    CHECK(values(spec, "encoder/layer_0/self_attention/linear_1/bias") == part);
}

TEST_CASE("one wide head is refused with both numbers") {
    TinyMarian model(260);
    CHECK_NOTHROW(load(model));
    model.options["transformer-heads"] = "1";
    check_refused(Status::unsupported, {"model.npz", "encoder", "at most 256", "has 260"}, [&] { load(model); });
}

TEST_CASE("tokens, end of sentence and what is never generated") {
    const spec::ModelSpec spec = load({});
    CHECK(spec.source.tokens == Names{"</s>", "<unk>", "a", "b", "c"});
    CHECK(spec.shared_vocabulary);
    CHECK(spec.add_source_eos);
    CHECK_FALSE(spec.add_source_bos);
    CHECK(spec.eos_token == "</s>");
    CHECK(spec.decoder_start_token == "</s>");
    CHECK(spec.never_generated == std::vector<Names>{{"<unk>"}});
    CHECK(spec.search.style == spec::SearchStyle::marian);
    CHECK(spec.search.beam_size == 12);
    CHECK(spec.search.length_penalty == 0.0f);
    CHECK_FALSE(spec.shortlist);
}

TEST_CASE("a decoder.yml names the files and the search") {
    const TinyMarian model;
    const TempDir folder;
    folder.write("best.npz", model.npz());
    folder.write("other.npz", model.npz());
    folder.write("some.yml", kTinyVocabulary);
    folder.write("other.vocab.yml", "</s>: 0\n");
    folder.write("decoder.yml",
                 "models:\n  - /elsewhere/best.npz\nvocabs:\n  - a/some.yml\n  - a/some.yml\n"
                 "beam-size: 6\nnormalize: 0.6\nword-penalty: 0.5\nmax-length-factor: 2\n"
                 "allow-unk: true\nmini-batch: 1\n");
    const spec::ModelSpec spec = families::load(folder.path());
    CHECK(spec.source.tokens[2] == "a");
    CHECK(spec.search.beam_size == 6);
    CHECK(spec.search.length_penalty == 0.6f);
    CHECK(spec.search.word_penalty == 0.5f);
    CHECK(spec.search.max_length_factor == 2.0f);
    CHECK(spec.never_generated.empty());
    folder.write("decoder.yml", "vocabs: [some.yml, some.yml, some.yml]\n");
    check_refused(Status::bad_model, {"one model", "best.npz, other.npz"}, [&] { families::load(folder.path()); });
    CHECK_THROWS_AS(families::load(folder.path() / "best.npz"), Error);
    folder.write("best.npz.decoder.yml", "vocabs: [some.yml, some.yml]\nbeam-size: 3\n");
    CHECK(families::load(folder.path() / "best.npz").search.beam_size == 3);
}

TEST_CASE("a decoder.yml with several models is an ensemble") {
    const TinyMarian model;
    const TempDir folder;
    for (const char* name : {"best.npz", "other.npz", "third.npz"}) folder.write(name, model.npz());
    folder.write("some.yml", kTinyVocabulary);
    const auto load = [&](const std::string& line, const char* models = "[a/best.npz, b/other.npz]") {
        folder.write("decoder.yml", fmt::format("models: {}\nvocabs: [some.yml, some.yml]\n{}\n", models, line));
        return families::load(folder.path());
    };
    const spec::ModelSpec plain = load("");
    REQUIRE(plain.ensemble.others.size() == 1);
    CHECK(plain.ensemble.others[0].name.ends_with("other.npz"));
    CHECK(plain.ensemble.others[0].weights.tensors().size() == plain.weights.tensors().size());
    CHECK(plain.ensemble.weights.empty());
    CHECK(load("weights: [1, 1.0]").ensemble.weights.empty());
    CHECK(load("weights:\n  - 0.7\n  - 3e-1").ensemble.weights == std::vector<float>{0.7f, 0.3f});
    CHECK(load("weights: 0.5", "best.npz").ensemble.weights == std::vector<float>{0.5f});
    CHECK(load("weights: []", "[best.npz, third.npz, other.npz]").ensemble.others.size() == 2);

    const auto refused = [&](std::initializer_list<const char*> parts, auto... arguments) {
        check_refused(Status::bad_model, parts, [&] { load(arguments...); });
    };
    refused({"decoder.yml", "weights: expected 2 numbers", "got 3"}, "weights: [1, 2, 3]");
    refused({"decoder.yml", "weights: expected 1 numbers", "got 2"}, "weights: [1, 2]", "best.npz");
    refused({"decoder.yml", "weights: expected finite numbers above 0, got 0"}, "weights: [1, 0]");
    refused({"decoder.yml", "weights: expected finite numbers above 0, got -0.5"}, "weights: [1, -0.5]");
    refused({"decoder.yml", "weights: expected finite numbers above 0, got nan"}, "weights: [nan, 1]");
    refused({"decoder.yml", "weights: expected finite numbers above 0, got inf"}, "weights: [1, inf]");
    refused({"decoder.yml", "weights: expected numbers, file has half"}, "weights: [half, 1]");
    refused({"decoder.yml", "models: expected 2 files", "lost.npz is not there"}, "", "[best.npz, lost.npz]");

    // A path names one of them; its own settings may give it a weight.
    folder.write("decoder.yml", "models: [best.npz, other.npz]\nweights: [0.7, 0.3]\nvocabs: [some.yml, some.yml]\n");
    CHECK_FALSE(families::load(folder.path() / "other.npz").ensemble.used());
    folder.write("other.npz.decoder.yml", "models: [other.npz]\nweights: [0.25]\nvocabs: [some.yml, some.yml]\n");
    CHECK(families::load(folder.path() / "other.npz").ensemble.weights == std::vector<float>{0.25f});
}

TEST_CASE("an archive as OPUS-MT packs it") {
    const std::string pieces = test::read_file(DRAGOMAN_TEST_DATA "/toy-text/source.spm");
    for (const bool in_folder : {false, true}) {
        const std::string begin = in_folder ? "opus-2020/" : "";
        ZipFile zip;
        zip.add(begin + "opus.npz", TinyMarian().npz(true), true);
        zip.add(begin + "opus.vocab.yml", "</s>: 0\n<unk>: 1\n\">>de<<\": 2\n\">>fr<<\": 3\n\u2581a: 4\n", true);
        zip.add(begin + "decoder.yml",
                "relative-paths: true\nmodels:\n  - opus.npz\nvocabs:\n  - opus.vocab.yml\n  - opus.vocab.yml\n"
                "beam-size: 6\nnormalize: 1\n");
        zip.add(begin + "source.spm", pieces);
        zip.add(begin + "target.spm", pieces);
        zip.add(begin + "README.md", "# a model\n");
        const TempDir folder;
        const spec::ModelSpec spec = families::load(folder.write("model.zip", zip.bytes()));
        CHECK(spec.format == "marian");
        CHECK(spec.source.tokens[4] == "\u2581a");
        CHECK(spec.target_languages == Names{"de", "fr"});
        CHECK_FALSE(spec.source.sentencepiece.empty());
        CHECK_FALSE(spec.target.sentencepiece.empty());
        CHECK(spec.search.beam_size == 6);
    }
}

TEST_CASE("a folder as Firefox has it") {
    const std::string pieces = test::read_file(DRAGOMAN_TEST_DATA "/marian/int8-firefox/vocab.xxyy.spm");
    TinyMarian model;
    model.add("Wemb", {60, 4});
    model.add("decoder_ff_logit_out_b", {1, 60});
    const TempDir folder;
    folder.write("model.xxyy.intgemm.alphas.bin.gz", test::gzipped(model.bin()));
    folder.write("vocab.xxyy.spm.gz", test::gzipped(pieces));
    spec::ModelSpec spec = families::load(folder.path());
    CHECK(spec.source.tokens.size() == 60);
    CHECK(spec.source.tokens[0] == "</s>");
    CHECK_FALSE(spec.source.sentencepiece.empty());
    CHECK(spec.source_languages == Names{"xx"});
    CHECK(spec.target_languages == Names{"yy"});
    folder.write("metadata.json", R"({"sourceLanguage": "aa", "targetLanguage": "bb_Latn", "version": "2.1",
                                      "flores": {"x": [1, {"y": 2}]}})");
    spec = families::load(folder.path());
    CHECK(spec.source_languages == Names{"aa"});
    CHECK(spec.target_languages == Names{"bb_Latn"});
    CHECK(spec.version == "2.1");
    folder.write("lex.50.50.xxyy.s2t.bin", "not a list");
    check_refused(Status::bad_model, {"lex.50.50.xxyy.s2t.bin"}, [&] { families::load(folder.path()); });
    model = {};
    folder.write("model.xxyy.intgemm.alphas.bin.gz", test::gzipped(model.bin()));
    check_refused(Status::bad_model, {"vocab.xxyy.spm", "at most 5 pieces"}, [&] { families::load(folder.path()); });
}

TEST_CASE("students search as the programs do that they are made for") {
    namespace fs = std::filesystem;
    const auto search = [](const fs::path& folder) {
        const auto spec = families::load(folder);
        return std::tuple(spec.search.beam_size, spec.search.length_penalty, spec.search.max_length_factor);
    };
    const fs::path firefox = fs::path(DRAGOMAN_TEST_DATA) / "marian/int8-firefox";
    CHECK(search(firefox) == std::tuple(1u, 1.0f, 2.0f));
    const TempDir folder;
    for (const auto& entry : fs::directory_iterator(firefox)) fs::copy(entry.path(), folder.path());
    folder.write("config.yml", "nested: {maps: {are: [not, read]}}\n");
    folder.write("config.intgemm8bitalpha.yml",
                 "models: [model.xxyy.intgemm.alphas.bin]\nvocabs: [vocab.xxyy.spm, "
                 "vocab.xxyy.spm]\nbeam-size: 2\nnormalize: 0.5\n"
                 "max-length-factor: 2.5\nshortlist: [lex.s2t.bin, false]\n");
    CHECK(search(folder.path()) == std::tuple(2u, 0.5f, 2.5f));
    folder.write("decoder.yml", "beam-size: 5\n");
    CHECK(search(folder.path()) == std::tuple(5u, 0.0f, 3.0f));
}

TEST_CASE("a student's folder with a configuration for each of its models") {
    const auto config = [](const char* model, int beam) {
        return fmt::format(
            "models:\n  - {}\nvocabs:\n  - vocab.yml\n  - vocab.yml\nshortlist:\n    - lex.bin\n    - false\n"
            "beam-size: {}\nnormalize: 1.0\n",
            model, beam);
    };
    const TempDir folder;
    folder.write("vocab.yml", kTinyVocabulary);
    folder.write("catalog-entry.yml", "name: x\n");
    folder.write("config.yml", config("model.npz", 4));
    folder.write("config.intgemm8bit.yml", config("model.intgemm.bin", 3));
    folder.write("config.intgemm8bitalpha.yml", config("model.intgemm.alphas.bin", 2));
    folder.write("model_info.json", R"({"src": "Czech", "srcTags": {"cs": "Czech"}, "trgTag": "en", "version": 1})");
    const auto beam = [&] { return families::load(folder.path()).search.beam_size; };
    folder.write("model.npz", TinyMarian().npz());
    const spec::ModelSpec spec = families::load(folder.path());
    CHECK(spec.search.beam_size == 4);
    CHECK(spec.search.length_penalty == 1.0f);
    CHECK(spec.source_languages == Names{"cs"});
    CHECK(spec.target_languages == Names{"en"});
    CHECK(spec.version == "1");
    folder.write("model.intgemm.bin", TinyMarian().bin());
    CHECK(beam() == 3);
    folder.write("model.intgemm.alphas.bin", TinyMarian().bin());
    CHECK(beam() == 2);
    CHECK(families::load(folder.path() / "model.npz").search.beam_size == 4);
    CHECK(families::load(folder.path() / "model.intgemm.bin").search.beam_size == 3);
}

TEST_CASE("HPLT's folder: the best of several models, and SentencePiece under the languages' name") {
    TinyMarian model;
    model.add("Wemb", {60, 4});
    model.add("decoder_ff_logit_out_b", {1, 60});
    const TempDir folder;
    folder.write("model.npz.best-chrf.npz", model.npz());
    folder.write("model.en-xx.spm", test::read_file(DRAGOMAN_TEST_DATA "/marian/int8-firefox/vocab.xxyy.spm"));
    folder.write("model.npz.best-chrf.npz.decoder.yml",
                 "models: [/train/model.npz.best-chrf.npz]\nvocabs: [/train/v.spm, /train/v.spm]\nbeam-size: 6\n");
    const spec::ModelSpec spec = families::load(folder.path());
    CHECK(spec.source.tokens.size() == 60);
    CHECK(spec.has_tokenizer());
    CHECK(spec.search.beam_size == 6);
}

TEST_CASE("two SentencePiece models that are called after the languages are the vocabularies") {
    const std::string pieces = test::read_file(DRAGOMAN_TEST_DATA "/marian/int8-firefox/vocab.xxyy.spm");
    TinyMarian model;
    model.add("Wemb", {60, 4});
    model.add("decoder_ff_logit_out_b", {1, 60});
    const TempDir folder;
    folder.write("model.npz", model.npz());
    for (const char* name : {"en.model", "ar.model"}) folder.write(name, pieces);
    const auto names = [&] {
        const spec::ModelSpec spec = families::load(folder.path());
        CHECK(spec.has_tokenizer());
        CHECK(spec.source.tokens.size() == 60);
        const auto name = [](const FileBytes& file) { return std::filesystem::path(file.name).filename().string(); };
        return name(spec.source.sentencepiece) + " " + name(spec.target.sentencepiece);
    };
    check_refused(Status::bad_model, {"called after the model's languages"}, [&] { names(); });
    folder.write("metadata.json", R"({"sourceLanguage": "ar", "targetLanguage": "en"})");
    CHECK(names() == "ar.model en.model");
    folder.write("metadata.json", R"({"sourceLanguage": "en", "targetLanguage": "ar"})");
    CHECK(names() == "en.model ar.model");
    folder.write("decoder.yml", "models: [model.npz]\nvocabs: [ar.model, en.model]\n");
    CHECK(names() == "ar.model en.model");
}

TEST_CASE("models of 2019 say that their tokenizer is not read") {
    const TempDir folder;
    folder.write("model.npz", TinyMarian().npz());
    folder.write("vocab.yml", kTinyVocabulary);
    folder.write("source.bpe", "#version: 0.2\na b\n");
    const spec::ModelSpec spec = families::load(folder.path());
    CHECK_FALSE(spec.has_tokenizer());
    CHECK(spec.no_tokenizer.find("source.bpe is BPE of subword-nmt") != std::string::npos);
}

TEST_CASE("vocabularies lie beside the model") {
    const auto with = [](std::initializer_list<std::pair<const char*, const char*>> files) {
        const TempDir folder;
        folder.write("model.npz", TinyMarian().npz());
        for (const auto& [name, content] : files) folder.write(name, content);
        return families::load(folder.path());
    };
    const spec::ModelSpec two = with({{"vocab.src.yml", kTinyVocabulary}, {"vocab.trg.txt", "</s>\n<unk>\nx\ny\nz\n"}});
    CHECK(two.source.tokens[4] == "c");
    CHECK(two.target.tokens[4] == "z");
    CHECK_FALSE(two.shared_vocabulary);
    CHECK(with({{"vocab.json", R"({"</s>": 0, "<unk>": 1, "\u00e9": 4})"}}).source.tokens ==
          Names{"</s>", "<unk>", "", "", "\u00e9"});
    CHECK(with({{"vocab.yml", "eos: 0\nUNK: 1\na: 2\n"}}).eos_token == "eos");
    CHECK(with({{"vocab.yml", "<unk>: 1\na: 2\n"}}).source.tokens[0] == "</s>");
    // Tokens beyond the embedding's rows are unknown, as Marian has it.
    CHECK(with({{"vocab.yml", "</s>: 0\n<unk>: 1\na: 2\nb: 3\nc: 4\nd: 5\n"}}).source.tokens.size() == 5);
    const auto refuse = [&](Status status, std::initializer_list<const char*> parts, const char* name,
                            const char* content) { check_refused(status, parts, [&] { with({{name, content}}); }); };
    refuse(Status::bad_model, {"vocabulary", "none"}, "readme", "");
    refuse(Status::bad_model, {"</s>"}, "vocab.yml", "a: 0\n<unk>: 1\n");
    refuse(Status::bad_model, {"<unk>"}, "vocab.txt", "</s>\na\n");
    refuse(Status::bad_model, {"id 2", "\"a\" and \"b\""}, "vocab.yml", "</s>: 0\n<unk>: 1\na: 2\nb: 2\n");
    refuse(Status::bad_model, {"\"a\"", "an id", "x"}, "vocab.yml", "</s>: 0\n<unk>: 1\na: x\n");
    refuse(Status::bad_model, {"\"a\"", "an id"}, "vocab.yml", "</s>: 0\n<unk>: 1\na: [2]\n");
    refuse(Status::unsupported, {"factored"}, "vocab.fsv", "");
    refuse(Status::bad_model, {"SentencePiece"}, "vocab.spm", "x");
    check_refused(Status::unsupported, {"special tokens"},
                  [&] { with({{"vocab.src.yml", kTinyVocabulary}, {"vocab.trg.yml", "eos: 0\n<unk>: 1\n"}}); });
}

}  // namespace
}  // namespace dragoman::families::marian_test
