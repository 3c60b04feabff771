// SPDX-License-Identifier: Apache-2.0
#include "families/foreign_files.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "families/families.h"
#include "support/refused.h"
#include "support/temp_dir.h"

namespace dragoman::families::foreign_files_test {
namespace {

using test::check_refused;
using test::TempDir;

TEST_CASE("files of other programs: what they are, and what to get instead") {
    constexpr std::pair<const char*, const char*> kFiles[] = {
        {"decoder_model.onnx", "is an ONNX graph"},
        {"saved_model.pb", "TensorFlow's SavedModel"},
        {"tf_model.h5", "TensorFlow's weights"},
        {"rust_model.ot", "rust-bert's archive"},
        {"flax_model.msgpack", "Flax's weights"},
        {"checkpoint_best.pt", "a checkpoint of fairseq, OpenNMT-py"},
        {"adapter_model.safetensors", "an adapter"},
        {"model.keras", "Keras"},
        {"openvino_encoder_model.xml", "OpenVINO"},
        {"model.safetensors.incomplete", "a download that did not come to its end"},
        {"model.safetensors.part", "a download that did not come to its end"},
        {"model.nemo", "NeMo"},
        {"model.ckpt-7.data-00000-of-00001", "TensorFlow"},
    };
    for (const auto& [name, what] : kFiles) {
        CAPTURE(name);
        const TempDir folder;
        folder.write("config.json", "{}");
        folder.write(name, "x");
        check_refused(Status::unsupported, {name, what}, [&] { load(folder.path()); });
        const std::string text = describe_foreign_files(*FileSet::open(folder.path()));
        const auto says = [&](const char* word) { return text.find(word) != text.npos; };
        CHECK((says("get ") || says("convert ") || says("save ") || says("download it again")));
        check_refused(Status::unsupported, {what}, [&] { load(folder.path() / name); });
    }
    const TempDir folder;
    std::filesystem::create_directory(folder.path() / "onnx");
    folder.write("onnx/encoder_model.onnx", "x");
    check_refused(Status::unsupported, {"onnx/encoder_model.onnx is an ONNX graph"}, [&] { load(folder.path()); });
    const TempDir empty;
    check_refused(Status::bad_model, {"not a model (expected"}, [&] { load(empty.path()); });
}

TEST_CASE("a folder that lacks weights alone: which, and in other letters") {
    const auto refused = [](const TempDir& folder, std::initializer_list<const char*> parts,
                            Status status = Status::bad_model) {
        check_refused(status, parts, [&] { load(folder.path()); });
    };
    const TempDir folder;
    folder.write("config.json", R"({"model_type": "marian"})");
    refused(folder, {"expected model.safetensors or pytorch_model.bin", "config.json (of the type marian)"});
    folder.write("Model.safetensors", "x");
    refused(folder, {"Model.safetensors is not read under this name", "rename it to model.safetensors"});
    const TempDir converted;
    converted.write("config.json", R"({"unk_token": "<unk>"})");
    converted.write("shared_vocabulary.json", "[]");
    refused(converted, {"expected model.bin", "config.json", "shared_vocabulary.json"});
    const TempDir adapter;
    adapter.write("adapter_config.json", R"({"base_model_name_or_path": "x/y", "peft_type": "LORA"})");
    refused(adapter, {"adapter_config.json", "adapter (PEFT) of the model x/y", "merge_and_unload"},
            Status::unsupported);
}

TEST_CASE("what a training run leaves beside weights is not taken for weights") {
    const TempDir folder;
    folder.write("config.json", R"({"model_type": "m2m_100"})");
    for (const char* name : {"optimizer.pt", "scheduler.pt", "rng_state.pth", "training_args.bin"}) {
        folder.write(name, "x");
        check_refused(Status::unsupported, {name, "the state of a training run"}, [&] { load(folder.path() / name); });
    }
    check_refused(Status::bad_model, {"expected model.safetensors or pytorch_model.bin", "m2m_100"},
                  [&] { load(folder.path()); });
}

TEST_CASE("an archive in a folder, and a page of the web in place of one") {
    const TempDir folder;
    folder.write("opus.zip", "PK");
    check_refused(Status::bad_model, {"opus.zip is an archive", "give its own path"}, [&] { load(folder.path()); });
    folder.write("opus.zip", "<!DOCTYPE html>\n<html></html>\n");
    check_refused(Status::bad_model, {"opus.zip: is a page of the web"}, [&] { load(folder.path() / "opus.zip"); });
    folder.write("opus.zip", "version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 3\n");
    check_refused(Status::bad_model, {"opus.zip: is a Git LFS pointer"}, [&] { load(folder.path() / "opus.zip"); });
}

TEST_CASE("several GGUF files in a folder") {
    const TempDir folder;
    folder.write("model-q4.gguf", "x");
    folder.write("model-q8.gguf", "x");
    check_refused(Status::bad_model, {"there are 2", "model-q4.gguf, model-q8.gguf", "give the path"},
                  [&] { load(folder.path()); });
}

TEST_CASE("types of models that no family reads: what they are, and what to get instead") {
    for (const auto& [type, instead] : {std::pair("fsmt", "get an OPUS-MT model"),
                                        {"IndicTrans", "get NLLB-200"},
                                        {"whisper", "for speech"},
                                        {"pegasus", "summaries"},
                                        {"qwen2", "asked to translate in words"},
                                        {"mpnet", "LaBSE"},
                                        {"unheard", "file has unheard"}}) {
        CAPTURE(type);
        const TempDir folder;
        folder.write("config.json", nlohmann::json{{"model_type", type}}.dump());
        folder.write("model.safetensors", "x");
        check_refused(Status::unsupported, {"model_type", type, instead}, [&] { load(folder.path()); });
    }
    const TempDir quantized;
    quantized.write("config.json", R"({"model_type": "t5", "quantization_config": {"quant_method": "gptq"}})");
    quantized.write("model.safetensors", "x");
    check_refused(Status::unsupported, {"quantization_config", "gptq", "get the weights as they were before"},
                  [&] { load(quantized.path()); });
}

TEST_CASE("an adapter beside a checkpoint, which transformers would load") {
    const TempDir folder;
    for (const auto& entry : std::filesystem::directory_iterator(DRAGOMAN_TEST_DATA "/huggingface/shared"))
        std::filesystem::copy_file(entry.path(), folder.path() / entry.path().filename());
    CHECK(load(folder.path()).family == "MarianMT");
    folder.write("adapter_config.json", R"({"base_model_name_or_path": "x/y", "peft_type": "LORA"})");
    check_refused(Status::unsupported, {"adapter_config.json", "adapter (PEFT)", "merge", "model.safetensors"},
                  [&] { load(folder.path()); });
    CHECK(load(folder.path() / "model.safetensors").family == "MarianMT");  // who names the weights means them
}

TEST_CASE("weights of transformers under names that are not looked for") {
    constexpr std::pair<const char*, const char*> kFiles[] = {
        {"model.fp16.safetensors", "is a variant of model.safetensors"},
        {"pytorch_model.fp16.bin", "is a variant of pytorch_model.bin"},
        {"model-00002-of-00003.safetensors", "by their index model.safetensors.index.json"},
        {"model.fp16-00001-of-00002.safetensors", "by their index model.safetensors.index.json"},
        {"pytorch_model-00001-of-00002.bin", "by their index pytorch_model.bin.index.json"},
    };
    for (const auto& [name, what] : kFiles) {
        CAPTURE(name);
        const TempDir folder;
        folder.write("config.json", "{}");
        folder.write(name, "x");
        check_refused(Status::unsupported, {name, what, "get "}, [&] { load(folder.path()); });
        check_refused(Status::unsupported, {name, what}, [&] { load(folder.path() / name); });
    }
}

TEST_CASE("the network of sentence-transformers in a folder of its own") {
    const TempDir folder;
    std::filesystem::create_directory(folder.path() / "0_Transformer");
    folder.write("0_Transformer/config.json", "{}");
    folder.write("modules.json", R"([{"idx": 0, "path": "0_Transformer", "type": "x.Transformer"}])");
    check_refused(Status::unsupported, {"modules.json", "0_Transformer", "move the files"},
                  [&] { load(folder.path()); });
    for (const char* other : {"[", "[]", "[1]", R"([{"path": 1}])", R"([{"path": ""}])", R"([{"path": "../x"}])"}) {
        folder.write("modules.json", other);
        check_refused(Status::bad_model, {"not a model (expected"}, [&] { load(folder.path()); });
    }
}

TEST_CASE("pointers of Git LFS in place of weights") {
    const std::string pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 298763456\n";
    const TempDir folder;
    folder.write("model.bin", pointer);
    check_refused(Status::bad_model, {"model.bin", "Git LFS pointer"}, [&] { load(folder.path()); });
    const TempDir chosen;
    check_refused(Status::bad_model, {"model.npz: is a Git LFS pointer"},
                  [&] { load(chosen.write("model.npz", pointer)); });
    // a pointer beside the weights that nobody reads does not matter
    const TempDir whole;
    for (const auto& entry : std::filesystem::directory_iterator(DRAGOMAN_TEST_DATA "/huggingface/shared"))
        std::filesystem::copy_file(entry.path(), whole.path() / entry.path().filename());
    whole.write("training_args.bin", pointer);
    CHECK(load(whole.path()).family == "MarianMT");
    whole.write("model.safetensors", pointer);
    check_refused(Status::bad_model, {"model.safetensors", "Git LFS pointer"}, [&] { load(whole.path()); });
}

}  // namespace
}  // namespace dragoman::families::foreign_files_test
