// SPDX-License-Identifier: Apache-2.0
// Room "huggingface": models published as Hugging Face files (config.json, tokenizer files, safetensors), one file for
// each architecture. It knows nothing of other publishers' files.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/file_set.h"
#include "formats/json_object.h"

namespace dragoman::families {

// Whether config.json is asked for a token where generation_config.json has none: the end, the start, padding.
bool is_special_token(std::string_view key);

// The settings of a Hugging Face model: config.json, and generation_config.json. As in transformers, the generation
// settings of config.json count only where there is no generation_config.json, except for special tokens.
// Messages name the file and the key. Keys that are null count as absent.
class HuggingFaceSettings {
public:
    struct File {
        std::string file;
        nlohmann::json values;
    };
    explicit HuggingFaceSettings(const FileSet& files);

    const File& config() const { return config_; }
    const File* generation() const { return generation_ ? &*generation_ : nullptr; }  // null: there is none
    const std::string& config_file() const { return config_.file; }

    // From config.json.
    std::string text(const char* key) const;
    std::string text(const char* key, const std::string& absent) const;
    std::vector<std::string> texts(const char* key) const;  // none where the key is absent
    bool flag(const char* key, bool absent) const;
    uint32_t number(const char* key, uint32_t least, uint32_t most) const;
    uint32_t number(const char* key, uint32_t least, uint32_t most, uint32_t absent) const;
    double real(const char* key, double least, double most, double absent) const;

    // The names of the tasks of task_specific_params, with their "prefix".
    std::vector<std::pair<std::string, std::string>> task_prefixes() const;

    // Generation settings. The word is a string, or a boolean's "true" or "false".
    std::optional<double> generation_number(const char* key, double least, double most) const;
    std::string generation_word(const char* key, std::initializer_list<std::string_view> known,
                                const std::string& absent) const;

    // Token ids, below `size`.
    uint32_t token_id(const char* key, uint32_t size) const;
    std::optional<uint32_t> optional_token_id(const char* key, uint32_t size) const;
    std::vector<uint32_t> end_ids(uint32_t size) const;  // that of config.json first; none: the files name none
    std::vector<uint32_t> token_ids(const char* key, uint32_t size) const;
    std::vector<std::vector<uint32_t>> token_sequences(const char* key, uint32_t size) const;

private:
    struct Item {
        const File* from;
        const nlohmann::json* value;
    };
    static File read(const FileBytes& file);
    std::optional<Item> find_config(const char* key) const;
    std::optional<Item> find_generation(const char* key) const;
    [[noreturn]] void missing(const char* key, std::string_view expected) const;

    File config_;
    std::optional<File> generation_;
};

}  // namespace dragoman::families
