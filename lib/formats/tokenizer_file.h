// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "files/file_set.h"
#include "formats/json_object.h"

namespace dragoman::formats {

// The key of a tokenizer.json with its value as an object, if it comes before the model, whose vocabulary of megabytes
// need not be read then; empty otherwise.
std::string early_part(std::string_view text, std::string_view key);

// How readers of tokenizer.json read values. Errors name the file, the place, the expected and the actual value.
class TokenizerFields {
public:
    explicit TokenizerFields(std::string file) : file_(std::move(file)) {}

protected:
    [[noreturn]] void wrong(std::string_view where, std::string_view expected, const nlohmann::json* found) const;
    // Null: the key is missing, or null in the file.
    static const nlohmann::json* find(const nlohmann::json& object, const char* key);
    // The value of a key of the object at `where`, which must have it.
    std::string text(const nlohmann::json& object, std::string_view where, const char* key) const;
    const nlohmann::json& list(const nlohmann::json& object, std::string_view where, const char* key) const;
    bool flag(const nlohmann::json& object, std::string_view where, const char* key, bool absent) const;

    std::string file_;
};

// Common parts of those that read a whole file.
class TokenizerFile : public TokenizerFields {
public:
    explicit TokenizerFile(const FileBytes& file)
        : TokenizerFields(file.name), json_(parse_json_object(file.name, file.text())) {}

protected:
    [[noreturn]] void refuse(std::string_view where, std::string_view expected, const nlohmann::json* found) const;
    // The tokens of a model whose vocabulary is an object, including the added ones; index is the id. An id without a
    // token, or with an empty one, which no text has, gets an unused one.
    std::vector<std::string> tokens(const nlohmann::json& model) const;

    nlohmann::json json_;

private:
    void put(const std::string& token, const nlohmann::json& id, std::size_t most,
             std::vector<std::string>& tokens) const;
};

}  // namespace dragoman::formats
