// SPDX-License-Identifier: Apache-2.0
#include "store/elsewhere/loadable.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <optional>

#include "base/error.h"
#include "base/os/path_text.h"
#include "store/elsewhere/module_folders.h"
#include "store/json_file.h"

namespace dragoman::store {
namespace fs = std::filesystem;
namespace {

// Values of model_type that lib/families reads, and what CTranslate2's containers say of theirs.
constexpr std::array<std::string_view, 12> kTypes = {"marian", "m2m_100", "bart", "mbart", "t5",   "mt5",
                                                     "umt5",   "gpt2",    "xglm", "opt",   "bert", "xlm-roberta"};
constexpr std::array<std::string_view, 4> kSpecs = {"", "TransformerBase", "TransformerBig", "TransformerSpec"};
constexpr uint32_t kNewestContainer = 6;

bool has_part(std::string_view name, std::initializer_list<std::string_view> parts) {
    return std::ranges::any_of(parts, [&](auto part) { return name.find(part) != name.npos; });
}

bool has_vocabulary(const FolderFiles& files) {
    return std::ranges::any_of(files, [](const auto& file) {
        return file.second > 0 && has_part(file.first, {"vocab", ".spm", "spiece", "sentencepiece", "tokenizer.json"});
    });
}

bool has_shards(const fs::path& index, const FolderFiles& files) {
    const nlohmann::json json = read_json_file(index);
    const auto map = json.find("weight_map");
    return map != json.end() && map->is_object() && std::ranges::all_of(*map, [&](const nlohmann::json& place) {
               return place.is_string() && files.contains(place.get_ref<const std::string&>());
           });
}

// In the order in which they are taken.
bool has_weights(const fs::path& folder, const FolderFiles& files) {
    for (const char* name :
         {"model.safetensors", "model.safetensors.index.json", "pytorch_model.bin", "pytorch_model.bin.index.json"})
        if (files.contains(name)) return !std::string_view(name).ends_with(".json") || has_shards(folder / name, files);
    return false;
}

Look look_at_huggingface(const fs::path& folder, const FolderFiles& files) {
    const fs::path config = folder / "config.json";
    const std::string type = text_in(read_json_file(config), "model_type");
    if (std::ranges::find(kTypes, type) == kTypes.end())
        return {.architecture = {},
                .refusal = fmt::format("{}: model_type: expected {}, the file has \"{}\"", text_of(config),
                                       fmt::join(kTypes, " or "), type)};
    if (!has_weights(folder, files) || !has_vocabulary(files)) return {};
    const auto modules = bytes_of_modules(folder, files);
    if (!modules) return {};
    return {.architecture = type, .refusal = {}, .more_bytes = *modules};
}

template <class T>
T number_at(const std::string& bytes, std::size_t at) {
    static_assert(std::endian::native == std::endian::little);
    T value = 0;
    if (at + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

bool is_marian_bin(const std::string& beginning) { return number_at<uint64_t>(beginning, 0) == 1; }

// What CTranslate2's container says its model is; nullopt for other files.
std::optional<std::string> spec_of_container(const std::string& beginning) {
    const auto version = number_at<uint32_t>(beginning, 0);
    if (version < 1 || version > kNewestContainer || is_marian_bin(beginning)) return std::nullopt;
    if (version == 1) return "";
    const std::string spec = beginning.substr(6, number_at<uint16_t>(beginning, 4));
    return spec.substr(0, spec.find('\0'));
}

bool is_marian_weights(const fs::path& folder, const std::string& name) {
    if (name.ends_with(".npz")) return !name.ends_with(".optimizer.npz");
    return name.ends_with(".bin") && !name.starts_with("lex.") && is_marian_bin(read_beginning(folder / name, 8));
}

Look look_closer(const fs::path& folder, const FolderFiles& files) {
    const bool vocabulary = has_vocabulary(files);
    if (const auto model = files.find("model.bin"); model != files.end()) {
        const auto spec = spec_of_container(read_beginning(folder / "model.bin", 256));
        const bool known = spec && std::ranges::find(kSpecs, *spec) != kSpecs.end();
        if (known && vocabulary) return {.architecture = spec->empty() ? "Transformer" : *spec, .refusal = {}};
        if (spec && !known)
            return {.architecture = {},
                    .refusal = fmt::format("{}: expected a Transformer with an encoder, it is a {}",
                                           text_of(folder / "model.bin"), *spec)};
    }
    const bool marian = std::ranges::any_of(files, [&](const auto& file) {
        return file.second > 0 && is_marian_weights(folder, file.first);
    });
    if (marian && vocabulary) return {.architecture = "marian", .refusal = {}};
    if (files.contains("config.json")) return look_at_huggingface(folder, files);
    return {};
}

}  // namespace

Look look_at(const fs::path& folder, const FolderFiles& files) {
    try {
        return look_closer(folder, files);
    } catch (const Error& error) {
        return {.architecture = {}, .refusal = error.what()};
    }
}

}  // namespace dragoman::store
