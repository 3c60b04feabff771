// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstring>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/half.h"

namespace dragoman::test {

// A safetensors file that tests put together, also wrongly.
struct SafetensorsFile {
    struct Tensor {
        std::string type;
        std::vector<uint32_t> shape;
        std::string bytes;
    };

    std::map<std::string, Tensor> tensors;

    // Values in row-major order, rounded to the type: "F32", "F16" or "BF16" (cut off, so give values it has).
    void set(const std::string& name, const std::string& type, std::vector<uint32_t> shape,
             const std::vector<float>& values) {
        std::string bytes;
        for (const float value : values) {
            uint32_t bits = 0;
            std::memcpy(&bits, &value, sizeof bits);
            if (type == "F16") bits = to_half(value);
            if (type == "BF16") bits >>= 16;
            bytes.append(reinterpret_cast<const char*>(&bits), type == "F32" ? 4 : 2);
        }
        tensors[name] = {type, std::move(shape), std::move(bytes)};
    }

    // The header's entries can be changed before they are written.
    std::string bytes(const std::function<void(nlohmann::json&)>& change = {}) const {
        nlohmann::json header = {{"__metadata__", {{"format", "pt"}}}};
        std::string data;
        for (const auto& [name, tensor] : tensors) {
            header[name] = {{"dtype", tensor.type},
                            {"shape", tensor.shape},
                            {"data_offsets", {data.size(), data.size() + tensor.bytes.size()}}};
            data += tensor.bytes;
        }
        if (change) change(header);
        return with_header(header.dump(), data);
    }

    static std::string with_header(const std::string& header, const std::string& data) {
        const uint64_t length = header.size();
        return std::string(reinterpret_cast<const char*>(&length), sizeof length) + header + data;
    }
};

}  // namespace dragoman::test
