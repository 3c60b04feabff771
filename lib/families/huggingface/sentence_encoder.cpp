// SPDX-License-Identifier: Apache-2.0
#include "families/huggingface/sentence_encoder.h"

#include "base/error.h"
#include "base/log.h"
#include "base/os/path_text.h"
#include "families/huggingface/config.h"
#include "formats/checkpoint.h"
#include "formats/json_object.h"

namespace dragoman::families {
namespace {

using nlohmann::json;

constexpr const char *kModules = "modules.json", *kOutput = "sentence_embedding";

// A JSON object of a file, for messages.
class Values {
public:
    explicit Values(const FileBytes& file)
        : file_(file.name), values_(formats::parse_json_object(file.name, file.text())) {}

    const std::string& file() const { return file_; }

    const json* find(const char* key) const {
        const auto found = values_.find(key);
        return found == values_.end() || found->is_null() ? nullptr : &*found;
    }

    bool flag(const char* key, bool absent) const {
        const json* value = find(key);
        if (value && !value->is_boolean()) wrong(key, "true or false", value);
        return value ? value->get<bool>() : absent;
    }

    std::string text(const char* key) const {
        const json* value = find(key);
        if (value && !value->is_string()) wrong(key, "a string", value);
        return value ? value->get<std::string>() : std::string();
    }

    uint32_t number(const char* key, uint32_t least, uint32_t most) const {
        const json* value = find(key);
        if (!value || !value->is_number_unsigned() || value->get<uint64_t>() < least || value->get<uint64_t>() > most)
            wrong(key, fmt::format("{} to {}", least, most), value);
        return value->get<uint32_t>();
    }

    [[noreturn]] void wrong(std::string_view key, std::string_view expected, const json* found) const {
        fail(Status::bad_model, "{}: {}: expected {}, file has {}", file_, key, expected,
             found ? formats::short_text(*found) : "none");
    }

    [[noreturn]] void refuse(std::string_view key, std::string_view expected, const json& found) const {
        fail(Status::unsupported, "{}: {}: expected {}, file has {}", file_, key, expected, formats::short_text(found));
    }

private:
    std::string file_;
    json values_;
};

struct Module {
    std::string kind, path;  // "Pooling", "1_Pooling"
};

std::vector<Module> read_modules(const FileBytes& file) {
    // The file is a list, but the JSON reader takes objects.
    const json whole = formats::parse_json_object(file.name, fmt::format("{{\"modules\":{}}}", file.text()));
    const json& list = whole.at("modules");
    const auto wrong = [&](const json& found) {
        fail(Status::bad_model, "{}: expected a list of modules with type and path, file has {}", file.name,
             formats::short_text(found));
    };
    if (!list.is_array()) wrong(list);
    std::vector<Module> modules;
    for (const json& item : list) {
        const auto text = [&](const char* key) {
            if (!item.is_object() || !item.contains(key) || !item.at(key).is_string()) wrong(item);
            return item.at(key).get<std::string>();
        };
        const std::string type = text("type");
        modules.push_back({type.substr(type.rfind('.') + 1), text("path")});
    }
    return modules;
}

class SentenceEncoderReader {
public:
    SentenceEncoderReader(const FileSet& files, spec::ModelSpec& spec)
        : files_(files), spec_(spec), to_(spec.embedding) {}

    void read() {
        const std::vector<Module> modules = read_modules(files_.read(kModules));
        const auto expect = [&](std::size_t i, const char* kind) {
            if (i >= modules.size() || modules[i].kind != kind)
                fail(Status::unsupported, "{}: module {}: expected {}, file has {}", files_.label(kModules), i, kind,
                     i >= modules.size() ? "none" : modules[i].kind);
        };
        expect(0, "Transformer");
        expect(1, "Pooling");
        const std::size_t poolings = read_poolings(modules);
        width_ = spec_.config.d_model;
        for (std::size_t i = 1 + poolings; i < modules.size(); ++i) {
            const std::string& kind = modules[i].kind;
            if (kind == "Dense" && !to_.normalize) read_dense(modules[i]);
            else if (kind == "Normalize") to_.normalize = true;
            else if (kind != "Dropout")  // does nothing outside of training
                fail(Status::unsupported, "{}: module {}: expected Dense, then Normalize, file has {}",
                     files_.label(kModules), i, kind);
        }
        read_lengths();
        read_prompt();
    }

private:
    std::shared_ptr<const FileSet> folder(const Module& module) const {
        auto found = module.path.empty() ? nullptr : files_.folder(module.path);
        if (!found)
            fail(Status::bad_model, "{}: path: expected a folder, \"{}\" is none", files_.label(kModules), module.path);
        return found;
    }

    // Several of them give outputs of several names; a text's vector is the one named sentence_embedding. Returns their
    // number.
    std::size_t read_poolings(const std::vector<Module>& modules) {
        std::size_t count = 0;
        const Module* used = nullptr;
        for (; 1 + count < modules.size() && modules[1 + count].kind == "Pooling"; ++count) {
            const Module& module = modules[1 + count];
            const Values values(folder(module)->read("config.json"));
            const std::string key = values.text("output_key");
            if (!key.empty() && key != kOutput) {
                log(LogLevel::info, "{}: output_key: only {} is used, this one is {}", values.file(), kOutput, key);
                continue;
            }
            if (used)
                fail(Status::unsupported, "{}: module {}: expected one Pooling for {}, file has {} and {}",
                     files_.label(kModules), 1 + count, kOutput, used->path, module.path);
            used = &module;
            read_pooling(values);
        }
        if (!used)
            fail(Status::unsupported, "{}: expected a Pooling with the output_key {}, file has none",
                 files_.label(kModules), kOutput);
        return count;
    }

    void read_pooling(const Values& values) {
        constexpr std::pair<const char*, const char*> kModes[] = {{"pooling_mode_cls_token", "cls"},
                                                                  {"pooling_mode_mean_tokens", "mean"},
                                                                  {"pooling_mode_max_tokens", "max"},
                                                                  {"pooling_mode_mean_sqrt_len_tokens",
                                                                   "mean_sqrt_len_tokens"},
                                                                  {"pooling_mode_weightedmean_tokens", "weightedmean"},
                                                                  {"pooling_mode_lasttoken", "lasttoken"}};
        json modes = json::array();
        const json* named = values.find("pooling_mode");
        if (named) modes = named->is_array() ? *named : json::array({*named});
        else
            for (const auto& [key, mode] : kModes)
                if (values.flag(key, false)) modes.push_back(mode);
        if (modes == json::array({"mean"})) to_.pooling = spec::Pooling::mean;
        else if (modes == json::array({"cls"})) to_.pooling = spec::Pooling::first;
        else values.refuse("pooling_mode", "cls or mean", modes);
        include_prompt_ = values.flag("include_prompt", true);
    }

    void read_dense(const Module& module) {
        const auto files = folder(module);
        const Values values(files->read("config.json"));
        for (const char* key : {"module_input_name", "module_output_name"})
            if (const std::string name = values.text(key); !name.empty() && name != kOutput)
                values.refuse(key, kOutput, name);
        const uint32_t inputs = values.number("in_features", 1, kMaxWidth);
        if (inputs != width_) values.wrong("in_features", std::to_string(width_), values.find("in_features"));
        const spec::DenseLayer layer{.outputs = values.number("out_features", 1, kMaxWidth),
                                     .activation = activation(values)};
        const auto name = formats::find_checkpoint(*files);
        if (!name)
            fail(Status::bad_model, "{}: expected model.safetensors or pytorch_model.bin, neither is there",
                 text_of(files->path()));
        const auto checkpoint = formats::open_checkpoint(*files, *name);
        spec_.owners.push_back(checkpoint);
        const std::string scope = fmt::format("embedding/dense_{}/", to_.dense.size());
        spec_.weights.add(scope + "weight", checkpoint->floats("linear.weight", {layer.outputs, width_}));
        if (values.flag("bias", true))
            spec_.weights.add(scope + "bias", checkpoint->floats("linear.bias", {layer.outputs}));
        to_.dense.push_back(layer);
        width_ = layer.outputs;
    }

    static Activation activation(const Values& values) {
        constexpr std::pair<std::string_view, Activation> kKnown[] = {
            {"Tanh", Activation::tanh}, {"Identity", Activation::none},   {"ReLU", Activation::relu},
            {"GELU", Activation::gelu}, {"Sigmoid", Activation::sigmoid}, {"SiLU", Activation::swish}};
        const char* key = "activation_function";
        const std::string name = values.text(key);
        for (const auto& [known, activation] : kKnown)
            if (name.substr(name.rfind('.') + 1) == known) return activation;
        values.refuse(key, "Tanh, Identity, ReLU, GELU, Sigmoid or SiLU", values.find(key) ? json(name) : json());
    }

    void read_lengths() {
        const char* name = "sentence_bert_config.json";
        if (!files_.has(name)) return;
        const Values values(files_.read(name));
        if (values.find("max_seq_length")) to_.max_tokens = values.number("max_seq_length", 3, kMaxPositions);
        if (values.flag("do_lower_case", false) && !spec_.word_piece.lower_case)
            values.refuse("do_lower_case", "false", true);
    }

    // Reads words that are put before every text.
    void read_prompt() {
        const char* name = "config_sentence_transformers.json";
        if (!files_.has(name)) return;
        const Values values(files_.read(name));
        const std::string chosen = values.text("default_prompt_name");
        if (chosen.empty()) return;
        const json* prompts = values.find("prompts");
        if (!prompts || !prompts->is_object() || !prompts->contains(chosen) || !prompts->at(chosen).is_string())
            values.wrong("prompts", fmt::format("an object with \"{}\"", chosen), prompts);
        spec_.prompts.pattern.text_before = prompts->at(chosen).get<std::string>();
        if (!include_prompt_ && !spec_.prompts.pattern.text_before.empty())
            fail(Status::unsupported, "{}: include_prompt: expected true with the prompt \"{}\", file has false",
                 files_.label("1_Pooling/config.json"), chosen);
    }

    const FileSet& files_;
    spec::ModelSpec& spec_;
    spec::EmbeddingSpec& to_;
    uint32_t width_ = 0;
    bool include_prompt_ = true;
};

}  // namespace

void read_sentence_encoder(const FileSet& files, spec::ModelSpec& spec) {
    if (files.has(kModules)) SentenceEncoderReader(files, spec).read();
}

}  // namespace dragoman::families
