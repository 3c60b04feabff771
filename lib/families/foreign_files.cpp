// SPDX-License-Identifier: Apache-2.0
#include "families/foreign_files.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "formats/vocabulary_files.h"

namespace dragoman::families {
namespace {

constexpr std::string_view kOriginal = "get model.safetensors or pytorch_model.bin of the original model";
constexpr std::string_view kConverted =
    "convert it to PyTorch's form with transformers (from_tf, from_flax), or get "
    "model.safetensors";

constexpr std::string_view kUnfinished = "a download that did not come to its end";
constexpr std::string_view kDownloadAgain = "go on with it, or download it again";

struct ForeignKind {
    std::string_view end;  // of the file's name
    std::string_view what, instead;
};

// The order is that in which they are looked for.
constexpr ForeignKind kKinds[] = {
    {"adapter_model.safetensors", "the weights of an adapter (PEFT), without those of the model that it changes",
     "merge it into its model (merge_and_unload) and save that"},
    {"adapter_model.bin", "the weights of an adapter (PEFT), without those of the model that it changes",
     "merge it into its model (merge_and_unload) and save that"},
    {".onnx", "an ONNX graph", kOriginal},
    {".onnx_data", "weights of an ONNX graph", kOriginal},
    {"saved_model.pb", "TensorFlow's SavedModel", kConverted},
    {".pb", "a graph of TensorFlow's", kConverted},
    {"tf_model.h5", "TensorFlow's weights (HDF5)", kConverted},
    {".h5", "weights of Keras or TensorFlow (HDF5)", kConverted},
    {".keras", "a model of Keras", kConverted},
    {".tflite", "a model of TensorFlow Lite", kOriginal},
    {".msgpack", "Flax's weights", kConverted},
    {".part", kUnfinished, kDownloadAgain},
    {".partial", kUnfinished, kDownloadAgain},
    {".incomplete", kUnfinished, kDownloadAgain},
    {".crdownload", kUnfinished, kDownloadAgain},
    {".aria2", kUnfinished, kDownloadAgain},
    {".ot", "rust-bert's archive of weights", kOriginal},
    {".mlmodel", "a model of Core ML", kOriginal},
    {".mlpackage", "a model of Core ML", kOriginal},
    {".nemo", "an archive of NeMo", "get a model in the form of transformers, Marian or CTranslate2"},
    {".ckpt", "a checkpoint of a training script", "save the model in the form of transformers, with its config.json"},
    {".pt", "a checkpoint of fairseq, OpenNMT-py or another training script",
     "convert it with CTranslate2's or transformers' converter"},
    {".pth", "a checkpoint of a training script", "save the model in the form of transformers, with its config.json"},
    {"openvino_model.xml", "a graph of OpenVINO's", kOriginal},
    {"openvino_encoder_model.xml", "a graph of OpenVINO's", kOriginal},
    {".ckpt.index", "a checkpoint of TensorFlow", "convert it with CTranslate2's converter"},
    {".data-00000-of-00001", "a checkpoint of TensorFlow", "convert it with CTranslate2's converter"},
};

// What transformers' Trainer keeps of a run beside weights.
bool is_state_of_training(std::string_view name) {
    return name == "optimizer.pt" || name == "scheduler.pt" || name == "scaler.pt" || name == "training_args.bin" ||
           (name.starts_with("rng_state") && name.ends_with(".pth"));
}

std::string find_in(const FileSet& files, const ForeignKind& kind) {
    if (!files.chosen().empty()) return files.chosen().ends_with(kind.end) ? files.chosen() : std::string();
    for (const std::string& name : files.names())
        if (name.ends_with(kind.end) && name.find('/') == name.npos && !is_state_of_training(name)) return name;
    for (const char* folder : {"onnx", "saved_model"})
        if (const auto inner = files.folder(folder))
            for (const std::string& name : inner->names())
                if (name.ends_with(kind.end)) return std::string(folder) + "/" + name;
    return {};
}

bool is_weights(std::string_view name) {
    const bool begins = name.starts_with("model") || name.starts_with("pytorch_model");
    return begins && (name.ends_with(".safetensors") || name.ends_with(".bin")) && name.find('/') == name.npos;
}

// transformers' own weights under a name that the library does not look for.
std::string describe_weights(const FileSet& files) {
    const std::vector<std::string> chosen{files.chosen()};
    for (const std::string& name : files.chosen().empty() ? files.names() : chosen) {
        if (!is_weights(name)) continue;
        const std::string plain = name.ends_with(".bin") ? "pytorch_model.bin" : "model.safetensors";
        if (name.find("-of-") != name.npos)
            return fmt::format(
                "{} is one of several files of weights, which are read by their index {}.index.json; "
                "get it too, and give the folder",
                name, plain);
        const auto dot = name.find('.');
        if (name.find('.', dot + 1) != name.npos)
            return fmt::format("{} is a variant of {}, and only that name is read; rename it, or get that file", name,
                               plain);
    }
    return {};
}

// sentence-transformers had the network in a folder of its own.
std::string describe_first_module(const FileSet& files) {
    constexpr const char* kModules = "modules.json";
    if (!files.chosen().empty() || !files.has(kModules)) return {};
    const auto modules = nlohmann::json::parse(files.read(kModules).text(), nullptr, false);
    if (!modules.is_array() || modules.empty() || !modules[0].is_object()) return {};
    const auto path = modules[0].find("path");
    if (path == modules[0].end() || !path->is_string()) return {};
    const auto name = path->get<std::string>();
    const auto inner = name.empty() ? nullptr : files.folder(name);
    if (!inner || !inner->has("config.json")) return {};
    return fmt::format("{}: the network is in the folder {}, where it is not read; move the files of {} beside {}",
                       kModules, name, name, kModules);
}

std::string describe_state_of_training(const FileSet& files) {
    if (!is_state_of_training(files.chosen())) return {};
    return fmt::format("{} is the state of a training run, not weights; get model.safetensors or pytorch_model.bin",
                       files.chosen());
}

std::string stated_text(const FileSet& files, const char* name, const char* key) {
    const auto json = nlohmann::json::parse(files.read(name).text(), nullptr, false);
    const auto found = json.is_object() ? json.find(key) : json.end();
    return json.is_object() && found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::string describe_adapter(const FileSet& files) {
    constexpr const char* kAdapter = "adapter_config.json";
    if (!files.chosen().empty()) return {};
    if (files.has(kAdapter))
        return fmt::format(
            "{} is of an adapter (PEFT) of the model {}, which is not read; merge it into that model "
            "(merge_and_unload) and save the result",
            kAdapter, stated_text(files, kAdapter, "base_model_name_or_path"));
    return {};
}

// Several models side by side.
std::string describe_gguf_files(const FileSet& files) {
    std::vector<std::string> found;
    if (!files.chosen().empty()) return {};
    for (const std::string& name : files.names())
        if (name.ends_with(".gguf")) found.push_back(name);
    if (found.size() < 2) return {};
    return fmt::format("expected one .gguf file, there are {} ({}, {} ...); give the path of one of them", found.size(),
                       found[0], found[1]);
}

// A model in its archive, in a folder.
std::string describe_archive(const FileSet& files) {
    if (!files.chosen().empty()) return {};
    for (const std::string& name : files.names())
        for (const char* end : {".zip", ".tar", ".tgz", ".argosmodel"})
            if (name.ends_with(end))
                return fmt::format("{} is an archive, which is not looked into here; give its own path, or unpack it",
                                   name);
    return {};
}

// A folder that has all of a model but its weights, or has them under a name in other letters.
std::string describe_missing_weights(const FileSet& files) {
    constexpr const char *kSafetensors = "model.safetensors", *kTorch = "pytorch_model.bin", *kBin = "model.bin";
    constexpr const char* kConfig = "config.json";
    if (!files.chosen().empty()) return {};
    for (const char* name : {kSafetensors, kTorch, kBin})
        if (const std::string other = files.in_other_letters(name); !other.empty())
            return fmt::format("{} is not read under this name; rename it to {}", other, name);
    if (!files.has(kConfig)) return {};
    const std::string type = stated_text(files, kConfig, "model_type");
    if (!type.empty())
        return fmt::format("expected {} or {} beside {} (of the type {}), neither is there; get one of them",
                           kSafetensors, kTorch, kConfig, type);
    for (const char* list : {"shared_vocabulary", "source_vocabulary"})
        if (const auto name = formats::find_vocabulary(files, list))
            return fmt::format("expected {} beside {} and {}, it is not there; get it", kBin, kConfig, *name);
    return {};
}

}  // namespace

std::string describe_foreign_files(const FileSet& files) {
    for (const auto describe : {describe_first_module, describe_weights, describe_state_of_training})
        if (std::string found = describe(files); !found.empty()) return found;
    for (const ForeignKind& kind : kKinds)
        if (const std::string name = find_in(files, kind); !name.empty())
            return fmt::format("{} is {}, which is not read; {}", name, kind.what, kind.instead);
    return describe_adapter(files);
}

std::string describe_incomplete_model(const FileSet& files) {
    for (const auto describe : {describe_gguf_files, describe_missing_weights, describe_archive})
        if (std::string found = describe(files); !found.empty()) return found;
    return {};
}

}  // namespace dragoman::families
