// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/file_set.h"
#include "formats/json_object.h"

namespace dragoman::formats {

// The key of a tokenizer.json with its value as an object, if it comes before the model, whose vocabulary of megabytes need
// not be read then; empty otherwise.
std::string early_part(std::string_view text, std::string_view key);

// Common parts of the readers of tokenizer.json. Errors name the file, the place, the expected and the actual value.
class TokenizerFile {
public:
    explicit TokenizerFile(const FileBytes& file)
        : file_(file.name), json_(parse_json_object(file.name, file.text())) {}

protected:
    [[noreturn]] void wrong(std::string_view where, std::string_view expected, const nlohmann::json* found) const;
    [[noreturn]] void refuse(std::string_view where, std::string_view expected, const nlohmann::json* found) const;
    // Null: the key is missing, or null in the file.
    static const nlohmann::json* find(const nlohmann::json& object, const char* key);
    // The tokens of a model whose vocabulary is an object, including the added ones; index is the id, and ids without a
    // token are "".
    std::vector<std::string> tokens(const nlohmann::json& model) const;

    std::string file_;
    nlohmann::json json_;

private:
    void put(const std::string& token, const nlohmann::json& id, std::size_t most,
             std::vector<std::string>& tokens) const;
};

}  // namespace dragoman::formats
