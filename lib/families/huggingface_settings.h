// SPDX-License-Identifier: Apache-2.0
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

// The settings of a Hugging Face model: config.json, and generation_config.json where there is one, which wins.
// Messages name the file and the key. Keys that are null count as absent.
class HuggingFaceSettings {
public:
    explicit HuggingFaceSettings(const FileSet& files);

    const std::string& config_file() const { return config_.file; }

    // From config.json.
    std::string text(const char* key) const;
    std::string text(const char* key, const std::string& absent) const;
    std::vector<std::string> texts(const char* key) const;  // none where the key is absent
    bool flag(const char* key, bool absent) const;
    uint32_t number(const char* key, uint32_t least, uint32_t most) const;
    uint32_t number(const char* key, uint32_t least, uint32_t most, uint32_t absent) const;

    // The names of the tasks of task_specific_params, with their "prefix".
    std::vector<std::pair<std::string, std::string>> task_prefixes() const;

    // Generation settings, from either file. The word is a string, or a boolean's "true" or "false".
    std::optional<double> generation_number(const char* key, double least, double most) const;
    void refuse_generation(const char* key) const;  // throws unsupported if it is present and has a meaning
    std::string generation_word(const char* key, std::initializer_list<std::string_view> known,
                                const std::string& absent) const;

    // Token ids, from either file, below `size`.
    uint32_t token_id(const char* key, uint32_t size) const;
    std::optional<uint32_t> optional_token_id(const char* key, uint32_t size) const;
    std::vector<uint32_t> token_ids(const char* key, uint32_t size) const;
    std::vector<std::vector<uint32_t>> token_sequences(const char* key, uint32_t size) const;

private:
    struct File {
        std::string file;
        nlohmann::json values;
    };
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
