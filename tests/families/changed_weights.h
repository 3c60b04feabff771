// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "formats/safetensors_file.h"
#include "support/temp_dir.h"

namespace dragoman::test {

// The tensors of a safetensors file.
inline SafetensorsFile read_safetensors(const std::filesystem::path& file) {
    const std::string bytes = read_file(file);
    uint64_t length = 0;
    std::memcpy(&length, bytes.data(), sizeof length);
    const auto header = nlohmann::json::parse(bytes.substr(sizeof length, length));
    SafetensorsFile result;
    for (const auto& [name, entry] : header.items()) {
        if (name == "__metadata__") continue;
        const auto at = entry.at("data_offsets").get<std::vector<std::size_t>>();
        result.tensors[name] = {entry.at("dtype").get<std::string>(), entry.at("shape").get<std::vector<uint32_t>>(),
                                bytes.substr(sizeof length + length + at[0], at[1] - at[0])};
    }
    return result;
}

// A safetensors file in which tables of `rows` rows, and biases of as many, get zeros to `more` of them, as
// resize_token_embeddings() does.
inline std::string grown_rows(const std::filesystem::path& file, uint32_t rows, uint32_t more) {
    SafetensorsFile result = read_safetensors(file);
    for (auto& [name, tensor] : result.tensors)
        for (uint32_t& size : tensor.shape) {
            if (size != rows) continue;
            tensor.bytes.resize(tensor.bytes.size() / rows * more);  // no other dimension before it is more than 1
            size = more;
        }
    return result.bytes();
}

}  // namespace dragoman::test
